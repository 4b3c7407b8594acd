package org.plant4j.model.description;

import java.util.Arrays;
import java.util.List;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.SlidingWindows;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/**
 * Splits documents into overlapping windows that are encoded independently; a label's logit is the maximum over the
 * windows (Chapman, Neumann 2020, section 4.2). If {@code allWindows} is false, only the first window is encoded.
 */
public record DocumentBatching(int window, int overlap, boolean allWindows) {

    public DocumentBatching {
        Arguments.check(
                window >= 1 && overlap >= 0 && overlap < window,
                "window, overlap",
                window + ", " + overlap,
                "window >= 1, overlap >= 0 and less than window");
    }

    /** Requires that the encoder does not split a window again. */
    public void requireFits(EncoderConfig encoder) {
        encoder.pretrainedEncoder()
                .ifPresent(bert -> Arguments.check(
                        window <= bert.window(),
                        "window",
                        window,
                        "<= " + bert.window() + ", the encoder's own window"));
    }

    public DocumentWindows toWindows(Batch batch, Compute compute) {
        List<int[]> documents = batch.documents().stream()
                .map(tokens -> allWindows ? tokens : Arrays.copyOf(tokens, Math.min(window, tokens.length)))
                .toList();
        return DocumentWindows.of(SlidingWindows.of(documents, window, overlap), compute);
    }
}
