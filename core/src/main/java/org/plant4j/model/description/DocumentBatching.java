package org.plant4j.model.description;

import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.SlidingWindows;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/**
 * A document read in overlapping windows, each by itself: for every label the window that says most speaks for the
 * document (Chapman, Neumann 2020, section 4.2). Where {@code all} is false the first window is all that is read.
 */
public record DocumentBatching(int window, int overlap, boolean allWindows) {

    public DocumentBatching {
        if (window < 1 || overlap < 0 || overlap >= window) {
            throw new IllegalArgumentException(
                    "window, overlap: " + window + ", " + overlap + " (expected: >= 1, and >= 0 but less than it)");
        }
    }

    /** Whether the encoder reads a window at once: cut again inside it, a window would not be one. */
    public void requireFits(EncoderConfig encoder) {
        if (encoder instanceof EncoderConfig.Bert bert && bert.config().window() < window) {
            throw new IllegalArgumentException(
                    "window: " + window + " (expected: <= " + bert.config().window() + ", the encoder's own window)");
        }
    }

    public SlidingWindows toWindows(Batch batch) {
        int width = batch.width();
        List<int[]> documents = IntStream.range(0, batch.lengths().length)
                .mapToObj(row -> IntStream.range(
                                0, allWindows ? batch.lengths()[row] : Math.min(window, batch.lengths()[row]))
                        .map(t -> Math.toIntExact(batch.ids()[row * width + t]))
                        .toArray())
                .toList();
        return SlidingWindows.of(documents, window, overlap);
    }

    /** The rows (B, S) of each document's windows; those of fewer windows name their first again, which changes no maximum. */
    public static Tensor windowRows(SlidingWindows windows, Compute compute) {
        int documents = windows.starts().size();
        int most = windows.starts().stream()
                .mapToInt(starts -> starts.length)
                .max()
                .orElse(0);
        long[] slots = new long[documents * most];
        int first = 0;
        for (int document = 0; document < documents; document++) {
            int count = windows.starts().get(document).length;
            for (int slot = 0; slot < most; slot++) {
                slots[document * most + slot] = slot < count ? (long) first + slot : first;
            }
            first += count;
        }
        return compute.toDevice(Tensor.create(slots, documents, most));
    }

    /** Logits (N, L) of windows to those (B, L) of documents. */
    public static Tensor maxOverWindows(Tensor logits, Tensor slots) {
        return slots.size(1) == 1 ? logits : byDocument(logits, slots).amax(new long[] {1}, false);
    }

    /** (B, S, L). */
    private static Tensor byDocument(Tensor logits, Tensor slots) {
        return logits.index_select(0, slots.flatten()).view(slots.size(0), slots.size(1), -1);
    }

    /** For each document and label (B, L) the row of the window that speaks for it. */
    public static Tensor bestWindows(Tensor logits, Tensor slots) {
        Tensor slot = byDocument(logits, slots).argmax(new LongOptional(1), false); // (B, L)
        return slots.gather(1, slot);
    }

    /** Shares (N, M, L) of windows' tokens to those (B, T, L) of documents' tokens: only the window that speaks counts. */
    public static Tensor toDocumentTokens(
            Tensor shares, Tensor speakers, SlidingWindows windows, Batch batch, Compute compute) {
        Tensor all =
                torch.zeros(new long[] {batch.lengths().length, batch.width(), shares.size(2)}, compute.floatOptions());
        int row = 0;
        for (int document = 0; document < batch.lengths().length; document++) {
            for (int start : windows.starts().get(document)) {
                int length = windows.rows().get(row).length;
                Tensor speaks = speakers.select(0, document).eq(new Scalar(row)); // (L)
                all.select(0, document)
                        .narrow(0, start, length)
                        .add_(shares.select(0, row).narrow(0, 0, length).mul(speaks));
                row++;
            }
        }
        return all;
    }
}
