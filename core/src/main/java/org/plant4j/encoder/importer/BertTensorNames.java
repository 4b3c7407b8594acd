package org.plant4j.encoder.importer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What BERT's tensors are called: by us as Hugging Face calls those of a plain BertModel, elsewhere otherwise. */
final class BertTensorNames {

    static final String TOKEN_EMBEDDING = "embeddings.word_embeddings.weight";
    static final String POSITION_EMBEDDING = "embeddings.position_embeddings.weight";
    static final String TOKEN_TYPE_EMBEDDING = "embeddings.token_type_embeddings.weight";
    static final String HEAD_BIAS = "cls.predictions.bias";

    /** The masked-word head; its matrix of words is the word embedding. */
    static final List<String> HEAD = List.of(
            "cls.predictions.transform.dense.weight",
            "cls.predictions.transform.dense.bias",
            "cls.predictions.transform.LayerNorm.weight",
            "cls.predictions.transform.LayerNorm.bias",
            HEAD_BIAS);

    static final List<String> POOLER = List.of("pooler.dense.weight", "pooler.dense.bias");

    private static final List<String> EMBEDDINGS = List.of(
            TOKEN_EMBEDDING,
            POSITION_EMBEDDING,
            TOKEN_TYPE_EMBEDDING,
            "embeddings.LayerNorm.weight",
            "embeddings.LayerNorm.bias");

    private static final List<String> LAYER = List.of(
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
            "attention.output.LayerNorm",
            "intermediate.dense",
            "output.dense",
            "output.LayerNorm");

    /** Whatever model or module wraps the encoder stands before it. */
    private static final Pattern CANONICAL = Pattern.compile(
            "(?:.*?\\.)??((?:embeddings|encoder\\.layer|pooler\\.dense|cls\\.predictions|lm_head)\\..+)");

    private static final Pattern NUMBER = Pattern.compile("encoder\\.layer\\.(\\d+)\\..*");

    private BertTensorNames() {}

    /** Those that have a name of ours, under it; TensorFlow's kernels are turned to (out, in). */
    static Map<String, StoredTensor> canonical(Map<String, StoredTensor> named) {
        Map<String, StoredTensor> ours = new TreeMap<>();
        named.forEach((name, tensor) -> {
            boolean kernel = name.endsWith("/kernel") && tensor.shape().size() == 2;
            canonical(name).ifPresent(own -> ours.put(own, kernel ? tensor.transpose() : tensor));
        });
        // Newer checkpoints write the head's bias twice, or only with the decoder.
        Optional.ofNullable(ours.remove("cls.predictions.decoder.bias"))
                .ifPresent(bias -> ours.putIfAbsent(HEAD_BIAS, bias));
        return ours;
    }

    private static Optional<String> canonical(String name) {
        Matcher matcher = CANONICAL.matcher(pytorch(name));
        return matcher.matches() ? Optional.of(canonicalHead(matcher.group(1))) : Optional.empty();
    }

    /** TensorFlow's way of naming to PyTorch's, and the layer norm's older names to its newer ones. */
    private static String pytorch(String name) {
        return name.replace('/', '.')
                .replaceAll("\\blayer_(\\d+)\\b", "layer.$1")
                .replaceAll("(_embeddings)$", "$1.weight")
                .replaceAll("\\b(?:kernel|gamma)$", "weight")
                .replaceAll("\\bbeta$", "bias")
                .replaceAll("predictions\\.output_bias$", "predictions.bias");
    }

    /** RoBERTa's head is BERT's under other names. */
    private static String canonicalHead(String name) {
        return name.replaceAll("^lm_head\\.dense\\.", "cls.predictions.transform.dense.")
                .replaceAll("^lm_head\\.layer_norm\\.", "cls.predictions.transform.LayerNorm.")
                .replaceAll("^lm_head\\.", "cls.predictions.");
    }

    static int layerCount(Iterable<String> names) {
        int layers = 0;
        for (String name : names) {
            Matcher matcher = NUMBER.matcher(name);
            layers = matcher.matches() ? Math.max(layers, Integer.parseInt(matcher.group(1)) + 1) : layers;
        }
        return layers;
    }

    /** What every encoder of so many layers has, in the order in which we write it. */
    static List<String> encoderTensors(int layers) {
        return Stream.concat(
                        EMBEDDINGS.stream(),
                        IntStream.range(0, layers)
                                .boxed()
                                .flatMap(layer -> LAYER.stream()
                                        .flatMap(part -> Stream.of(".weight", ".bias")
                                                .map(kind -> "encoder.layer." + layer + "." + part + kind))))
                .toList();
    }
}
