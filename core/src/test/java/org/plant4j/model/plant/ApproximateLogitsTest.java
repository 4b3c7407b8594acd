package org.plant4j.model.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.values;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.ReducedRows;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;

/** All number formats on any CPU, compared with the softmax of libtorch in float32. */
class ApproximateLogitsTest {

    private static final int LABELS = 600; // several chunks, the last one smaller
    private static final int HIDDEN = 24;
    private static final int RANKER = 10;
    private static final int NULL_TOKENS = 2;
    private static final int[] DOCUMENT = {2, 3, 4, 3, 5, 6, 2};

    @BeforeEach
    void seed() {
        Engine.setSeed(5);
    }

    /** With a scale of 400, scores of the first label exceed those whose exponentials can be summed as they are. */
    @ParameterizedTest
    @CsvSource({"FLOAT32, 1, 1e-4", "FLOAT32, 400, 1e-4", "BFLOAT16, 1, 0.1", "INT8, 1, 0.1", "INT8, 400, 0.1"})
    void logitsAreThoseOfFullScoringUpToRounding(ApproximateLogits.Products products, double scale, double error) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor queries = torch.randn(LABELS, HIDDEN).mul(new Scalar(0.2));
            Tensor rankerQueries = torch.randn(LABELS, RANKER).mul(new Scalar(0.2));
            rankerQueries.select(0, 0).mul_(new Scalar(scale));
            Tensor weights = torch.randn(LABELS, HIDDEN).mul(new Scalar(0.2));
            Tensor hiddenStates = torch.randn(1, DOCUMENT.length, HIDDEN);
            Tensor features = torch.randn(1, DOCUMENT.length, RANKER);
            AttentionScales scales = new AttentionScales(List.of(0.9, 0.7, 1.3), Compute.CPU);
            StaticAttention staticAttention = new StaticAttention(relevance(), 8, Compute.CPU);
            Batch batch = Batch.of(List.of(DOCUMENT), Compute.CPU);

            Tensor tokenLogits = torch.matmul(hiddenStates.select(0, 0), weights.t()); // (T, L)
            Tensor expected = attended(hiddenStates, queries, tokenLogits)
                    .mul(new Scalar(0.9))
                    .add(attended(features, rankerQueries, tokenLogits).mul(new Scalar(1.3)))
                    .add(staticAttention
                            .forward(batch, LabelSelection.ALL)
                            .select(0, 0)
                            .mul(tokenLogits)
                            .sum(0L)
                            .mul(new Scalar(0.7)))
                    .add(new Scalar(-1));
            Tensor sum = torch.full(new long[] {1, LABELS}, new Scalar(-1f));
            try (ApproximateLogits logits = new ApproximateLogits(
                    List.of(
                            new ApproximateLogits.Source(ReducedRows.of(queries, 128), false, 0),
                            new ApproximateLogits.Source(ReducedRows.of(rankerQueries, 128), true, 2)),
                    ReducedRows.of(weights, 128),
                    staticAttention,
                    scales,
                    NULL_TOKENS,
                    Compute.CPU,
                    products)) {
                logits.addTo(sum, batch, new Plant.Encoded(hiddenStates, Optional.of(features), EncoderState.EMPTY));
            }
            assertThat(values(sum)).containsExactly(values(expected), within(error));
        }
    }

    /** Label l is relevant for tokens 2 and 3 + l mod 4. */
    private static Relevance relevance() {
        return new Relevance(
                IntStream.range(0, LABELS)
                        .mapToObj(label -> new int[] {2, 3 + label % 4})
                        .toArray(int[][]::new),
                IntStream.range(0, LABELS)
                        .mapToObj(label -> new float[] {0.5f, 0.2f})
                        .toArray(float[][]::new));
    }

    private static Tensor attended(Tensor states, Tensor queries, Tensor tokenLogits) {
        Tensor scores = torch.matmul(states.select(0, 0), queries.t()); // (T, L)
        Tensor nulls = torch.full(new long[] {1, LABELS}, new Scalar((float) Math.log(NULL_TOKENS)));
        Tensor all = torch.cat(new TensorVector(scores, nulls), 0);
        return torch.softmax(all, 0)
                .narrow(0, 0, DOCUMENT.length)
                .mul(tokenLogits)
                .sum(0L);
    }

    /** exp(100) is infinite in float32, and no null tokens must not make it NaN. */
    @Test
    void verySmallScoresWithoutNullTokensAverageTheTokenLogits() {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor scores = torch.full(new long[] {1, 3}, new Scalar(-100f));
            Tensor tokenLogits = torch.arange(new Scalar(1f), new Scalar(4f)).view(1, 3);
            assertThat(ApproximateLogits.attend(scores, tokenLogits, 1, 0, false)
                            .item_float())
                    .isEqualTo(2);
        }
    }

    @Test
    void productsAreInTheFastestFormatOfTheCpu() {
        assertThat(ApproximateLogits.Products.of(true, true)).isEqualTo(ApproximateLogits.Products.BFLOAT16);
        assertThat(ApproximateLogits.Products.of(false, true)).isEqualTo(ApproximateLogits.Products.INT8);
        assertThat(ApproximateLogits.Products.of(false, false)).isEqualTo(ApproximateLogits.Products.FLOAT32);
        assertThat(Arrays.asList(ApproximateLogits.Products.values())).contains(ApproximateLogits.Products.ofThisCpu());
    }
}
