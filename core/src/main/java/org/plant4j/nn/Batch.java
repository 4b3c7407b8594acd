package org.plant4j.nn;

import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.text.Vocabulary;

/**
 * Documents padded to one length, as tensors: {@code tokens} (B, T), {@code mask} (B, T) true where a token is real,
 * {@code reversal} (B·T) the flat position of each token when every document is turned round in place, and where known
 * {@code targets} (B, L). Born and freed inside the scope of one step or request.
 */
public record Batch(Tensor tokens, Tensor mask, Tensor reversal, Optional<Tensor> targets, boolean training) {

    /** For prediction. */
    public static Batch of(List<int[]> documents, Compute compute) {
        return of(documents, Optional.empty(), compute, false);
    }

    /** For training; labels beyond the model's are codes that training never saw, and cannot be learned. */
    public static Batch of(List<int[]> documents, List<int[]> labels, int labelCount, Compute compute) {
        float[] targets = new float[documents.size() * labelCount];
        for (int row = 0; row < labels.size(); row++) {
            for (int label : labels.get(row)) {
                if (label < labelCount) {
                    targets[row * labelCount + label] = 1;
                }
            }
        }
        Tensor tensor = compute.place(Tensor.create(targets, documents.size(), labelCount));
        return of(documents, Optional.of(tensor), compute, true);
    }

    private static Batch of(List<int[]> documents, Optional<Tensor> targets, Compute compute, boolean training) {
        int rows = documents.size();
        // A document without a word is read as one unknown word: a softmax over nothing has no value.
        int width = documents.stream().mapToInt(d -> d.length).max().orElse(0);
        width = Math.max(width, 1);
        long[] tokens = new long[rows * width];
        long[] reversal = new long[rows * width];
        for (int row = 0; row < rows; row++) {
            int[] document = documents.get(row);
            int length = Math.max(document.length, 1);
            int start = row * width;
            for (int t = 0; t < width; t++) {
                if (t < length) {
                    tokens[start + t] = document.length == 0 ? Vocabulary.UNKNOWN : document[t];
                }
                int from = t < length ? length - 1 - t : t;
                reversal[start + t] = (long) start + from;
            }
        }
        Tensor ids = compute.place(Tensor.create(tokens, rows, width));
        Tensor mask = ids.ne(new Scalar(Vocabulary.PADDING));
        return new Batch(ids, mask, compute.place(Tensor.create(reversal)), targets, training);
    }

    /** Turns each document of (B, T, H) round in place; padding stays at the end. Its own inverse. */
    Tensor reverse(Tensor states) {
        long rows = states.size(0);
        long width = states.size(1);
        long features = states.size(2);
        return states.reshape(rows * width, features).index_select(0, reversal).view(rows, width, features);
    }
}
