package org.plant4j.model.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.Precision;
import org.plant4j.layer.AttentionScales;
import org.plant4j.model.DecodedLogits;
import org.plant4j.model.TinyCorpus;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.GpuOptions;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.train.Loss;

/** The kernels against libtorch's, on a GPU. */
final class FusedPlantedLogitsTest {

    private static final int LABELS = 1003; // several blocks of threads, and padding
    private static final int VOCABULARY = 60;
    private static final int[] LENGTHS = {19, 7, 0, 1, 8, 16};

    @BeforeAll
    static void requireGpu() {
        Engine.load();
        assumeTrue(torch.cuda_is_available(), "no GPU");
    }

    static Stream<Plant.Config> configs() {
        return PlantTest.configs();
    }

    /** A training step with kernels and padding, with all labels at once and in ranges, against one without both. */
    @ParameterizedTest
    @MethodSource("configs")
    void trainingStepHasTheSameGradients(Plant.Config config) {
        Compute fused = new Compute(true, Precision.FLOAT32);
        Compute plain = fused.withGpuOptions(new GpuOptions(false, false, false));
        Map<String, double[]> expected = gradients(config, plain);
        for (long memory : new long[] {Compute.LABEL_MEMORY, 1 << 14, 1}) {
            Map<String, double[]> actual = gradients(config, fused.withLabelMemory(memory));
            expected.forEach((name, gradient) ->
                    assertThat(actual.get(name)).as(name + " " + memory).containsExactly(gradient, within(1e-5)));
        }
    }

    private static Map<String, double[]> gradients(Plant.Config config, Compute compute) {
        Map<String, double[]> gradients = new LinkedHashMap<>();
        try (PointerScope scope = new PointerScope();
                Plant plant = PlantTest.planted(config, compute)) {
            List<int[]> documents = TinyCorpus.of(6, 1).documents();
            float[] gold = new float[documents.size() * TinyCorpus.LABELS];
            for (int i = 0; i < gold.length; i += 3) {
                gold[i] = 1;
            }
            Tensor targets = compute.toDevice(Tensor.create(gold, documents.size(), TinyCorpus.LABELS));
            Tensor loss = plant.computeGradients(
                    new Segments(documents, Integer.MAX_VALUE, true, compute), targets, Loss.PLAIN);
            gradients.put("loss", Golden.values(loss.reshape(1).cpu()));
            plant.parameters().forEach((name, parameter) -> {
                if (parameter.grad().defined()) {
                    gradients.put(name, Golden.values(parameter.grad().cpu()));
                }
            });
        }
        return gradients;
    }

    record Case(
            Precision precision,
            boolean learned,
            boolean fixed,
            boolean ranker,
            int nullTokens,
            LabelSelection labels) {}

    static Stream<Case> cases() {
        return Stream.of(Precision.FLOAT32, Precision.BFLOAT16)
                .flatMap(precision -> Stream.of(LabelSelection.ALL, new LabelSelection.Range(301, 402))
                        .flatMap(labels -> IntStream.range(1, 8)
                                .boxed()
                                .flatMap(sources -> Stream.of(0, 3)
                                        .map(nullTokens -> new Case(
                                                precision,
                                                (sources & 1) > 0,
                                                (sources & 2) > 0,
                                                (sources & 4) > 0,
                                                nullTokens,
                                                labels)))));
    }

    /** Logits and gradients against libtorch's in float32, from inputs that bfloat16 represents exactly. */
    @ParameterizedTest
    @MethodSource("cases")
    void logitsAndGradientsMatchLibtorch(Case given) {
        Compute compute = new Compute(true, given.precision);
        try (PointerScope scope = new PointerScope();
                StaticAttention attention = new StaticAttention(relevance(), VOCABULARY, compute)) {
            Batch batch = batch(compute);
            LabelSelection padded = LabelSelection.padded(given.labels, LABELS, compute);
            int stride = padded.count(LABELS);
            int count = given.labels.count(LABELS);
            List<Tensor> inputs = List.of(random(1, batch, stride), random(2, batch, stride), random(3, batch, stride));
            Tensor gradient = gradient(count, stride);

            Leaves ours = new Leaves(inputs, compute);
            DecodedLogits fused = FusedPlantedLogits.of(
                            compute,
                            batch,
                            ours.get(0),
                            FusedPlantedLogits.Sources.of(
                                    padded,
                                    LABELS,
                                    given.learned ? ours.get(1) : null,
                                    given.fixed ? attention.table() : null,
                                    given.ranker ? ours.get(2) : null),
                            ours.scales,
                            given.nullTokens)
                    .orElseThrow();
            Leaves theirs = new Leaves(inputs, new Compute(true, Precision.FLOAT32));
            DecodedLogits reference = new PlantedLogits(
                    compute,
                    batch,
                    theirs.get(0),
                    new PlantedLogits.Sources(
                            given.learned ? theirs.get(1) : null,
                            given.fixed ? attention.sparse(batch, padded).orElseThrow() : null,
                            null,
                            given.ranker ? theirs.get(2) : null),
                    theirs.scales,
                    given.nullTokens);

            Tensor present = batch.presenceMask(compute);
            assertClose(
                    "logits", fused.logits().mul(present), reference.logits().mul(present), count, 1e-5);
            fused.backward(gradient);
            reference.backward(gradient);
            double tolerance = given.precision == Precision.FLOAT32 ? 1e-5 : 4e-3; // bfloat16 rounds by up to 2^-8
            for (int i = 0; i < 3; i++) {
                assertClose("gradient " + i, ours.gradient(i), theirs.gradient(i), count, tolerance);
            }
            assertClose("scales", ours.scales.values(), theirs.scales.values(), 3, 0);
            assertClose("gradient of the scales", ours.scaleGradient(), theirs.scaleGradient(), 3, 1e-4);
        }
    }

