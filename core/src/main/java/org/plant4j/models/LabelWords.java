package org.plant4j.models;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.text.Vocabulary;

/**
 * The words of the labels' descriptions as a network reads them: (L, M, ·), M the longest. Where nothing is learned they
 * are read once, whoever asks; reading them to learn forgets that, since weights change next.
 */
final class LabelWords implements AutoCloseable {

    private static final int[] UNKNOWN = {Vocabulary.UNKNOWN};

    private final RowReading reading;
    private final int most;
    private List<int[]> descriptions = List.of();
    private @Nullable Tensor kept;

    /** Of each description the first {@code most} tokens are read. */
    LabelWords(RowReading reading, int most) {
        this.reading = reading;
        this.most = most;
    }

    /** A label of which nothing is said is described by one unknown word. */
    void describe(List<int[]> texts) {
        descriptions = texts.stream()
                .map(text -> text.length == 0 ? UNKNOWN : Arrays.copyOf(text, Math.min(most, text.length)))
                .toList();
        forget();
    }

    List<int[]> descriptions() {
        if (descriptions.isEmpty()) {
            throw new IllegalStateException("the labels have not been described");
        }
        return descriptions;
    }

    /** Of the first labels, with all that gradients need. */
    Tensor read(int count) {
        forget();
        return reading.read(descriptions().subList(0, count), false);
    }

    /** What {@link #read} reads where it is too much to be held. */
    Optional<Recomputed> recomputed(int count) {
        forget();
        return reading.recomputed(descriptions().subList(0, count), false);
    }

    /** Without gradients. */
    synchronized Tensor known() {
        if (kept == null) {
            Tensor read = reading.glance(descriptions());
            read.retainReference(); // outlives the request that was the first to ask
            kept = read;
        }
        return kept;
    }

    private synchronized void forget() {
        if (kept != null) {
            kept.close();
            kept = null;
        }
    }

    @Override
    public void close() {
        forget();
    }
}
