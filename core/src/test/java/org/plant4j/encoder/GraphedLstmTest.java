package org.plant4j.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.plant4j.tensor.Golden.values;
import static org.plant4j.tensor.Golden.wave;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.Precision;
import org.plant4j.layer.WeightDropLstm;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.CudaGraph;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.GpuOptions;

/** The graphs on a GPU; on a CPU, the same passes without being recorded. */
final class GraphedLstmTest {

    private static final AwdLstm.Config SIZES = new AwdLstm.Config(8, 16, 3, 0, 0, 0, 0, 1);
    private static final int DOCUMENTS = 2;
    private static final int TOKENS = 5;

    @BeforeAll
    static void load() {
        Engine.setThreads(1);
    }

    /** Two segments: gradients pass through hidden states, and through the state from the second segment to the first. */
    @Test
    void twoSegmentsHaveTheOutputsAndGradientsOfTheLayers() {
        try (PointerScope scope = new PointerScope();
                AwdLstm plain = filled(Compute.CPU);
                AwdLstm other = filled(Compute.CPU)) {
            Tensor tokens = tokens(Compute.CPU);
            Encoder.Output first = plain.encode(tokens, EncoderState.EMPTY, true);
            Encoder.Output second = plain.encode(tokens, first.state(), true);
            Golden.backward(first.hiddenStates().add(second.hiddenStates()));

            GraphedLstm one = unrecorded(other, tokens);
            GraphedLstm two = unrecorded(other, tokens);
            Encoder.Output firstGraphed = one.forward(other.embed(tokens, true), EncoderState.EMPTY);
            Encoder.Output secondGraphed = two.forward(other.embed(tokens, true), firstGraphed.state());
            assertThat(one.isBusy()).isTrue();
            assertThat(values(secondGraphed.hiddenStates()))
                    .containsExactly(values(second.hiddenStates()), within(1e-6));
            Golden.backward(firstGraphed.hiddenStates().add(secondGraphed.hiddenStates()));
            assertThat(one.isBusy()).isFalse();
            plain.parameters()
                    .forEach((name, parameter) -> assertThat(values(
                                    Objects.requireNonNull(other.parameters().get(name))
                                            .grad()))
                            .as(name)
                            .containsExactly(values(parameter.grad()), within(1e-6)));
        }
    }

    private static GraphedLstm unrecorded(AwdLstm lstm, Tensor tokens) {
        List<WeightDropLstm> layers = lstm.layers().stream()
                .filter(WeightDropLstm.class::isInstance)
                .map(WeightDropLstm.class::cast)
                .toList();
        return new GraphedLstm(
                layers, List.of(16, 16, 8), 0, lstm.embed(tokens, true), Compute.CPU, (forward, backward) -> {
                    forward.run();
                    backward.run();
                    return new CudaGraph.Passes(forward, backward, () -> {});
                });
    }

    @Test
    void graphsTrainAsKernelsDoOneByOne() {
        assumeTrue(torch.cuda_is_available(), "no GPU");
        for (Precision precision : List.of(Precision.FLOAT32, Precision.BFLOAT16)) {
            Compute graphed = new Compute(true, precision).withGpuOptions(new GpuOptions(true, true, true));
            Compute plain = graphed.withGpuOptions(new GpuOptions(true, true, false));
            Map<String, double[]> expected = gradientsOfSteps(plain);
            Map<String, double[]> actual = gradientsOfSteps(graphed);
            double tolerance = precision == Precision.FLOAT32 ? 1e-6 : 1e-3;
            expected.forEach((name, gradient) -> assertThat(actual.get(name))
                    .as(precision + " " + name)
                    .containsExactly(gradient, within(tolerance)));
        }
    }

