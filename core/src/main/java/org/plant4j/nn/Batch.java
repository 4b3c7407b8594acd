package org.plant4j.nn;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.text.Vocabulary;

/**
 * Documents padded to one length, as tensors: {@code tokens} (B, T), {@code mask} (B, T) true where a token is real,
 * {@code lengths} the number of its real tokens for each document, and where known {@code targets} (B, L). Born and
 * freed inside the scope of one step or request.
 */
@SuppressWarnings("ArrayRecordComponent") // made for one step, never compared
public record Batch(Tensor tokens, Tensor mask, int[] lengths, Optional<Tensor> targets, boolean training) {

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
        int[] lengths = new int[rows];
        for (int row = 0; row < rows; row++) {
            int[] document = documents.get(row);
            lengths[row] = Math.max(document.length, 1);
            tokens[row * width] = Vocabulary.UNKNOWN;
            for (int t = 0; t < document.length; t++) {
                tokens[row * width + t] = document[t];
            }
        }
        Tensor ids = compute.place(Tensor.create(tokens, rows, width));
        Tensor mask = ids.ne(new Scalar(Vocabulary.PADDING));
        return new Batch(ids, mask, lengths, targets, training);
    }

    /** The flat position (B·T) of each token when every document is turned round in place; padding stays at the end. */
    Tensor reversal(Compute compute) {
        int width = (int) tokens.size(1);
        long[] positions = new long[lengths.length * width];
        for (int row = 0; row < lengths.length; row++) {
            for (int t = 0; t < width; t++) {
                int from = t < lengths[row] ? lengths[row] - 1 - t : t;
                positions[row * width + t] = (long) row * width + from;
            }
        }
        return compute.place(Tensor.create(positions));
    }

    boolean isPadded() {
        return IntStream.of(lengths).anyMatch(length -> length < tokens.size(1));
    }

    Packing packing(Compute compute) {
        return Packing.of(lengths, (int) tokens.size(1), compute);
    }
}
