package org.plant4j.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.text.Vocabulary;

/**
 * A padded batch of documents or of one segment of each. Its tensors belong to the scope of one step or request.
 *
 * @param tokens token ids (B, T)
 * @param mask (B, T), true for real tokens
 * @param ids the token ids as a Java array, for lookups in Java
 * @param lengths number of real tokens of each document
 * @param training whether this is a training pass, with dropout
 */
@SuppressWarnings("ArrayRecordComponent") // lives for one step, never compared
public record Batch(Tensor tokens, Tensor mask, long[] ids, int[] lengths, boolean training) {

    /** A batch of whole documents for prediction. */
    public static Batch of(List<int[]> documents, Compute compute) {
        return of(documents.stream().map(Batch::nonEmpty).toList(), compute, false);
    }

    /** A batch of whole documents for training. */
    public static Batch forTraining(List<int[]> documents, Compute compute) {
        return of(documents.stream().map(Batch::nonEmpty).toList(), compute, true);
    }

    /** Replaces an empty document by one unknown token, since a softmax over no tokens is undefined. */
    static int[] nonEmpty(int[] document) {
        return document.length == 0 ? new int[] {Vocabulary.UNKNOWN} : document;
    }

    /** A batch of these rows; a row is empty if its document starts in a later segment. */
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

    /** One document of this batch with its padding. */
    public Batch row(int row) {
        return new Batch(
                tokens.narrow(0, row, 1),
                mask.narrow(0, row, 1),
                Arrays.copyOfRange(ids, row * width(), (row + 1) * width()),
                new int[] {lengths[row]},
                training);
    }

    /** One document of this batch, which has tokens in it, without its padding. */
    public Batch document(int row) {
        int length = lengths[row];
        return new Batch(
                tokens.narrow(0, row, 1).narrow(1, 0, length),
                mask.narrow(0, row, 1).narrow(1, 0, length),
                Arrays.copyOfRange(ids, row * width(), row * width() + length),
                new int[] {length},
                training);
    }

    /** The token ids of each document without padding. */
    public List<int[]> documents() {
        int width = width();
        return IntStream.range(0, lengths.length)
                .mapToObj(row -> Arrays.stream(ids, row * width, row * width + lengths[row])
                        .mapToInt(Math::toIntExact)
                        .toArray())
                .toList();
    }

    /** Padded length T. */
    public int width() {
        return ids.length / lengths.length;
    }

    /** (B, 1): 1 for documents with tokens in this batch, 0 for others. */
    public Tensor presenceMask(Compute compute) {
        float[] present = new float[lengths.length];
        for (int row = 0; row < lengths.length; row++) {
            present[row] = lengths[row] > 0 ? 1 : 0;
        }
        return compute.toDevice(Tensor.create(present, lengths.length, 1));
    }

    /** Hidden states (B, T, H) with those of unknown tokens set to zero, so that they are evidence for no label. */
    public Tensor withoutUnknown(Tensor hiddenStates) {
        long[] unknown = unknownPositions();
        if (unknown.length == 0) {
            return hiddenStates;
        }
        if (hiddenStates.is_cuda()) { // the positions would have to be copied to the GPU
            return hiddenStates.masked_fill(
                    tokens.eq(new Scalar(Vocabulary.UNKNOWN)).unsqueeze(-1), new Scalar(0));
        }
        return hiddenStates
                .reshape(-1, hiddenStates.size(2))
                .index_fill(0, Tensor.create(unknown), new Scalar(0))
                .view(hiddenStates.shape());
    }

    /** The flat positions (B · T) of unknown tokens. */
    private long[] unknownPositions() {
        int count = 0;
        for (long id : ids) {
            count += id == Vocabulary.UNKNOWN ? 1 : 0;
        }
        long[] positions = new long[count];
        for (int i = 0, next = 0; next < count; i++) {
            if (ids[i] == Vocabulary.UNKNOWN) {
                positions[next++] = i;
            }
        }
        return positions;
    }

    /** Whether every document has tokens in this batch. */
    public boolean allPresent() {
        return IntStream.of(lengths).allMatch(length -> length > 0);
    }

    /** Flat source position (B · T) of each token if every document is reversed in place; padding stays at the end. */
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

    /** Whether any document is shorter than the batch. */
    public boolean isPadded() {
        return IntStream.of(lengths).anyMatch(length -> length < width());
    }

    public PackedSequence packedSequence(Compute compute) {
        return PackedSequence.of(lengths, width(), compute);
    }
}
