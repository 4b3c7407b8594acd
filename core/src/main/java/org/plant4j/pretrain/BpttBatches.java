package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;

/**
 * A stream of tokens cut into columns of equal length that are read side by side, one window after the other. What is
 * left over at the end of the stream is not read.
 */
@SuppressWarnings("ArrayRecordComponent")
public // held for an epoch, never compared
record BpttBatches(int[] stream, int batchSize, int columnLength) {

    private static final double HALVED = 0.05;
    private static final double DEVIATION = 5;
    private static final int SHORTEST = 5;
    private static final int LONGEST_MORE = 20; // than bptt, so that memory stays bounded

    /** {@code length} tokens from {@code start} on, in every column. */
    public record Window(int start, int length) {}

    /** At most {@code most} columns; fewer where they would be shorter than a window. */
    static BpttBatches of(int[] stream, int most, int bptt) {
        int read = stream.length - 1; // the last token is only predicted
        int count = Math.max(1, Math.min(most, read / bptt));
        return new BpttBatches(stream, count, read / count);
    }

    List<Window> windows(int bptt) {
        List<Window> windows = new ArrayList<>();
        for (int start = 0; start < columnLength; start += bptt) {
            windows.add(new Window(start, Math.min(bptt, columnLength - start)));
        }
        return windows;
    }

    /**
     * Windows of lengths drawn around {@code bptt}, now and then around half of it, so that no token is always the last of
     * its window (Merity, Keskar, Socher 2018, section 5).
     */
    List<Window> windows(int bptt, Random random) {
        int shortest = Math.min(SHORTEST, bptt);
        List<Window> windows = new ArrayList<>();
        int start = 0;
        while (start < columnLength) {
            double mean = random.nextDouble() < HALVED ? bptt / 2.0 : bptt;
            int drawn = (int) Math.round(mean + DEVIATION * random.nextGaussian());
            int length = Math.max(shortest, Math.min(drawn, bptt + LONGEST_MORE));
            int left = columnLength - start;
            windows.add(new Window(start, left - length < shortest ? left : length));
            start += windows.get(windows.size() - 1).length();
        }
        return windows;
    }

    /** (columns, length). */
    Tensor inputs(Window window, Compute compute) {
        return compute.toDevice(Tensor.create(ids(window, 0), batchSize, window.length()));
    }

    /** The word after each token, (columns · length). */
    Tensor targets(Window window, Compute compute) {
        return compute.toDevice(Tensor.create(ids(window, 1)));
    }

    /** How many of the window's next tokens are words. */
    int targetCount(Window window) {
        int words = 0;
        for (long id : ids(window, 1)) {
            words += id == Vocabulary.PADDING ? 0 : 1;
        }
        return words;
    }

    private long[] ids(Window window, int ahead) {
        long[] ids = new long[batchSize * window.length()];
        for (int column = 0; column < batchSize; column++) {
            int from = column * columnLength + window.start() + ahead;
            for (int i = 0; i < window.length(); i++) {
                ids[column * window.length() + i] = stream[from + i];
            }
        }
        return ids;
    }
}