    /** More shapes than graphs; several have one document, or one token. */
    @Test
    void batchesOfManyShapesTrainAsKernelsDoOneByOne() {
        assumeTrue(torch.cuda_is_available(), "no GPU");
        int[][] shapes = {{1, 1}, {1, 7}, {3, 1}, {4, 9}, {16, 72}, {5, 30}, {64, 20}};
        for (Precision precision : List.of(Precision.FLOAT32, Precision.BFLOAT16)) {
            Compute graphed = new Compute(true, precision).withGpuOptions(new GpuOptions(true, true, true));
            try (PointerScope scope = new PointerScope();
                    AwdLstm one = filled(graphed);
                    AwdLstm other =
                            filled(graphed.withGpuOptions(graphed.gpuOptions().withGraphs(false)))) {
                for (int round = 0; round < 6; round++) {
                    for (int[] shape : shapes) {
                        Map<String, double[]> actual = gradients(one, graphed, shape, round);
                        double tolerance = precision == Precision.FLOAT32 ? 1e-5 : 1e-2;
                        gradients(other, graphed, shape, round)
                                .forEach((name, gradient) -> assertThat(actual.get(name))
                                        .as(precision + " " + shape[0] + " x " + shape[1] + " " + name)
                                        .containsExactly(gradient, within(tolerance * largest(gradient))));
                    }
                }
                assertThat(one.graphCount()).isEqualTo(4);
                assertThat(other.graphCount()).isZero();
            }
        }
    }

    private static double largest(double[] values) {
        return Arrays.stream(values).map(Math::abs).max().orElseThrow();
    }

    /** Gradients of the sum of the hidden states of random documents. */
    private static Map<String, double[]> gradients(AwdLstm lstm, Compute compute, int[] shape, int seed) {
        Map<String, double[]> result = new LinkedHashMap<>();
        try (PointerScope scope = new PointerScope()) {
            lstm.parameters()
                    .values()
                    .forEach(parameter -> parameter.mutable_grad().reset());
            long[] ids =
                    new Random(seed).longs((long) shape[0] * shape[1], 2, 7).toArray();
            Encoder.Output output;
            try (Compute.Autocast autocast = compute.autocast()) {
                output =
                        lstm.encode(compute.toDevice(Tensor.create(ids, shape[0], shape[1])), EncoderState.EMPTY, true);
            }
            output.hiddenStates().to(torch.ScalarType.Float).sum().backward();
            lstm.parameters()
                    .forEach((name, parameter) ->
                            result.put(name, values(parameter.grad().cpu())));
        }
        return result;
    }

    /** Gradients and hidden states of the last of several steps, in each of which the weights change. */
    private static Map<String, double[]> gradientsOfSteps(Compute compute) {
        Map<String, double[]> result = new LinkedHashMap<>();
        try (PointerScope scope = new PointerScope();
                AwdLstm lstm = filled(compute)) {
            for (int step = 0; step < 6; step++) {
                lstm.parameters()
                        .values()
                        .forEach(parameter -> parameter.mutable_grad().reset());
                Encoder.Output first;
                Encoder.Output second;
                try (Compute.Autocast autocast = compute.autocast()) {
                    first = lstm.encode(tokens(compute), EncoderState.EMPTY, true);
                    second = lstm.encode(tokens(compute), first.state(), true);
                }
                Tensor sum = first.hiddenStates().add(second.hiddenStates()).to(torch.ScalarType.Float);
                result.put("hidden states", values(sum.cpu()));
                sum.mul(compute.toDevice(wave(99, sum.shape()))).sum().backward();
                try (NoGradGuard noGrad = new NoGradGuard()) {
                    lstm.parameters().values().forEach(parameter -> parameter.sub_(parameter.grad()));
                }
            }
            lstm.parameters()
                    .forEach((name, parameter) ->
                            result.put(name, values(parameter.grad().cpu())));
        }
        return result;
    }

    private static Tensor tokens(Compute compute) {
        return compute.toDevice(Tensor.create(new long[] {2, 3, 4, 5, 6, 6, 5, 2, 2, 3}, DOCUMENTS, TOKENS));
    }

    private static AwdLstm filled(Compute compute) {
        AwdLstm lstm = new AwdLstm(SIZES, 7, compute);
        Golden.fill(lstm.parameters());
        return lstm;
    }
}
