package org.plant4j.encoder.importer;

import java.util.List;
import java.util.Map;
import org.plant4j.support.UserError;

/** The sizes of an encoder as its tensors show them; all tensors have been found to agree. */
public record BertSizes(int layers, int hidden, int intermediate, int positions, int types, int vocabularySize) {

    /** {@code where} names the source in an error. */
    static BertSizes of(Map<String, StoredTensor> tensors, String where) {
        int layers = BertTensorNames.layerCount(tensors.keySet());
        if (layers == 0) {
            throw unknown("has no layers", where);
        }
        List<String> needed = BertTensorNames.encoderTensors(layers);
        for (String name : needed) {
            if (!tensors.containsKey(name)) {
                throw unknown("lacks " + name, where);
            }
        }
        List<Integer> words = shape(tensors, BertTensorNames.TOKEN_EMBEDDING, 2, where);
        BertSizes sizes = new BertSizes(
                layers,
                words.get(1),
                shape(tensors, "encoder.layer.0.intermediate.dense.bias", 1, where)
                        .get(0),
                shape(tensors, BertTensorNames.POSITION_EMBEDDING, 2, where).get(0),
                shape(tensors, BertTensorNames.TOKEN_TYPE_EMBEDDING, 2, where).get(0),
                words.get(0));
        needed.forEach(name -> sizes.requireShape(tensors, name, where));
        for (List<String> part : List.of(BertTensorNames.HEAD, BertTensorNames.POOLER)) {
            if (tensors.keySet().containsAll(part)) {
                part.forEach(name -> sizes.requireShape(tensors, name, where));
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

    private void requireShape(Map<String, StoredTensor> tensors, String name, String where) {
        List<Integer> expected = expected(name);
        List<Integer> found = shape(tensors, name, expected.size(), where);
        if (!found.equals(expected)) {
            throw unknown("has " + name + " of " + found + ", expected " + expected, where);
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

    private static UserError unknown(String how, String where) {
        return new UserError(
                "This is not an encoder of BERT's, RoBERTa's or XLM-R's kind: it " + how,
                where,
                "take such a model, as it was exported: not optimized, not quantized");
    }
}
