package org.plant4j.encoders;

import java.util.List;
import java.util.Map;
import org.plant4j.UserError;

/** The sizes of an encoder as its tensors show them; all tensors have been found to agree. */
record BertSizes(int layers, int hidden, int intermediate, int positions, int types, int rows) {

    /** {@code where} names the source in an error. */
    static BertSizes of(Map<String, StoredTensor> tensors, String where) {
        int layers = TensorNames.layers(tensors.keySet());
        if (layers == 0) {
            throw unknown("has no layers", where);
        }
        List<String> needed = TensorNames.encoder(layers);
        for (String name : needed) {
            if (!tensors.containsKey(name)) {
                throw unknown("lacks " + name, where);
            }
        }
        List<Integer> words = shape(tensors, TensorNames.WORDS, 2, where);
        BertSizes sizes = new BertSizes(
                layers,
                words.get(1),
                shape(tensors, "encoder.layer.0.intermediate.dense.bias", 1, where)
                        .get(0),
                shape(tensors, TensorNames.POSITIONS, 2, where).get(0),
                shape(tensors, TensorNames.TYPES, 2, where).get(0),
                words.get(0));
        needed.forEach(name -> sizes.agree(tensors, name, where));
        for (List<String> part : List.of(TensorNames.HEAD, TensorNames.POOLER)) {
            if (tensors.keySet().containsAll(part)) {
                part.forEach(name -> sizes.agree(tensors, name, where));
            }
        }
        return sizes;
    }

    private static List<Integer> shape(Map<String, StoredTensor> tensors, String name, int sides, String where) {
        StoredTensor tensor = tensors.get(name);
        if (tensor == null || tensor.shape().size() != sides) {
            throw unknown("lacks " + name, where);
        }
        return tensor.shape();
    }

    private void agree(Map<String, StoredTensor> tensors, String name, String where) {
        List<Integer> expected = expected(name);
        List<Integer> found = shape(tensors, name, expected.size(), where);
        if (!found.equals(expected)) {
            throw unknown("has " + name + " of " + found + ", expected " + expected, where);
        }
    }

    private List<Integer> expected(String name) {
        return switch (name) {
            case TensorNames.WORDS -> List.of(rows, hidden);
            case TensorNames.POSITIONS -> List.of(positions, hidden);
            case TensorNames.TYPES -> List.of(types, hidden);
            case TensorNames.HEAD_BIAS -> List.of(rows);
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

    private static UserError unknown(String how, String where) {
        return new UserError(
                "This is not an encoder of BERT's, RoBERTa's or XLM-R's kind: it " + how,
                where,
                "take such a model, as it was exported: not optimized, not quantized");
    }
}
