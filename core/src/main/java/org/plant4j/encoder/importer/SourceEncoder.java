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
import java.util.stream.Stream;
import org.plant4j.support.UserError;

/**
 * A published encoder as its folder holds it: tensors under our names, and what their shapes do not tell. Hugging Face's
 * files, an ONNX graph and TensorFlow's variables are known. {@code model} is the kind of model that its config names.
 */
public record SourceEncoder(
        SourceFormat format,
        Map<String, StoredTensor> tensors,
        OptionalInt heads,
        double epsilon,
        Optional<String> modelType) {

    public enum SourceFormat {
        HUGGING_FACE("Hugging Face"),
        ONNX("ONNX"),
        TENSORFLOW("TensorFlow");

        private final String text;

        SourceFormat(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final Set<String> MODELS = Set.of("bert", "roberta", "xlm-roberta", "camembert");
    private static final double GOOGLES_EPSILON = 1e-12;

    static SourceEncoder open(ModelArchive source) {
        Path folder = source.directory();
        List<Path> safetensors = source.weights(".safetensors");
        List<Path> onnx = source.weights(".onnx");
        List<Path> indices = source.weights(".index");
        Optional<JsonNode> config = Stream.of("config.json", "bert_config.json")
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst()
                .map(TokenizerConverter::json);
        config.ifPresent(json -> check(json, folder));
        Optional<String> model = config.map(json -> json.path("model_type"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
        if (!safetensors.isEmpty()) {
            JsonNode json = config.orElseThrow(() -> new UserError(
                    "There is no config.json beside the weights", folder.toString(), "take it from the same model"));
            Map<String, StoredTensor> tensors = new TreeMap<>(); // of all files: large models come in several
            safetensors.forEach(file -> tensors.putAll(SafetensorsFile.read(file)));
            return new SourceEncoder(
                    SourceFormat.HUGGING_FACE,
                    BertTensorNames.canonical(tied(tensors, json)),
                    heads(json),
                    epsilon(json),
                    model);
        }
        if (!onnx.isEmpty()) {
            OnnxModel graph = OnnxModel.read(onnx.get(0));
            Map<String, StoredTensor> tensors = BertTensorNames.canonical(graph.tensors());
            StoredTensor words = tensors.get(BertTensorNames.TOKEN_EMBEDDING);
            return new SourceEncoder(
                    SourceFormat.ONNX,
                    tensors,
                    config.map(SourceEncoder::heads)
                            .orElseGet(() -> words == null
                                    ? OptionalInt.empty()
                                    : graph.heads(words.shape().get(1))),
                    config.map(SourceEncoder::epsilon)
                            .orElseGet(() -> graph.epsilon().orElse(GOOGLES_EPSILON)),
                    model);
        }
        if (!indices.isEmpty()) {
            return new SourceEncoder(
                    SourceFormat.TENSORFLOW,
                    BertTensorNames.canonical(TensorBundle.read(indices.get(0))),
                    config.map(SourceEncoder::heads).orElse(OptionalInt.empty()),
                    config.map(SourceEncoder::epsilon).orElse(GOOGLES_EPSILON),
                    model);
        }
        throw new UserError(
                "There is no encoder here",
                folder.toString(),
                source.find(".bin").isEmpty()
                        ? "name a folder with config.json and model.safetensors, an .onnx file, or a jar with either or with a TensorFlow SavedModel"
                        : "convert pytorch_model.bin to model.safetensors first: only Python reads pickled weights");
    }

    StoredTensor tensor(String name) {
        return Objects.requireNonNull(tensors.get(name), name);
    }

    private static void check(JsonNode config, Path folder) {
        String model = config.path("model_type").asText("bert");
        require(MODELS.contains(model), "model_type", model, "bert, roberta or xlm-roberta", folder);
        String activation = config.path("hidden_act").asText("gelu");
        require(activation.equals("gelu"), "hidden_act", activation, "gelu", folder);
        String positions = config.path("position_embedding_type").asText("absolute");
        require(positions.equals("absolute"), "position_embedding_type", positions, "absolute", folder);
    }

    private static void require(boolean holds, String key, String found, String expected, Path folder) {
        if (!holds) {
            throw new UserError(
                    "The encoder is of a kind that is not known here: " + key + " is " + found,
                    folder.resolve("config.json").toString(),
                    "take a model with " + key + " " + expected);
        }
    }

    /** A head with a word matrix of its own is not ours. */
    private static Map<String, StoredTensor> tied(Map<String, StoredTensor> tensors, JsonNode config) {
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
        return config.path("layer_norm_eps").asDouble(GOOGLES_EPSILON);
    }
}
