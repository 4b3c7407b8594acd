package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;

class LambdaRankTest {

    private static final Offset<Float> CLOSE = within(1e-6f);

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static float[] gradient(LambdaRank rank, float[] scores, int[] grades) {
        try (PointerScope scope = new PointerScope()) {
            return values(rank.compute(row(scores), Tensor.create(grades, 1, grades.length), Compute.CPU)
                    .gradient());
        }
    }

    private static double ndcg(LambdaRank rank, float[] scores, int[] grades) {
        try (PointerScope scope = new PointerScope()) {
            return rank.ndcg(row(scores), Tensor.create(grades, 1, grades.length), Compute.CPU)
                    .item_double();
        }
    }

    private static Tensor row(float[] scores) {
        return Tensor.create(scores, 1, scores.length);
    }

    private static float[] values(Tensor tensor) {
        float[] values = new float[(int) tensor.numel()];
        new FloatPointer(tensor.contiguous().data_ptr_float()).get(values);
        return values;
    }

    /** 1 / log2(1 + r) for ranks 1 to 4. */
    private static final double[] DISCOUNTS = {1, 0.6309297536, 0.5, 0.4306765581};

    /** Grades 0, 1, 2 have gains 0, 1, 3; the order given is the worst, the ideal DCG 3 + 0.63093 = 3.63093. */
    @Test
    void threeInTheWrongOrder() {
        float[] scores = {2, 1, 0};
        int[] grades = {0, 1, 2};
        double ideal = 3 + DISCOUNTS[1];
        // Each pair: gain difference × discount difference / ideal, times 1 / (1 + exp(s_better − s_worse)).
        double lambda10 = 1 * (1 - DISCOUNTS[1]) / ideal / (1 + Math.exp(-1)); // 0.0743093
        double lambda20 = 3 * (1 - 0.5) / ideal / (1 + Math.exp(-2)); // 0.3638725
        double lambda21 = 2 * (DISCOUNTS[1] - 0.5) / ideal / (1 + Math.exp(-1)); // 0.0527233

        float[] gradient = gradient(new LambdaRank(10, 1), scores, grades);

        assertThat(gradient[0]).isEqualTo((float) (lambda10 + lambda20), CLOSE).isEqualTo(0.4381819f, CLOSE);
        assertThat(gradient[1]).isEqualTo((float) (lambda21 - lambda10), CLOSE).isEqualTo(-0.0215860f, CLOSE);
        assertThat(gradient[2]).isEqualTo((float) (-lambda20 - lambda21), CLOSE).isEqualTo(-0.4165958f, CLOSE);
        assertThat(ndcg(new LambdaRank(10, 1), scores, grades))
                .isEqualTo((DISCOUNTS[1] + 3 * 0.5) / ideal, within(1e-6));
    }

    /** With k = 1 the pairs of the first with each other count; |Δ| is their gain difference over the ideal 2^2 − 1. */
    @Test
    void beyondTheFirstKOnlyPairsWithOneOfThemCount() {
        float[] scores = {0, 3, 1, 2}; // ranks 4, 1, 3, 2
        int[] grades = {2, 0, 1, 1};
        double lambda0 = 3.0 / 3 / (1 + Math.exp(-3)); // 0.9525741
        double lambda2 = 1.0 / 3 / (1 + Math.exp(-2)); // 0.2935990
        double lambda3 = 1.0 / 3 / (1 + Math.exp(-1)); // 0.2436862

        float[] gradient = gradient(new LambdaRank(1, 1), scores, grades);

        assertThat(gradient[0]).isEqualTo((float) -lambda0, CLOSE);
        assertThat(gradient[1]).isEqualTo((float) (lambda0 + lambda2 + lambda3), CLOSE);
        assertThat(gradient[2]).isEqualTo((float) -lambda2, CLOSE);
        assertThat(gradient[3]).isEqualTo((float) -lambda3, CLOSE);
        assertThat(ndcg(new LambdaRank(1, 1), scores, grades)).isZero();
    }

    @Test
    void sigmaScalesTheGradient() {
        // One pair: |Δ| = 1 − 0.63093 = 0.36907, λ = 2 · 0.36907 / (1 + exp(−2 · 0.5)).
        float[] gradient = gradient(new LambdaRank(2, 2), new float[] {0.5f, 0}, new int[] {0, 1});

        assertThat(gradient[1]).isEqualTo((float) (-2 * (1 - DISCOUNTS[1]) / (1 + Math.exp(-1))), CLOSE);
        assertThat(gradient[0]).isEqualTo(-gradient[1]);
    }

    @Test
    void theIdealOrderIsOnlyMovedFurtherApart() {
        LambdaRank rank = new LambdaRank(3, 1);
        float[] scores = {3, 2, -1};
        int[] grades = {2, 1, 0};

        assertThat(ndcg(rank, scores, grades)).isEqualTo(1);
        assertThat(gradient(rank, scores, grades)[0]).isNegative();
        assertThat(gradient(rank, scores, grades)[2]).isPositive();
    }

