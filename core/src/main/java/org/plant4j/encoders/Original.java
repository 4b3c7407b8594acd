package org.plant4j.encoders;

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
import org.plant4j.UserError;

/**
 * A published encoder as its folder holds it: tensors under our names, and what their shapes do not tell. Hugging Face's
 * files, an ONNX graph and TensorFlow's variables are known. {@code model} is the kind of model that its config names.
 */
record Original(
        Kind kind, Map<String, StoredTensor> tensors, OptionalInt heads, double epsilon, Optional<String> model) {

    enum Kind {
        HUGGING_FACE("Hugging Face"),
        ONNX("ONNX"),
        TENSORFLOW("TensorFlow");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final Set<String> MODELS = Set.of("bert", "roberta", "xlm-roberta", "camembert");
    private static final double GOOGLES_EPSILON = 1e-12;

    static Original open(Unpacked source) {
        Path folder = source.folder();
        List<Path> safetensors = source.weights(".safetensors");
        List<Path> onnx = source.weights(".onnx");
        List<Path> indices = source.weights(".index");
        Optional<JsonNode> config = Stream.of("config.json", "bert_config.json")
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst()
                .map(TokenizerMaker::json);
        config.ifPresent(json -> check(json, folder));
        Optional<String> model = config.map(json -> json.path("model_type"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
        if (!safetensors.isEmpty()) {
            JsonNode json = config.orElseThrow(() -> new UserError(
                    "There is no config.json beside the weights", folder.toString(), "take it from the same model"));
            Map<String, StoredTensor> tensors = new TreeMap<>(); // of all files: large models come in several
            safetensors.forEach(file -> tensors.putAll(Safetensors.read(file)));
            return new Original(
                    Kind.HUGGING_FACE, TensorNames.ours(tied(tensors, json)), heads(json), epsilon(json), model);
        }
        if (!onnx.isEmpty()) {
            OnnxModel graph = OnnxModel.read(onnx.get(0));
            Map<String, StoredTensor> tensors = TensorNames.ours(graph.tensors());
            StoredTensor words = tensors.get(TensorNames.WORDS);
            return new Original(
                    Kind.ONNX,
                    tensors,
                    config.map(Original::heads)
                            .orElseGet(() -> words == null
                                    ? OptionalInt.empty()
                                    : graph.heads(words.shape().get(1))),
                    config.map(Original::epsilon)
                            .orElseGet(() -> graph.epsilon().orElse(GOOGLES_EPSILON)),
                    model);
        }
        if (!indices.isEmpty()) {
            return new Original(
                    Kind.TENSORFLOW,
                    TensorNames.ours(TensorBundle.read(indices.get(0))),
                    config.map(Original::heads).orElse(OptionalInt.empty()),
                    config.map(Original::epsilon).orElse(GOOGLES_EPSILON),
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
