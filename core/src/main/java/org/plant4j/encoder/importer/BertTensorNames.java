package org.plant4j.encoder.importer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tensor names of BERT: ours are those of Hugging Face's {@code BertModel}; names of other sources are mapped to them. */
final class BertTensorNames {

    static final String TOKEN_EMBEDDING = "embeddings.word_embeddings.weight";
    static final String POSITION_EMBEDDING = "embeddings.position_embeddings.weight";
    static final String TOKEN_TYPE_EMBEDDING = "embeddings.token_type_embeddings.weight";
    static final String HEAD_BIAS = "cls.predictions.bias";

    /** The masked language model head, without the token embedding that it shares. */
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

    private static final List<String> GLOBAL_ATTENTION =
            List.of("attention.self.query_global", "attention.self.key_global", "attention.self.value_global");

    /** The canonical name after the prefix of a model or module that contains the encoder. */
    private static final Pattern CANONICAL = Pattern.compile(
            "(?:.*?\\.)??((?:embeddings|encoder\\.layer|pooler\\.dense|cls\\.predictions|lm_head)\\..+)");

    private static final Pattern NUMBER = Pattern.compile("encoder\\.layer\\.(\\d+)\\..*");

    private BertTensorNames() {}

    /** The tensors with a canonical name, under that name; TensorFlow kernels are transposed to (out, in). */
    static Map<String, StoredTensor> canonical(Map<String, StoredTensor> tensors) {
        Map<String, StoredTensor> canonical = new TreeMap<>();
        tensors.forEach((name, tensor) -> {
            boolean isKernel = name.endsWith("/kernel") && tensor.shape().size() == 2;
            canonical(name).ifPresent(newName -> canonical.put(newName, isKernel ? tensor.transpose() : tensor));
        });
        // Newer checkpoints store the bias of the head twice, or only as that of the decoder.
        Optional.ofNullable(canonical.remove("cls.predictions.decoder.bias"))
                .ifPresent(bias -> canonical.putIfAbsent(HEAD_BIAS, bias));
        return canonical;
    }

    private static Optional<String> canonical(String name) {
        Matcher matcher = CANONICAL.matcher(pytorch(name));
        return matcher.matches() ? Optional.of(canonicalHead(matcher.group(1))) : Optional.empty();
    }

    /** Maps TensorFlow names to PyTorch names, and old names of layer norm parameters to new ones. */
    private static String pytorch(String name) {
        return name.replace('/', '.')
                .replaceAll("\\blayer_(\\d+)\\b", "layer.$1")
                .replaceAll("(_embeddings)$", "$1.weight")
                .replaceAll("\\b(?:kernel|gamma)$", "weight")
                .replaceAll("\\bbeta$", "bias")
                .replaceAll("predictions\\.output_bias$", "predictions.bias");
    }

    /** Maps RoBERTa's names of the head to BERT's. */
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

    /** The tensors of an encoder with this many layers, in the order in which they are written. */
    static List<String> encoderTensors(int layers) {
        return Stream.concat(EMBEDDINGS.stream(), layerTensors(layers, LAYER)).toList();
    }

    /** The projections of Longformer's global attention. */
    static List<String> globalAttentionTensors(int layers) {
        return layerTensors(layers, GLOBAL_ATTENTION).toList();
    }

    private static Stream<String> layerTensors(int layers, List<String> modules) {
        return IntStream.range(0, layers)
                .boxed()
                .flatMap(layer -> modules.stream()
                        .flatMap(module -> Stream.of(".weight", ".bias")
                                .map(kind -> "encoder.layer." + layer + "." + module + kind)));
    }
}
