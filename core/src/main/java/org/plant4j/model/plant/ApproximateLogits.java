package org.plant4j.model.plant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.ReducedRows;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Engine;

/**
 * Approximate logits of all labels on a CPU, for a fraction of the time of exact ones. They choose the labels that are
 * scored exactly. The rows of the labels are reduced to few dimensions ({@link ReducedRows}), and products are in the fastest
 * precision of the CPU.
 */
final class ApproximateLogits implements AutoCloseable {

    /**
     * Dimensions of label rows: all those of usual rankers, whose reduction would make shortlists several times longer, and
     * more than on a GPU, since shorter shortlists save the time.
     */
    static final int SIZE = 128;

    /**
     * A source of attention that is a softmax over tokens.
     *
     * @param queries one row per label
     * @param ofRanker whether the queries are multiplied by the ranker's features of the tokens, not by hidden states
     * @param scale index of its scale
     */
    record Source(ReducedRows queries, boolean ofRanker, int scale) {}

    /** Number format of the products. */
    enum Products {
        BFLOAT16,
        INT8,
        FLOAT32;

        /** The fastest. Emulated bfloat16 takes four times as long as float32, and int8 half as long. */
        static Products ofThisCpu() {
            return of(Engine.hasFastBfloat16(), Engine.hasFastInt8());
        }

        static Products of(boolean bfloat16Instructions, boolean int8Instructions) {
            if (bfloat16Instructions) {
                return BFLOAT16;
            }
            return int8Instructions ? INT8 : FLOAT32;
        }
    }

    /** Computes the logits of one document. */
    interface LabelDecoder extends AutoCloseable {

        /**
         * Adds logits to {@code sum} (L).
         *
         * @param inputs (T, D) of each source, then of the token logits
         */
        void addLogits(Tensor sum, List<Tensor> inputs, StaticAttention.@Nullable DocumentAttention staticAttention);

        @Override
        void close();
    }

    private final List<Source> sources;
    private final ReducedRows weights;
    private final @Nullable StaticAttention staticAttention;
    private final LabelDecoder decoder;

    /** Takes over the reduced rows, which {@link #close} closes. */
    ApproximateLogits(
            List<Source> sources,
            ReducedRows weights,
            @Nullable StaticAttention staticAttention,
            AttentionScales scales,
            int nullTokens,
            Products products) {
        this.sources = sources;
        this.weights = weights;
        this.staticAttention = staticAttention;
        this.decoder = switch (products) {
            case INT8 -> new Int8LabelDecoder(sources, weights, scales, nullTokens);
            case BFLOAT16 -> new FloatLabelDecoder(sources, weights, scales, nullTokens, torch.ScalarType.BFloat16);
            case FLOAT32 -> new FloatLabelDecoder(sources, weights, scales, nullTokens, torch.ScalarType.Float);
        };
    }

    /** Adds the logits of a segment to {@code sum} (B, L). */
    void addTo(Tensor sum, Batch segment, Plant.Encoded encoding) {
        for (int row = 0; row < segment.lengths().length; row++) {
            if (segment.lengths()[row] > 0) {
                try (PointerScope scope = new PointerScope()) {
                    addTo(sum.select(0, row), segment.row(row), encoding, row);
                }
            }
        }
    }

    private void addTo(Tensor sum, Batch document, Plant.Encoded encoding, int row) {
        int tokens = document.lengths()[0];
        Tensor hiddenStates = tokens(encoding.hiddenStates(), row, tokens);
        List<Tensor> projected = new ArrayList<>();
        for (Source source : sources) {
            projected.add(source.queries.project(
                    source.ofRanker ? tokens(encoding.tokenFeatures().orElseThrow(), row, tokens) : hiddenStates));
        }
        projected.add(weights.project(hiddenStates));
        decoder.addLogits(
                sum,
                projected,
                staticAttention == null ? null : staticAttention.ofDocument(Arrays.copyOf(document.ids(), tokens)));
    }

    /** (T, H) of one document in float32. */
    private static Tensor tokens(Tensor states, int row, int tokens) {
        return states.select(0, row).narrow(0, 0, tokens).to(torch.ScalarType.Float);
    }

    @Override
    public void close() {
        decoder.close();
        weights.close();
        sources.forEach(source -> source.queries.close());
    }
}
