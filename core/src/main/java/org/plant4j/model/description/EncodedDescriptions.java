package org.plant4j.model.description;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.GradientCheckpoint;
import org.plant4j.train.RowEncoder;

/**
 * The encoded label descriptions, (L, M, ·) with M the length of the longest. Without gradients they are encoded once
 * and cached; encoding them for training drops the cache, because the weights change next.
 */
public final class EncodedDescriptions implements AutoCloseable {

    private static final int[] UNKNOWN = {Vocabulary.UNKNOWN};

    private final RowEncoder encoder;
    private final int maxTokens;
    private List<int[]> descriptions = List.of();
    private @Nullable Tensor cache;
    private @Nullable QuantizedDescriptions quantized;

    /** Encodes the first {@code maxTokens} tokens of each description. */
    public EncodedDescriptions(RowEncoder encoder, int maxTokens) {
        this.encoder = encoder;
        this.maxTokens = maxTokens;
    }

    /** A label without a description gets one unknown token. */
    public void setDescriptions(List<int[]> texts) {
        descriptions = texts.stream()
                .map(text -> text.length == 0 ? UNKNOWN : Arrays.copyOf(text, Math.min(maxTokens, text.length)))
                .toList();
        invalidate();
    }

    public List<int[]> descriptions() {
        if (descriptions.isEmpty()) {
            throw new IllegalStateException("the descriptions have not been set");
        }
        return descriptions;
    }

    /** Encodes the descriptions of the first {@code count} labels with gradients. */
    public Tensor encode(int count) {
        invalidate();
        return encoder.encode(descriptions().subList(0, count), false);
    }

    /** As {@link #encode}, with gradient checkpointing; empty if they fit into memory without. */
    public Optional<GradientCheckpoint> checkpoint(int count) {
        invalidate();
        return encoder.checkpoint(descriptions().subList(0, count), false);
    }

    /** All descriptions, without gradients. */
    public synchronized Tensor cached() {
        if (cache == null) {
            // A tensor computed in inference mode could not take part in gradients with respect to documents later.
            try (InferenceMode normal = new InferenceMode(false);
                    NoGradGuard noGrad = new NoGradGuard()) {
                Tensor encoded = encoder.encodeWithoutGradients(descriptions());
                encoded.retainReference(); // outlives the scope of the current request
                cache = encoded;
            }
        }
        return cache;
    }

    /** The same in int8, for queries of size {@code size}. */
    synchronized QuantizedDescriptions quantized(int size) {
        if (quantized == null) {
            quantized = new QuantizedDescriptions(new DescriptionQueries(cached(), size));
        }
        return quantized;
    }

    private synchronized void invalidate() {
        if (cache != null) {
            cache.close();
            cache = null;
        }
        if (quantized != null) {
            quantized.close();
            quantized = null;
        }
    }

    @Override
    public void close() {
        invalidate();
    }
}
