package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Objective;

/**
 * A token stream split into {@code batchSize} columns of equal length, which are encoded in parallel, one window after the
 * other, for truncated backpropagation through time. The remainder of the stream is not used.
 */
@SuppressWarnings("ArrayRecordComponent") // lives for an epoch, never compared
record BpttBatches(int[] stream, int batchSize, int columnLength) {

    private static final double HALF_PROBABILITY = 0.05;
    private static final double STANDARD_DEVIATION = 5;
    private static final int SHORTEST = 5;
    private static final int LONGEST_EXCESS = 20; // over bptt, to bound memory

    /** {@code length} tokens from {@code start} on, of {@code columns} columns from {@code firstColumn} on. */
    record Window(int start, int length, int firstColumn, int columns) {

        /** The columns of one process; empty if there are fewer columns than processes. */
        Optional<Window> share(int rank, int size) {
            int first = Objective.Share.start(columns, rank, size);
            int count = Objective.Share.start(columns, rank + 1, size) - first;
            return count == 0 ? Optional.empty() : Optional.of(new Window(start, length, firstColumn + first, count));
        }
    }

    /** At most {@code maxColumns} columns; fewer if they would be shorter than a window. */
    static BpttBatches of(int[] stream, int maxColumns, int bptt) {
        int inputs = stream.length - 1; // the last token is only a target
        int count = Math.max(1, Math.min(maxColumns, inputs / bptt));
        return new BpttBatches(stream, count, inputs / count);
    }

    /** A window of all columns. */
    Window window(int start, int length) {
        return new Window(start, length, 0, batchSize);
    }

    List<Window> windows(int bptt) {
        List<Window> windows = new ArrayList<>();
        for (int start = 0; start < columnLength; start += bptt) {
            windows.add(window(start, Math.min(bptt, columnLength - start)));
        }
        return windows;
    }

    /**
     * Windows of random length around {@code bptt}, sometimes around half of it, so that window borders vary between epochs
     * (Merity, Keskar, Socher 2018, section 5).
     */
    List<Window> windows(int bptt, Random random) {
        int shortest = Math.min(SHORTEST, bptt);
        List<Window> windows = new ArrayList<>();
        int start = 0;
        while (start < columnLength) {
            double mean = random.nextDouble() < HALF_PROBABILITY ? bptt / 2.0 : bptt;
            int drawn = (int) Math.round(mean + STANDARD_DEVIATION * random.nextGaussian());
            int length = Math.max(shortest, Math.min(drawn, bptt + LONGEST_EXCESS));
            int left = columnLength - start;
            windows.add(window(start, left - length < shortest ? left : length));
            start += windows.get(windows.size() - 1).length();
        }
        return windows;
    }

    /** Input tokens (B, T). */
    Tensor inputs(Window window, Compute compute) {
        return compute.toDevice(Tensor.create(ids(window, 0), window.columns(), window.length()));
    }

    /** The token after each input token: (B · T). */
    Tensor targets(Window window, Compute compute) {
        return compute.toDevice(Tensor.create(ids(window, 1)));
    }

    /** Number of targets other than padding. */
    int targetCount(Window window) {
        int targets = 0;
        for (long id : ids(window, 1)) {
            targets += id == Vocabulary.PADDING ? 0 : 1;
        }
        return targets;
    }

    private long[] ids(Window window, int ahead) {
        long[] ids = new long[window.columns() * window.length()];
        for (int column = 0; column < window.columns(); column++) {
            int from = (window.firstColumn() + column) * columnLength + window.start() + ahead;
            for (int i = 0; i < window.length(); i++) {
                ids[column * window.length() + i] = stream[from + i];
            }
        }
        return ids;
    }
}
