package org.plant4j.layer;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;

/**
 * Overlapping windows of long documents, which an LSTM reads side by side. An LSTM computes its steps one after the other, and
 * for a single document each step reads all weights for one row; several windows share this work. A window starts with
 * {@link #WARM_UP} tokens of the window before it, whose states are discarded: an LSTM forgets, so that after them its state is
 * nearly that of the whole document.
 *
 * <p>How a document is divided depends on its own length only, so that its hidden states do not depend on its batch.
 */
final class LstmWindows {

    /** Tokens of a window. */
    static final int MAX_LENGTH = 640;

    /** Tokens at the start of a window whose states are discarded, except in the first window of a document. */
    static final int WARM_UP = 64;

    private final long windows;
    private final long length; // of each window, with padding
    private final long[] sources; // of each token of the windows: its position in (B · T)
    private final long[] targets; // of each token of the batch: its position in the windows

    private LstmWindows(long windows, long length, long[] sources, long[] targets) {
        this.windows = windows;
        this.length = length;
        this.sources = sources;
        this.targets = targets;
    }

    /** The windows of documents of these lengths, padded to {@code width}; empty if none is longer than a window. */
    static Optional<LstmWindows> of(int[] lengths, int width) {
        return of(lengths, width, MAX_LENGTH, WARM_UP);
    }

    static Optional<LstmWindows> of(int[] lengths, int width, int maxLength, int warmUp) {
        List<Division> divisions = Arrays.stream(lengths)
                .mapToObj(tokens -> Division.of(tokens, maxLength, warmUp))
                .toList();
        if (divisions.stream().allMatch(division -> division.count == 1)) {
            return Optional.empty();
        }
        int windows = divisions.stream().mapToInt(Division::count).sum();
        int length = divisions.stream().mapToInt(Division::length).max().orElseThrow();
        long[] sources = new long[windows * length];
        long[] targets = new long[lengths.length * width];
        int first = 0; // window of the document
        for (int row = 0; row < lengths.length; row++) {
            Division division = divisions.get(row);
            for (int window = 0; window < division.count; window++) {
                int start = window * division.stride;
                int tokens = Math.min(division.length, lengths[row] - start);
                for (int i = 0; i < tokens; i++) {
                    sources[(first + window) * length + i] = (long) row * width + start + i;
                }
            }
            for (int token = 0; token < lengths[row]; token++) {
                int window = Math.max(0, token - warmUp) / division.stride;
                int offset = token - window * division.stride;
                targets[row * width + token] = (long) (first + window) * length + offset;
            }
            first += division.count;
        }
        return Optional.of(new LstmWindows(windows, length, sources, targets));
    }

    /**
     * How a document is divided.
     *
     * @param count number of windows
     * @param stride tokens from the start of a window to that of the next
     * @param length tokens of a window; the last may have fewer
     */
    private record Division(int count, int stride, int length) {

        static Division of(int tokens, int maxLength, int warmUp) {
            if (tokens <= maxLength) {
                return new Division(1, Math.max(1, tokens), tokens);
            }
            int count = divideUp(tokens - warmUp, maxLength - warmUp);
            int stride = divideUp(tokens - warmUp, count);
            return new Division(count, stride, stride + warmUp);
        }

        private static int divideUp(int value, int divisor) {
            return (value + divisor - 1) / divisor;
        }
    }

    /** Hidden states (B, T, H) of a unidirectional LSTM that reads the inputs (B, T, F) in windows. */
    Tensor apply(Tensor x, UnaryOperator<Tensor> lstm) {
        Tensor windowed =
                x.reshape(-1, x.size(2)).index_select(0, Tensor.create(sources)).view(windows, length, x.size(2));
        Tensor states = lstm.apply(windowed);
        return states.reshape(-1, states.size(2))
                .index_select(0, Tensor.create(targets))
                .view(x.size(0), x.size(1), states.size(2));
    }
}