    /** Token logits, learned scores and ranker scores, computed from leaves by functions that do not keep their results. */
    private static final class Leaves {

        private final List<Tensor> leaves;
        private final List<Tensor> values;
        private final AttentionScales scales;

        Leaves(List<Tensor> inputs, Compute compute) {
            torch.ScalarType type =
                    compute.precision() == Precision.BFLOAT16 ? torch.ScalarType.BFloat16 : torch.ScalarType.Float;
            leaves = inputs.stream()
                    .map(input -> {
                        Tensor leaf = compute.toDevice(input).clone();
                        leaf.set_requires_grad(true);
                        return leaf;
                    })
                    .toList();
            values = leaves.stream()
                    .map(leaf -> leaf.mul(new Scalar(1f)).to(type))
                    .toList();
            scales = new AttentionScales(List.of(0.7, 1.3, 0.9), compute);
        }

        Tensor get(int index) {
            return values.get(index);
        }

        @Nullable
        Tensor gradient(int index) {
            return leaves.get(index).grad().defined() ? leaves.get(index).grad() : null;
        }

        Tensor scaleGradient() {
            return Objects.requireNonNull(scales.parameters().get("weight")).grad();
        }
    }

    /** Relative to the largest value, for the labels that are not padding. */
    private static void assertClose(
            String name, @Nullable Tensor actual, @Nullable Tensor expected, int count, double tolerance) {
        if (expected == null || actual == null) {
            assertThat(actual == null).as(name).isEqualTo(expected == null);
            return;
        }
        int last = (int) expected.dim() - 1;
        Tensor ours = actual.narrow(last, 0, count).to(torch.ScalarType.Double);
        Tensor theirs = expected.narrow(last, 0, count).to(torch.ScalarType.Double);
        double error = ours.sub(theirs).abs().max().item_double();
        assertThat(error)
                .as(name)
                .isLessThanOrEqualTo(tolerance * theirs.abs().max().item_double());
        assertThat(torch.isfinite(actual).all().item_bool()).as(name).isTrue();
    }

    private static Tensor random(int seed, Batch batch, int stride) {
        Random random = new Random(seed);
        float[] values = new float[(int) batch.tokens().numel() * stride];
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.round(random.nextGaussian() * 32) / 32f; // exact in bfloat16 up to 8
        }
        return Tensor.create(values, batch.tokens().size(0), batch.tokens().size(1), stride);
    }

    /** No gradient for the document without tokens, and for padding. */
    private static Tensor gradient(int count, int stride) {
        Random random = new Random(4);
        float[] values = new float[LENGTHS.length * stride];
        for (int document = 0; document < LENGTHS.length; document++) {
            for (int label = 0; label < count && LENGTHS[document] > 0; label++) {
                values[document * stride + label] = (float) random.nextGaussian();
            }
        }
        return new Compute(true, Precision.FLOAT32).toDevice(Tensor.create(values, LENGTHS.length, stride));
    }

    private static Batch batch(Compute compute) {
        Random random = new Random(5);
        return Batch.of(
                Arrays.stream(LENGTHS)
                        .mapToObj(length -> random.ints(length, 2, VOCABULARY).toArray())
                        .toList(),
                compute,
                true);
    }

    /** Each label has some relevant tokens, with descending gains. */
    private static Relevance relevance() {
        Random random = new Random(6);
        int[][] tokens = new int[LABELS][];
        float[][] gains = new float[LABELS][];
        for (int label = 0; label < LABELS; label++) {
            tokens[label] = random.ints(2, VOCABULARY).distinct().limit(9).toArray();
            gains[label] = new float[9];
            for (int i = 0; i < 9; i++) {
                gains[label][i] = 1f / (i + 1);
            }
        }
        return new Relevance(tokens, gains);
    }
}
