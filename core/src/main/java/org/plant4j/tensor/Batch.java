package org.plant4j.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.text.Vocabulary;

/**
 * Documents, or a segment of each, padded to one length, as tensors: {@code tokens} (B, T), {@code mask} (B, T) true where
 * a token is real, and {@code lengths} the number of its real tokens for each document. {@code ids} are the tokens once
 * more as a Java array, for what is looked up on this side. Born and freed inside the scope of one step or request.
 */
@SuppressWarnings("ArrayRecordComponent") // made for one step, never compared
public record Batch(Tensor tokens, Tensor mask, long[] ids, int[] lengths, boolean training) {

    /** Whole documents for prediction. */
    public static Batch of(List<int[]> documents, Compute compute) {
        return of(documents.stream().map(Batch::nonEmpty).toList(), compute, false);
    }

    /** Whole documents for training. */
    public static Batch forTraining(List<int[]> documents, Compute compute) {
        return of(documents.stream().map(Batch::nonEmpty).toList(), compute, true);
    }

    /** A document without a word is read as one unknown word: a softmax over nothing has no value. */
    static int[] nonEmpty(int[] document) {
        return document.length == 0 ? new int[] {Vocabulary.UNKNOWN} : document;
    }

    /** A row may be empty: a document that has not begun. */
    public static Batch of(List<int[]> rows, Compute compute, boolean training) {
        int[] lengths = rows.stream().mapToInt(row -> row.length).toArray();
        int width = Arrays.stream(lengths).max().orElse(0);
        long[] ids = new long[lengths.length * width];
        for (int row = 0; row < lengths.length; row++) {
            for (int t = 0; t < lengths[row]; t++) {
                ids[row * width + t] = rows.get(row)[t];
            }
        }
        Tensor tokens = compute.toDevice(Tensor.create(ids, lengths.length, width));
        return new Batch(tokens, tokens.ne(new Scalar(Vocabulary.PADDING)), ids, lengths, training);
    }

    /** How many tokens a row has room for. */
    public int width() {
        return ids.length / lengths.length;
    }

    /** (B, 1): 1 for a document that has a token here, 0 for one that has none. */
    public Tensor presenceMask(Compute compute) {
        float[] present = new float[lengths.length];
        for (int row = 0; row < lengths.length; row++) {
            present[row] = lengths[row] > 0 ? 1 : 0;
        }
        return compute.toDevice(Tensor.create(present, lengths.length, 1));
    }

    /** Whether every document has a token here. */
    public boolean allPresent() {
        return IntStream.of(lengths).allMatch(length -> length > 0);
    }

    /** The flat position (B·T) of each token when every document is turned round in place; padding stays at the end. */
    public Tensor reversalIndex(Compute compute) {
        int width = width();
        long[] positions = new long[lengths.length * width];
        for (int row = 0; row < lengths.length; row++) {
            for (int t = 0; t < width; t++) {
                int from = t < lengths[row] ? lengths[row] - 1 - t : t;
                positions[row * width + t] = (long) row * width + from;
            }
        }
        return compute.toDevice(Tensor.create(positions));
    }

    /** A copy with the function applied to both tensors. */
    public Batch map(UnaryOperator<Tensor> function) {
        return new Batch(function.apply(tokens), function.apply(mask), ids, lengths, training);
    }

    public boolean isPadded() {
        return IntStream.of(lengths).anyMatch(length -> length < width());
    }

    public PackedSequence packedSequence(Compute compute) {
        return PackedSequence.of(lengths, width(), compute);
    }
}
