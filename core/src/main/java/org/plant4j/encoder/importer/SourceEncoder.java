package org.plant4j.encoder.importer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.UserError;

/**
 * A published encoder: its tensors under our names, and the settings that their shapes do not show. Reads Hugging Face
 * files, PyTorch checkpoints, ONNX graphs and TensorFlow checkpoints.
 *
 * @param modelType {@code model_type} of its config
 * @param attentionWindow of a Longformer
 */
record SourceEncoder(
        SourceFormat format,
        Map<String, StoredTensor> tensors,
        OptionalInt heads,
        double epsilon,
        Optional<String> modelType,
        OptionalInt attentionWindow) {

    public enum SourceFormat {
        HUGGING_FACE("Hugging Face"),
        ONNX("ONNX"),
        TENSORFLOW("TensorFlow");

        private final String title;

        SourceFormat(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    static final String LONGFORMER = "longformer";

    private static final Set<String> MODEL_TYPES = Set.of("bert", "roberta", "xlm-roberta", "camembert", LONGFORMER);
    private static final double GOOGLE_EPSILON = 1e-12;

    static SourceEncoder open(ModelArchive source) {
        Path directory = source.directory();
        Optional<JsonNode> config = Stream.of("config.json", "bert_config.json")
                .map(directory::resolve)
                .filter(Files::isRegularFile)
                .findFirst()
                .map(TokenizerConverter::json);
        config.ifPresent(json -> check(json, directory));
        List<Path> safetensors = source.weights(".safetensors");
        if (!safetensors.isEmpty()) {
            return huggingFace(safetensors, SafetensorsFile::read, config, directory);
        }
        List<Path> onnx = source.weights(".onnx");
        if (!onnx.isEmpty()) {
            return onnx(onnx.get(0), config);
        }
        List<Path> indices = source.weights(".index");
        if (!indices.isEmpty()) {
            return tensorFlow(indices.get(0), config);
        }
        List<Path> pickled = source.weights(".bin").stream()
                .filter(file -> String.valueOf(file.getFileName()).startsWith("pytorch_model"))
                .toList();
        if (!pickled.isEmpty()) {
            return huggingFace(pickled, TorchCheckpoint::read, config, directory);
        }
        throw new UserError(
                "No encoder found",
                directory.toString(),
                "use a directory with config.json and model.safetensors or pytorch_model.bin, an .onnx file, or a jar with"
                        + " either or with a TensorFlow SavedModel");
    }

    /** Large models are split over several files. */
    private static SourceEncoder huggingFace(
            List<Path> files,
            Function<Path, Map<String, StoredTensor>> reader,
            Optional<JsonNode> stated,
            Path directory) {
        JsonNode config = stated.orElseThrow(
                () -> new UserError("config.json is missing", directory.toString(), "add it from the same model"));
        Map<String, StoredTensor> tensors = new TreeMap<>();
        files.forEach(file -> tensors.putAll(reader.apply(file)));
        return new SourceEncoder(
                SourceFormat.HUGGING_FACE,
                BertTensorNames.canonical(withTiedHead(tensors, config)),
                heads(config),
                epsilon(config),
                modelType(config),
                attentionWindow(config));
    }

    private static SourceEncoder onnx(Path file, Optional<JsonNode> config) {
        OnnxModel graph = OnnxModel.read(file);
        Map<String, StoredTensor> tensors = BertTensorNames.canonical(graph.tensors());
        StoredTensor embedding = tensors.get(BertTensorNames.TOKEN_EMBEDDING);
        OptionalInt graphHeads = embedding == null
                ? OptionalInt.empty()
                : graph.heads(embedding.shape().get(1));
        return new SourceEncoder(
                SourceFormat.ONNX,
                tensors,
                config.map(SourceEncoder::heads).orElse(graphHeads),
                config.map(SourceEncoder::epsilon)
                        .orElseGet(() -> graph.epsilon().orElse(GOOGLE_EPSILON)),
                config.flatMap(SourceEncoder::modelType),
                OptionalInt.empty());
    }

    private static SourceEncoder tensorFlow(Path index, Optional<JsonNode> config) {
        return new SourceEncoder(
                SourceFormat.TENSORFLOW,
                BertTensorNames.canonical(TensorBundle.read(index)),
                config.map(SourceEncoder::heads).orElse(OptionalInt.empty()),
                config.map(SourceEncoder::epsilon).orElse(GOOGLE_EPSILON),
                config.flatMap(SourceEncoder::modelType),
                OptionalInt.empty());
    }

    private static Optional<String> modelType(JsonNode config) {
        return Optional.of(config.path("model_type"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
    }

    /** A Longformer states a window for each layer; ours has one for all. */
    private static OptionalInt attentionWindow(JsonNode config) {
        JsonNode windows = config.path("attention_window");
        JsonNode window = windows.isArray() ? windows.path(0) : windows;
        return window.isInt() ? OptionalInt.of(window.intValue()) : OptionalInt.empty();
    }

    boolean isLongformer() {
        return modelType.filter(LONGFORMER::equals).isPresent();
    }

    StoredTensor tensor(String name) {
        return Objects.requireNonNull(tensors.get(name), name);
    }

    private static void check(JsonNode config, Path directory) {
        String model = config.path("model_type").asText("bert");
        require(
                MODEL_TYPES.contains(model),
                "model_type",
                model,
                "bert, roberta, xlm-roberta or longformer",
                directory);
        if (model.equals(LONGFORMER)) {
            checkWindows(config.path("attention_window"), directory);
        }
        String activation = config.path("hidden_act").asText("gelu");
        require(activation.equals("gelu"), "hidden_act", activation, "gelu", directory);
        String positions = config.path("position_embedding_type").asText("absolute");
        require(positions.equals("absolute"), "position_embedding_type", positions, "absolute", directory);
        JsonNode heads = config.path("num_attention_heads");
        require(
                heads.isMissingNode() || heads.isInt(),
                "num_attention_heads",
                heads.toString(),
                "as an integer",
                directory);
        JsonNode epsilon = config.path("layer_norm_eps");
        require(
                epsilon.isMissingNode() || epsilon.isNumber(),
                "layer_norm_eps",
                epsilon.toString(),
                "as a number",
                directory);
    }

    private static void checkWindows(JsonNode windows, Path directory) {
        JsonNode first = windows.isArray() ? windows.path(0) : windows;
        boolean equal = !windows.isArray() || windows.valueStream().allMatch(first::equals);
        require(
                equal && first.isInt() && first.intValue() >= 2 && first.intValue() % 2 == 0,
                "attention_window",
                windows.toString(),
                "as one even number for all layers",
                directory);
    }

    private static void require(boolean holds, String key, String found, String expected, Path directory) {
        if (!holds) {
            throw new UserError(
                    "Unsupported encoder: " + key + " is " + found,
                    directory.resolve("config.json").toString(),
                    "use a model with " + key + " " + expected);
        }
    }

    /** Drops a head that does not share the token embedding, which is not supported. */
    private static Map<String, StoredTensor> withTiedHead(Map<String, StoredTensor> tensors, JsonNode config) {
        if (!config.path("tie_word_embeddings").asBoolean(true)) {
            tensors.keySet().removeIf(name -> name.startsWith("cls.") || name.startsWith("lm_head."));
        }
        return tensors;
    }

    private static OptionalInt heads(JsonNode config) {
        JsonNode heads = config.path("num_attention_heads");
        return heads.isInt() ? OptionalInt.of(heads.asInt()) : OptionalInt.empty();
    }

    private static double epsilon(JsonNode config) {
        return config.path("layer_norm_eps").asDouble(GOOGLE_EPSILON);
    }
}
