package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.values;
import static org.plant4j.tensor.Golden.wave;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.tensor.Golden;

class AdamWTest {

    private PointerScope scope;
    private final List<Tensor> parameters = new ArrayList<>();

    @BeforeEach
    void makeParameters() {
        scope = new PointerScope();
        parameters.add(wave(0, 2, 3));
        parameters.add(wave(1, 4));
        parameters.add(wave(2, 3));
        parameters.forEach(parameter -> parameter.set_requires_grad(true));
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private AdamW optimizer() {
        Map<String, Tensor> decaying = new LinkedHashMap<>();
        decaying.put("a", parameters.get(0));
        decaying.put("b", parameters.get(1));
        return new AdamW(
                List.of(
                        new ParameterGroup("decaying", decaying, 0.02, 0.1),
                        new ParameterGroup("plain", Map.of("c", parameters.get(2)), 0.005, 0)),
                1.0,
                0.9,
                0.99);
    }

    /** The gradient of a loss that is linear in a parameter is its coefficient. */
    private static void giveGradient(Tensor parameter, Tensor gradient) {
        parameter.mul(gradient).sum().backward();
    }

    private void giveGradients(int step) {
        for (int n = 0; n < parameters.size(); n++) {
            if (!(n == 1 && step == 2)) {
                Tensor gradient = wave(100 + 10 * step + n, parameters.get(n).shape());
                giveGradient(parameters.get(n), gradient.mul(new Scalar(step % 2 == 0 ? 8 : 0.5)));
            }
        }
    }

    private double[] weights() {
        return parameters.stream()
                .flatMapToDouble(p -> DoubleStream.of(values(p)))
                .toArray();
    }

    @Test
    void stepsEqualPyTorchWithGroupsDecayClippingAndAMissingGradient() {
        Golden golden = Golden.of("adamw");
        try (AdamW optimizer = optimizer()) {
            for (int step = 0; step < 6; step++) {
                optimizer.zeroGradients();
                giveGradients(step);
                optimizer.step(1.0 / (1 + step));
                golden.check("step" + step, weights());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY})
    void aStepWithAnInfiniteOrNanGradientIsSkipped(float broken) {
        Golden golden = Golden.of("adamw");
        try (AdamW optimizer = optimizer()) {
            for (int step = 0; step < 6; step++) {
                double[] before = weights();
                optimizer.zeroGradients();
                giveGradients(step);
                giveGradient(parameters.get(2), Tensor.create(0, broken, 0));
                optimizer.step(1);
                assertThat(weights()).containsExactly(before);
                optimizer.zeroGradients();
                giveGradients(step);
                optimizer.step(1.0 / (1 + step));
                golden.check("step" + step, weights());
            }
        }
    }

    @Test
    void withoutGradientsNothingChanges() {
        try (AdamW optimizer = optimizer()) {
            double[] before = weights();
            optimizer.zeroGradients();
            optimizer.step(1);
            assertThat(weights()).containsExactly(before);
        }
    }

    /** Without a gradient of any size, a step multiplies weights by 1 − rate · decay: 1 − 0.1 · 0.5 · the scale. */
    @Test
    void weightDecayIsScaled() {
        for (double scale : new double[] {1, 0.5, 0}) {
            Tensor weight = Tensor.create(2f).set_requires_grad(true);
            try (AdamW optimizer =
                    new AdamW(List.of(new ParameterGroup("all", Map.of("weight", weight), 0.1, 0.5)), 100, 0.9, 0.99)) {
                giveGradient(weight, Tensor.create(0f));
                optimizer.step(1, scale);
                assertThat(values(weight)).containsExactly(new double[] {2 * (1 - 0.05 * scale)}, within(1e-6));
            }
        }
    }

    /** The first step of Adam equals the learning rate for any gradient: 0.02 and 0.005. */
    @Test
    void updatesAreProportionalToTheLearningRates() {
        Tensor fast = wave(5, 4).set_requires_grad(true);
        Tensor slow = wave(5, 4).set_requires_grad(true);
        try (AdamW optimizer = new AdamW(
                List.of(
                        new ParameterGroup("fast", Map.of("fast", fast), 0.02, 0),
                        new ParameterGroup("slow", Map.of("slow", slow), 0.005, 0)),
                100,
                0.9,
                0.99)) {
            for (double factor : new double[] {1, 0.5, 0.25}) {
                double[] fastBefore = values(fast);
                double[] slowBefore = values(slow);
                optimizer.zeroGradients();
                giveGradient(fast, wave(6, 4));
                giveGradient(slow, wave(6, 4));
                optimizer.step(factor);
                for (int i = 0; i < 4; i++) {
                    double move = values(fast)[i] - fastBefore[i];
                    assertThat(Math.abs(move)).isCloseTo(0.02 * factor, within(1e-6));
                    assertThat(values(slow)[i] - slowBefore[i]).isCloseTo(move / 4, within(1e-6));
                }
            }
        }
    }

    @Test
    void stateIsNamedAfterParameters() {
        try (AdamW optimizer = optimizer()) {
            assertThat(optimizer.state())
                    .containsOnlyKeys(
                            "first.a",
                            "second.a",
                            "steps.a",
                            "first.b",
                            "second.b",
                            "steps.b",
                            "first.c",
                            "second.c",
                            "steps.c");
            giveGradients(2);
            optimizer.step(1);
            assertThat(values(optimizer.state(), "steps.a")).containsExactly(1);
            assertThat(values(optimizer.state(), "steps.b")).containsExactly(0);
        }
    }
}
