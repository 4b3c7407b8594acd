package org.plant4j.nn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.text.Vocabulary;

/**
 * Documents padded to one length, as tensors: {@code tokens} (B, T), {@code mask} (B, T) true where a token is real,
 * {@code lengths} the number of its real tokens for each document, and where known {@code targets} (B, L). {@code ids}
 * are the tokens once more as a Java array, for what is looked up on this side. Born and freed inside the scope of one
 * step or request.
 */
@SuppressWarnings("ArrayRecordComponent") // made for one step, never compared
public record Batch(Tensor tokens, Tensor mask, long[] ids, int[] lengths, Optional<Tensor> targets, boolean training) {

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
        return of(tokens, lengths, targets, compute, training);
    }

    private static Batch of(long[] ids, int[] lengths, Optional<Tensor> targets, Compute compute, boolean training) {
        Tensor tokens = compute.place(Tensor.create(ids, lengths.length, ids.length / lengths.length));
        Tensor mask = tokens.ne(new Scalar(Vocabulary.PADDING));
        return new Batch(tokens, mask, ids, lengths, targets, training);
    }

    /** How many tokens a row has room for. */
    public int width() {
        return ids.length / lengths.length;
    }

    /**
     * The documents cut into segments of at most {@code length} tokens. They end together: a shorter document begins in a
     * later segment, and has no token in those before.
     */
    public List<Batch> segments(int length, Compute compute) {
        if (width() <= length) {
            return List.of(this);
        }
        int count = (width() + length - 1) / length;
        List<Batch> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] starts = new int[lengths.length];
            int[] sizes = new int[lengths.length];
            for (int row = 0; row < lengths.length; row++) {
                int late = count - (lengths[row] + length - 1) / length;
                starts[row] = (i - late) * length;
                sizes[row] = i < late ? 0 : Math.min(length, lengths[row] - starts[row]);
            }
            segments.add(segment(starts, sizes, compute));
        }
        return segments;
    }

    private Batch segment(int[] starts, int[] sizes, Compute compute) {
        int longest = Arrays.stream(sizes).max().orElseThrow();
        long[] cut = new long[sizes.length * longest];
        for (int row = 0; row < sizes.length; row++) {
            if (sizes[row] > 0) {
                System.arraycopy(ids, row * width() + starts[row], cut, row * longest, sizes[row]);
            }
        }
        return of(cut, sizes, Optional.empty(), compute, training);
    }

    /** (B, 1): 1 for a document that has a token here, 0 for one that has none. */
    public Tensor present(Compute compute) {
        float[] present = new float[lengths.length];
        for (int row = 0; row < lengths.length; row++) {
            present[row] = lengths[row] > 0 ? 1 : 0;
        }
        return compute.place(Tensor.create(present, lengths.length, 1));
    }

    /** Whether every document has a token here. */
    public boolean allPresent() {
        return IntStream.of(lengths).allMatch(length -> length > 0);
    }

    /** The flat position (B·T) of each token when every document is turned round in place; padding stays at the end. */
    Tensor reversal(Compute compute) {
        int width = width();
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
        return IntStream.of(lengths).anyMatch(length -> length < width());
    }

    Packing packing(Compute compute) {
        return Packing.of(lengths, width(), compute);
    }
}
