package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.values;
import static org.plant4j.tensor.Golden.wave;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;

class SparseAdamWTest {

    private static final int ROWS = 5;
    private static final int COLUMNS = 3;

    private PointerScope scope;

    @BeforeEach
    void openScope() {
        scope = new PointerScope();
        Engine.setSeed(1);
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private static Tensor rows() {
        return wave(0, ROWS, COLUMNS).set_requires_grad(true);
    }

    private static AdamW optimizer(Tensor parameter, boolean sparse) {
        ParameterGroup group = new ParameterGroup("rows", Map.of("rows", parameter), 0.02, 0.1, 0, sparse);
        return new AdamW(List.of(group), 1, 0.9, 0.999);
    }

    /** Gradient of a step, (L, 3); some are clipped. */
    private static Tensor gradient(int step) {
        return wave(10 + step, ROWS, COLUMNS).mul(new Scalar(step % 2 == 0 ? 8 : 0.1));
    }

    private static void giveGradient(Tensor parameter, int step, int... labels) {
        LabelSelection selection = LabelSelection.Shortlisted.of(labels, Compute.CPU);
        selection.select(parameter).mul(selection.select(gradient(step))).sum().backward();
    }

    private static void step(AdamW optimizer, double factor, Runnable backward) {
        optimizer.zeroGradients();
        backward.run();
        optimizer.step(factor);
    }

    @Test
    void rowsOfEveryStepAreUpdatedAsByDenseAdamW() {
        Tensor dense = rows();
        Tensor sparse = rows();
        int[] all = IntStream.range(0, ROWS).toArray();
        try (AdamW denseOptimizer = optimizer(dense, false);
                AdamW sparseOptimizer = optimizer(sparse, true)) {
            for (int step = 0; step < 20; step++) {
                int now = step;
                step(
                        denseOptimizer,
                        1.0 / (1 + step),
                        () -> dense.mul(gradient(now)).sum().backward());
                step(sparseOptimizer, 1.0 / (1 + step), () -> giveGradient(sparse, now, all));
                assertThat(values(sparse)).containsExactly(values(dense), within(1e-6));
            }
            assertThat(values(sparseOptimizer.state(), "steps.rows")).containsOnly(20);
        }
    }

    /** Row 3 is named in steps 0, 3, 4 and 9 only: the result is that of dense AdamW in these steps. */
    @Test
    void aRowIsUpdatedAsIfOnlyItsStepsExisted() {
        Tensor sparse = rows();
        Tensor dense = rows();
        List<Integer> steps = List.of(0, 3, 4, 9);
        try (AdamW sparseOptimizer = optimizer(sparse, true);
                AdamW denseOptimizer = optimizer(dense, false)) {
            for (int step = 0; step < 10; step++) {
                int now = step;
                int[] labels = steps.contains(step) ? new int[] {3} : new int[] {0, 2};
                step(sparseOptimizer, 1, () -> giveGradient(sparse, now, labels));
                if (steps.contains(step)) {
                    step(
                            denseOptimizer,
                            1,
                            () -> dense.select(0, 3)
                                    .mul(gradient(now).select(0, 3))
                                    .sum()
                                    .backward());
                }
            }
            assertThat(values(sparse.select(0, 3))).containsExactly(values(dense.select(0, 3)), within(1e-6));
            assertThat(values(sparse.select(0, 1))).containsExactly(values(rows().select(0, 1)));
            assertThat(values(sparseOptimizer.state(), "steps.rows")).containsExactly(6, 0, 6, 4, 0);
        }
    }

    /** One row, one step, by hand: m̂ = g and √v̂ = |g|, so the weight decays by 0.02 · 0.1 and moves by 0.02. */
    @Test
    void theFirstStepMovesARowByTheLearningRate() {
        Tensor sparse = rows();
        try (AdamW optimizer = optimizer(sparse, true)) {
            step(optimizer, 1, () -> giveGradient(sparse, 0, 2));
            double[] before = values(rows().select(0, 2));
            double[] signs = Arrays.stream(values(gradient(0).select(0, 2)))
                    .map(Math::signum)
                    .toArray();
            double[] expected = IntStream.range(0, COLUMNS)
                    .mapToDouble(i -> before[i] * (1 - 0.002) - 0.02 * signs[i])
                    .toArray();
            assertThat(values(sparse.select(0, 2))).containsExactly(expected, within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY})
    void aStepWithAnInfiniteOrNanGradientIsSkipped(float broken) {
        Tensor sparse = rows();
        try (AdamW optimizer = optimizer(sparse, true)) {
            step(optimizer, 1, () -> {
                LabelSelection selection = LabelSelection.Shortlisted.of(new int[] {1}, Compute.CPU);
                selection.select(sparse).mul(new Scalar(broken)).sum().backward();
            });
            assertThat(values(sparse)).containsExactly(values(rows()));
            assertThat(values(optimizer.state(), "steps.rows")).containsOnly(0);
            assertThat(values(optimizer.state(), "first.rows")).containsOnly(0);
        }
    }

    /** 1 + 1/512 lies a quarter of the way from 1 to the next bfloat16, 1 + 1/128. */
    @Test
    void roundingIsExactInExpectation() {
        double[] rounded = values(SparseAdamW.stochasticallyRounded(
                torch.full(new long[] {100_000}, new Scalar(1 + 1.0 / 512)).neg()));
        assertThat(rounded).containsOnly(-1, -1 - 1.0 / 128);
        assertThat(Arrays.stream(rounded).average().orElseThrow()).isCloseTo(-1 - 1.0 / 512, within(1e-4));
        Tensor exact = torch.full(new long[] {1000}, new Scalar(-0.75));
        assertThat(values(SparseAdamW.stochasticallyRounded(exact))).containsOnly(-0.75);
    }

    /** Steps of 0.0001 are below half the distance of neighbouring bfloat16 numbers at 1, 1/128: rounding to the nearest loses all. */
    @Test
    void bfloat16RowsFollowSmallSteps() {
        Tensor half = torch.ones(1, 2000).to(torch.ScalarType.BFloat16);
        half.set_requires_grad(true);
        ParameterGroup group = new ParameterGroup("rows", Map.of("rows", half), 0.0001, 0, 0, true);
        try (AdamW optimizer = new AdamW(List.of(group), 1, 0.9, 0.999)) {
            for (int step = 0; step < 200; step++) {
                step(optimizer, 1, () -> {
                    LabelSelection selection = LabelSelection.Shortlisted.of(new int[] {0}, Compute.CPU);
                    selection.select(half).sum().backward();
                });
            }
            assertThat(Arrays.stream(values(half)).average().orElseThrow()).isCloseTo(1 - 0.02, within(0.001));
        }
    }
}
