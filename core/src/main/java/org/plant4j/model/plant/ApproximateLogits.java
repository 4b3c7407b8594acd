package org.plant4j.model.plant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.Precision;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.ReducedRows;
import org.plant4j.rank.DocumentAttention;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;

/**
 * Approximate logits of all labels on a CPU, for a fraction of the time of exact ones. They choose the labels that are
 * scored exactly. The rows of the labels are reduced to few dimensions ({@link ReducedRows}), and products are in the fastest
 * precision of the CPU.
 */
final class ApproximateLogits implements AutoCloseable {

    /**
     * Dimensions of queries: all those of usual rankers, whose reduction would make shortlists several times longer, and more
     * than on a GPU, since shorter shortlists save the time.
     */
    static final int QUERY_SIZE = 128;

    /** Dimensions of weights. Token logits need fewer than scores, which are exponents. */
    static final int WEIGHT_SIZE = 96;

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

    /**
     * A document.
     *
     * @param projected its tokens (T, D) in the dimensions of each source, then of the weights
     * @param bounded of each source, whether no score exceeds {@link #MAX_SCORE}
     */
    record Inputs(
            List<Tensor> projected,
            List<Boolean> bounded,
            @Nullable DocumentAttention staticAttention) {}

    /** Computes the logits of one document. */
    interface LabelDecoder extends AutoCloseable {

        /** Adds logits to {@code sum} (L). */
        void addLogits(Tensor sum, Inputs inputs);

        @Override
        void close();
    }

    /** Sums of the exponentials of scores up to this, positive and negative, neither overflow nor vanish. */
    private static final double MAX_SCORE = 60;

    private final List<Source> sources;
    private final List<Double> longestQueries; // of each source
    private final ReducedRows weights;
    private final @Nullable StaticAttention staticAttention;
    private final LabelDecoder decoder;
    private final boolean bfloat16;

    /** Takes over the reduced rows, which {@link #close} closes. */
    ApproximateLogits(
            List<Source> sources,
            ReducedRows weights,
            @Nullable StaticAttention staticAttention,
            AttentionScales scales,
            int nullTokens,
            Compute compute,
            Products products) {
        this.sources = sources;
        this.longestQueries =
                sources.stream().map(source -> longest(source.queries().rows())).toList();
        this.weights = weights;
        this.staticAttention = staticAttention;
        this.bfloat16 = compute.precision() == Precision.BFLOAT16;
        this.decoder = switch (products) {
            case INT8 -> new Int8LabelDecoder(sources, weights, scales, nullTokens, compute);
            case BFLOAT16 ->
                new FloatLabelDecoder(sources, weights, scales, nullTokens, compute, torch.ScalarType.BFloat16);
            case FLOAT32 ->
                new FloatLabelDecoder(sources, weights, scales, nullTokens, compute, torch.ScalarType.Float);
        };
    }

    /** Adds the logits of a segment to {@code sum} (B, L). */
    void addTo(Tensor sum, Batch segment, Plant.Encoded encoding) {
        for (int row = 0; row < segment.lengths().length; row++) {
            if (segment.lengths()[row] > 0) {
                try (PointerScope scope = new PointerScope()) {
                    decoder.addLogits(sum.select(0, row), inputs(segment.row(row), encoding, row));
                }
            }
        }
    }

    private Inputs inputs(Batch document, Plant.Encoded encoding, int row) {
        int tokens = document.lengths()[0];
        Tensor hiddenStates = tokens(encoding.hiddenStates(), row, tokens);
        List<Tensor> projected = new ArrayList<>();
        List<Boolean> bounded = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            Tensor inputs = source.queries.project(
                    source.ofRanker ? tokens(encoding.tokenFeatures().orElseThrow(), row, tokens) : hiddenStates);
            projected.add(inputs);
            bounded.add(longestQueries.get(i) * longest(inputs) <= MAX_SCORE);
        }
        projected.add(weights.project(hiddenStates));
        return new Inputs(
                projected,
                bounded,
                staticAttention == null ? null : staticAttention.ofDocument(Arrays.copyOf(document.ids(), tokens)));
    }

    /** (T, H) of one document, in the type in which autocast multiplies it, so that it is converted only once. */
    private Tensor tokens(Tensor states, int row, int tokens) {
        Tensor ofDocument = states.select(0, row).narrow(0, 0, tokens);
        return ofDocument.to(bfloat16 ? torch.ScalarType.BFloat16 : torch.ScalarType.Float);
    }

    /** The length of the longest row. */
    private static double longest(Tensor rows) {
        try (PointerScope scope = new PointerScope()) {
            return rows.to(torch.ScalarType.Float).square().sum(1L).max().sqrt().item_double();
        }
    }

    /**
     * Averages token logits by the softmax of scores over the tokens, which are dimension {@code dimension} of both. Null tokens
     * have score and token logit 0. Overwrites the scores. The exponentials of bounded scores need no maximum.
     */
    static Tensor attend(Tensor scores, Tensor tokenLogits, int dimension, int nullTokens, boolean bounded) {
        Tensor highest = bounded ? null : scores.amax(new long[] {dimension}, true);
        if (highest != null) {
            scores.sub_(highest);
        }
        Tensor nulls; // the sum of the exponentials of null tokens; without them 0, also where exp(-highest) is
        // infinite
        if (highest == null || nullTokens == 0) {
            nulls = torch.full(
                    new long[] {1}, new Scalar((float) nullTokens), new TensorOptions(torch.ScalarType.Float));
        } else {
            nulls = highest.squeeze(dimension)
                    .to(torch.ScalarType.Float)
                    .neg_()
                    .exp_()
                    .mul_(new Scalar((float) nullTokens));
        }
        Tensor weights = scores.exp_();
        // Sums of bfloat16 values in their own type: to float32 they are several times slower.
        Tensor sums = weights.sum(dimension).to(torch.ScalarType.Float).add_(nulls);
        return weights.mul_(tokenLogits)
                .sum(dimension)
                .to(torch.ScalarType.Float)
                .div_(sums);
    }

    @Override
    public void close() {
        decoder.close();
        weights.close();
        sources.forEach(source -> source.queries.close());
    }
}