    @Test
    void equalGradesHaveNoGradient() {
        LambdaRank rank = new LambdaRank(5, 1);

        assertThat(gradient(rank, new float[] {3, 1, 2}, new int[3])).containsOnly(0);
        assertThat(ndcg(rank, new float[] {3, 1, 2}, new int[3])).isEqualTo(1);
        assertThat(gradient(rank, new float[] {3, 1}, new int[] {4, 4})).containsOnly(0);
    }

    @Test
    void highGradesAndDistantScoresStayFinite() {
        float[] gradient = gradient(
                new LambdaRank(2, 1), new float[] {-1e30f, 1e30f, 0}, new int[] {new RelevanceGrades(24).atRank(1), 0, 1
                });

        for (float value : gradient) {
            assertThat(value).isFinite();
        }
        assertThat(gradient[0])
                .isEqualTo(-1.6309297f, CLOSE); // it alone determines nDCG: 1 at the first rank, 0.63 at the second
    }

    /** The definition over all pairs: swap two items, compute the change of nDCG, add lambda. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void equalsTheDefinitionOverAllPairs(long seed) {
        Random random = new Random(seed);
        int size = 12;
        LambdaRank rank = new LambdaRank(1 + random.nextInt(6), 0.5 + random.nextDouble());
        int[] grades = random.ints(size, 0, 5).toArray();
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            scores[i] = (float) random.nextGaussian();
        }
        double[] expected = new double[size];
        double before = definitionOfNdcg(rank.k(), scores, grades);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                if (grades[i] > grades[j]) {
                    float[] swapped = scores.clone();
                    swapped[i] = scores[j];
                    swapped[j] = scores[i];
                    double lambda = rank.sigma()
                            * Math.abs(definitionOfNdcg(rank.k(), swapped, grades) - before)
                            / (1 + Math.exp(rank.sigma() * (scores[i] - scores[j])));
                    expected[i] -= lambda;
                    expected[j] += lambda;
                }
            }
        }

        float[] gradient = gradient(rank, scores, grades);

        for (int i = 0; i < size; i++) {
            assertThat(gradient[i]).isEqualTo((float) expected[i], CLOSE);
        }
    }

    private static double definitionOfNdcg(int k, float[] scores, int[] grades) {
        Integer[] order = IntStream.range(0, scores.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(i -> -scores[i]));
        int[] ideal = Arrays.stream(grades).sorted().toArray();
        double dcg = 0;
        double best = 0;
        for (int rank = 0; rank < Math.min(k, scores.length); rank++) {
            double discount = Math.log(2) / Math.log(rank + 2);
            dcg += (Math.pow(2, grades[order[rank]]) - 1) * discount;
            best += (Math.pow(2, ideal[ideal.length - 1 - rank]) - 1) * discount;
        }
        return dcg / best;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void gradientDescentReachesTheIdealOrder(long seed) {
        Random random = new Random(seed);
        LambdaRank rank = new LambdaRank(5, 1);
        int[] grades = Arrays.copyOf(new int[] {4, 3, 3, 2, 2, 2, 2, 1}, 30);
        float[] scores = new float[30];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = (float) random.nextGaussian();
        }
        double before = ndcg(rank, scores, grades);

        for (int step = 0; step < 500; step++) {
            float[] gradient = gradient(rank, scores, grades);
            for (int i = 0; i < scores.length; i++) {
                scores[i] -= gradient[i];
            }
        }

        assertThat(before).isLessThan(0.9);
        assertThat(ndcg(rank, scores, grades)).isEqualTo(1, within(1e-6));
    }

    @Test
    void theListsOfABatchDoNotDependOnEachOtherNorOnPadding() {
        LambdaRank rank = new LambdaRank(2, 1);
        float[] scores = {0.5f, -1, 2, 0.25f, 9, 9}; // two lists: three items, and one with two of padding
        int[] grades = {2, 0, 1, 3, LambdaRank.PADDING, LambdaRank.PADDING};
        try (PointerScope scope = new PointerScope()) {
            LambdaRank.Result result =
                    rank.compute(Tensor.create(scores, 2, 3), Tensor.create(grades, 2, 3), Compute.CPU);

            assertThat(values(result.gradient().select(0, 0)))
                    .containsExactly(gradient(rank, Arrays.copyOf(scores, 3), Arrays.copyOf(grades, 3)), CLOSE);
            assertThat(values(result.gradient().select(0, 1))).containsOnly(0);
            assertThat(values(result.ndcg())[0])
                    .isEqualTo((float) ndcg(rank, Arrays.copyOf(scores, 3), Arrays.copyOf(grades, 3)), CLOSE);
            assertThat(values(result.ndcg())[1]).isEqualTo(1, CLOSE);
        }
    }

    @Test
    void scoresAndGradesMustHaveTheSameLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> gradient(new LambdaRank(5, 1), new float[3], new int[2]))
                .withMessage("grades: 2 (expected: 3)");
    }
}
