package org.plant4j.encoder.importer;

import java.util.List;
import java.util.Map;
import org.plant4j.UserError;

/** The sizes of an encoder, derived from the shapes of its tensors, which have been checked to agree. */
record BertSizes(int layers, int hidden, int intermediate, int positions, int types, int vocabularySize) {

    /** Derives the sizes; {@code source} is named in errors. */
    static BertSizes of(Map<String, StoredTensor> tensors, String source) {
        int layers = BertTensorNames.layerCount(tensors.keySet());
        if (layers == 0) {
            throw unsupported("it has no layers", source);
        }
        List<String> needed = BertTensorNames.encoderTensors(layers);
        for (String name : needed) {
            if (!tensors.containsKey(name)) {
                throw unsupported("it lacks " + name, source);
            }
        }
        List<Integer> embedding = shape(tensors, BertTensorNames.TOKEN_EMBEDDING, 2, source);
        BertSizes sizes = new BertSizes(
                layers,
                embedding.get(1),
                shape(tensors, "encoder.layer.0.intermediate.dense.bias", 1, source)
                        .get(0),
                shape(tensors, BertTensorNames.POSITION_EMBEDDING, 2, source).get(0),
                shape(tensors, BertTensorNames.TOKEN_TYPE_EMBEDDING, 2, source).get(0),
                embedding.get(0));
        needed.forEach(name -> sizes.requireShape(tensors, name, source));
        for (List<String> group :
                List.of(BertTensorNames.HEAD, BertTensorNames.POOLER, BertTensorNames.globalAttentionTensors(layers))) {
            if (tensors.keySet().containsAll(group)) {
                group.forEach(name -> sizes.requireShape(tensors, name, source));
            }
        }
        return sizes;
    }

    private static List<Integer> shape(Map<String, StoredTensor> tensors, String name, int dimensions, String source) {
        StoredTensor tensor = tensors.get(name);
        if (tensor == null || tensor.shape().size() != dimensions) {
            throw unsupported("it lacks " + name, source);
        }
        return tensor.shape();
    }

    private void requireShape(Map<String, StoredTensor> tensors, String name, String source) {
        List<Integer> expected = expected(name);
        List<Integer> found = shape(tensors, name, expected.size(), source);
        if (!found.equals(expected)) {
            throw unsupported(name + " has shape " + found + ", expected " + expected, source);
        }
    }

    private List<Integer> expected(String name) {
        return switch (name) {
            case BertTensorNames.TOKEN_EMBEDDING -> List.of(vocabularySize, hidden);
            case BertTensorNames.POSITION_EMBEDDING -> List.of(positions, hidden);
            case BertTensorNames.TOKEN_TYPE_EMBEDDING -> List.of(types, hidden);
            case BertTensorNames.HEAD_BIAS -> List.of(vocabularySize);
            default -> {
                boolean inner = name.contains(".intermediate.");
                if (name.endsWith(".bias") || name.contains("LayerNorm")) {
                    yield List.of(inner ? intermediate : hidden);
                }
                boolean outer = name.contains(".output.dense.") && !name.contains(".attention.");
                yield List.of(inner ? intermediate : hidden, outer ? intermediate : hidden);
            }
        };
    }

    private static UserError unsupported(String why, String source) {
        return new UserError(
                "Not a BERT, RoBERTa, XLM-R or Longformer encoder: " + why,
                source,
                "import such a model as originally exported, neither optimized nor quantized");
    }
}
