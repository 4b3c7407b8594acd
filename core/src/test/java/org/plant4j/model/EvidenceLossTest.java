package org.plant4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.model.baseline.Laat;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.model.plant.Direction;
import org.plant4j.model.plant.Plant;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenEvidence;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;

class EvidenceLossTest {

    private static final int[] BOTH = {0, 1};
    private static final double WEIGHT = 0.7;

    /**
     * Two documents. The second label of the first one has two mentions; a label of the second has an unknown token (1) as
     * its only evidence, which does not count.
     */
    private static final Dataset CORPUS = new Dataset() {
        @Override
        public int size() {
            return 2;
        }

        @Override
        public int[] tokens(int document) {
            return document == 0 ? new int[] {3, 5, 4, 7, 2, 9} : new int[] {6, 1, 3, 2};
        }

        @Override
        public int[] labels(int document) {
            return document == 0 ? new int[] {0, 2} : new int[] {1, 2};
        }

        @Override
        public List<TokenEvidence> evidence(int document) {
            return document == 0
                    ? List.of(new TokenEvidence(0, 1, 3), new TokenEvidence(2, 0, 1), new TokenEvidence(2, 4, 6))
                    : List.of(new TokenEvidence(2, 3, 4), new TokenEvidence(1, 1, 2));
        }
    };

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    static Stream<NetworkConfig> networks() {
        EncoderConfig lstm = new EncoderConfig.BiLstm(6, 4, 0);
        EncoderConfig awd = new EncoderConfig.Awd(new AwdLstm.Config(6, 4, 1, 0, 0, 0, 0, 1));
        return Stream.of(
                new Laat.Config(6, 4, 4, 0, 0, 0.5, -1),
                unplanted(lstm).build(),
                unplanted(lstm).direction(Direction.BACKWARD).build(),
                unplanted(awd).build());
    }

    private static Plant.Config.Builder unplanted(EncoderConfig encoder) {
        return Plant.Config.builder(encoder).fixed(false).differentiable(false).initialDeviation(0.5);
    }

    private static LabelNetwork<?> build(NetworkConfig config) {
        Engine.setSeed(7);
        return config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU);
    }

    private static ClassificationObjective objective(LabelNetwork<?> network, double weight) {
        Batches batches = new Batches(CORPUS, 2, 1000, 1);
        return new ClassificationObjective(
                network, epoch -> batches, FineTuning.uniform(0.05, 0), Loss.PLAIN, weight, new NoValidation());
    }

    /** The attention weights of a label, in the order of the text. */
    private static float[] attention(LabelNetwork<?> network, int document, int label) {
        return network.predict(
                        List.of(CORPUS.tokens(document)),
                        PredictionRequest.evidence(label).withEvidenceMethod(EvidenceMethod.ATTENTION))
                .get(0)
                .evidence()[0];
    }

    @ParameterizedTest
    @MethodSource("networks")
    void theLossIsTheNegativeLogarithmOfTheAttentionOnGoldTokens(NetworkConfig config) {
        try (PointerScope scope = new PointerScope();
                LabelNetwork<?> network = build(config)) {
            float[] first = attention(network, 0, 0);
            float[] second = attention(network, 0, 2);
            float[] third = attention(network, 1, 2);
            double expected = -WEIGHT
                    / 2
                    * (Math.log(first[1] + first[2])
                            + Math.log(second[0] + second[4] + second[5])
                            + Math.log(third[3]));
            double with = objective(network, WEIGHT).trainingStep(BOTH).item_float();
            double without = objective(network, 0).trainingStep(BOTH).item_float();
            assertThat(with - without).isCloseTo(expected, within(1e-5));
        }
    }

    private static Map<String, double[]> gradients(LabelNetwork<?> network, Runnable step) {
        network.parameters()
                .values()
                .forEach(parameter -> parameter.mutable_grad().reset());
        step.run();
        Map<String, double[]> gradients = new TreeMap<>();
        network.parameters()
                .forEach((name, parameter) -> gradients.put(
                        name,
                        parameter.grad().defined()
                                ? Golden.values(parameter.grad())
                                : new double[(int) parameter.numel()]));
        return gradients;
    }

    /** Autograd over the whole network at once. */
    private static <E extends Encoding<E>> Tensor expectedLoss(LabelNetwork<E> network) {
        Batch batch = Batch.of(List.of(CORPUS.tokens(0), CORPUS.tokens(1)), Compute.CPU);
        Tensor attention = network.attentionWeights(
                batch, network.encode(batch, EncoderState.EMPTY), LabelSelection.ALL); // (B, T, L)
        List<Tensor> logs = new ArrayList<>();
        for (int row : BOTH) {
            for (int label : CORPUS.labels(row)) {
                List<TokenEvidence> gold = CORPUS.evidence(row).stream()
                        .filter(entry -> entry.label() == label && label != 1)
                        .toList();
                Tensor weights = attention.select(0, row).select(1, label);
                gold.stream()
                        .map(entry -> weights.narrow(0, entry.start(), entry.end() - entry.start())
                                .sum())
                        .reduce(Tensor::add)
                        .ifPresent(sum -> logs.add(sum.div(weights.sum()).log()));
            }
        }
        return logs.stream().reduce(Tensor::add).orElseThrow().mul(new Scalar(-WEIGHT / 2));
    }

    @Test
    void gradientsAreThoseOfAutograd() {
        Supplier<LabelNetwork<?>> networks = () -> build(new Laat.Config(6, 4, 4, 0, 0, 0.5, -1));
        try (PointerScope scope = new PointerScope();
                LabelNetwork<?> network = networks.get()) {
            Map<String, double[]> expected =
                    gradients(network, () -> expectedLoss(network).backward());
            Map<String, double[]> without =
                    gradients(network, () -> objective(network, 0).trainingStep(BOTH));
            Map<String, double[]> with =
                    gradients(network, () -> objective(network, WEIGHT).trainingStep(BOTH));
            with.forEach((name, values) -> {
                double[] before = Objects.requireNonNull(without.get(name));
                double[] difference = new double[values.length];
                for (int i = 0; i < values.length; i++) {
                    difference[i] = values[i] - before[i];
                }
                assertThat(difference).as(name).containsExactly(expected.get(name), within(1e-5));
            });
            assertThat(DoubleStream.of(Objects.requireNonNull(expected.get("attention.weight")))
                            .map(Math::abs)
                            .sum())
                    .isPositive();
        }
    }
}
