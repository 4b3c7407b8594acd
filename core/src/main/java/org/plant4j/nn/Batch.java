package org.plant4j.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
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

    /**
     * The documents cut into segments of at most {@code length} tokens. They end together: a shorter document begins in a
     * later segment, and has no token in those before.
     */
    public List<Batch> segments(int length, Compute compute) {
        int width = (int) tokens.size(1);
        if (width <= length) {
            return List.of(this);
        }
        int count = (width + length - 1) / length;
        int rows = lengths.length;
        long[] from = new long[rows * count * length];
        int[][] sizes = new int[count][rows];
        for (int row = 0; row < rows; row++) {
            int late = count - (lengths[row] + length - 1) / length;
            for (int i = 0; i < count * length; i++) {
                int t = i - late * length;
                boolean real = t >= 0 && t < lengths[row];
                from[row * count * length + i] = real ? t : width; // the column of padding that is added below
                sizes[i / length][row] += real ? 1 : 0;
            }
        }
        Tensor padding = torch.full(new long[] {rows, 1}, new Scalar(Vocabulary.PADDING), tokens.options());
        Tensor laid = torch.cat(new TensorVector(tokens, padding), 1)
                .gather(1, compute.place(Tensor.create(from, rows, (long) count * length)));
        List<Batch> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int longest = IntStream.of(sizes[i]).max().orElseThrow();
            Tensor ids = laid.narrow(1, (long) i * length, longest);
            segments.add(new Batch(ids, ids.ne(new Scalar(Vocabulary.PADDING)), sizes[i], Optional.empty(), training));
        }
        return segments;
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
