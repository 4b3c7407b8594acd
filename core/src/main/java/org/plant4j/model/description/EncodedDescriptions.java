package org.plant4j.model.description;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.model.RowEncoder;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.GradientCheckpoint;

/**
 * The words of the labels' descriptions as a network reads them: (L, M, ·), M the longest. Where nothing is learned they
 * are read once, whoever asks; reading them to learn forgets that, since weights change next.
 */
public final class EncodedDescriptions implements AutoCloseable {

    private static final int[] UNKNOWN = {Vocabulary.UNKNOWN};

    private final RowEncoder encoder;
    private final int maxTokens;
    private List<int[]> descriptions = List.of();
    private @Nullable Tensor cache;

    /** Of each description the first {@code most} tokens are read. */
    EncodedDescriptions(RowEncoder reading, int most) {
        this.encoder = reading;
        this.maxTokens = most;
    }

    /** A label of which nothing is said is described by one unknown word. */
    void setDescriptions(List<int[]> texts) {
        descriptions = texts.stream()
                .map(text -> text.length == 0 ? UNKNOWN : Arrays.copyOf(text, Math.min(maxTokens, text.length)))
                .toList();
        invalidate();
    }

    List<int[]> descriptions() {
        if (descriptions.isEmpty()) {
            throw new IllegalStateException("the labels have not been described");
        }
        return descriptions;
    }

    /** Of the first labels, with all that gradients need. */
    Tensor encode(int count) {
        invalidate();
        return encoder.encode(descriptions().subList(0, count), false);
    }

    /** What {@link #encode} reads where it is too much to be held. */
    Optional<GradientCheckpoint> checkpoint(int count) {
        invalidate();
        return encoder.checkpoint(descriptions().subList(0, count), false);
    }

    /** Without gradients. */
    synchronized Tensor cached() {
        if (cache == null) {
            Tensor read = encoder.encodeWithoutGradients(descriptions());
            read.retainReference(); // outlives the request that was the first to ask
            cache = read;
        }
        return cache;
    }

    private synchronized void invalidate() {
        if (cache != null) {
            cache.close();
            cache = null;
        }
    }

    @Override
    public void close() {
        invalidate();
    }
}
