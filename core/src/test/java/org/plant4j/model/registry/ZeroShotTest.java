package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.layer.ZeroShotMask;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.NoValidation;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.baseline.PooledBert;
import org.plant4j.model.description.DescriptionAttention;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.Segments;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;
import org.plant4j.train.TrainingCheckpoint;

/** Zero-shot labels in label description attention. */
class ZeroShotTest {

    private static final int TRAINED = 4;
    private static final TinyCorpus CORPUS = TinyCorpus.of(12, 3);
    private static final int[] BATCH = {0, 1, 2, 3, 4};

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static DescriptionAttention.Config config(double zeroShotRate) {
        return DescriptionAttention.Config.builder(new EncoderConfig.BiLstm(6, 4, 0))
                .projection(5)
                .initialDeviation(0.3)
                .windows(6, 2)
                .labelTokens(4)
                .zeroShotRate(zeroShotRate)
                .build();
    }

    /** Four trained labels, followed by zero-shot labels. */
    private static DescriptionAttention network(double zeroShotRate, int labels, Compute compute) {
        Engine.setSeed(1);
        DescriptionAttention network = config(zeroShotRate)
                .build(TinyCorpus.VOCABULARY, TinyCorpus.labels(TRAINED, labels - TRAINED), compute);
        network.setDescriptions(TinyCorpus.DESCRIPTIONS.subList(0, labels));
        return network;
    }

    private static Map<String, double[]> gradients(DescriptionAttention network) {
        Map<String, double[]> gradients = new LinkedHashMap<>();
        try (PointerScope scope = new PointerScope()) {
            Tensor targets = new Batches(CORPUS, 5, 1000, 1).targets(BATCH, network.trainedLabels(), network.compute());
            Segments segments = new Segments(
                    IntStream.of(BATCH).mapToObj(CORPUS::tokens).toList(), Integer.MAX_VALUE, true, network.compute());
            Engine.setSeed(9);
            Tensor loss = network.computeGradients(segments, targets, Loss.BALANCED);
            gradients.put("loss", new double[] {loss.item_double()});
            network.parameters().forEach((name, tensor) -> {
                if (tensor.grad().defined()) {
                    gradients.put(name, Golden.values(tensor.grad()));
                }
            });
        }
        return gradients;
    }

    private static void assertNear(Map<String, double[]> found, Map<String, double[]> expected) {
        assertThat(found).containsOnlyKeys(expected.keySet());
        expected.forEach((name, values) -> assertThat(found.get(name)).as(name).containsExactly(values, within(2e-5)));
    }

    private static List<float[]> descriptionEvidence(Model model, int[] document, int... labels) {
        return model.predict(
                        List.of(document), PredictionRequest.evidence(labels).withDescriptionEvidence())
                .get(0)
                .descriptionEvidence();
    }

    @Test
    void zeroShotLabelsDoNotChangeTraining() {
        try (DescriptionAttention without = network(0, TRAINED, Compute.CPU);
                DescriptionAttention with = network(0, 6, Compute.CPU);
                DescriptionAttention inRanges = network(0, 6, Compute.CPU.withLabelMemory(60L * 144 * 2))) {
            Map<String, double[]> expected = gradients(without);
            assertNear(gradients(with), expected);
            assertThat(inRanges.labelRanges(TRAINED, 60)).hasSize(2);
            assertNear(gradients(inRanges), expected);
            assertThat(with.parameters()).containsKey("head.shared");
            assertThat(without.parameters()).doesNotContainKey("head.shared");
        }
    }

    @Test
    void aLabelTreatedAsZeroShotGetsNoGradientsForItsOwnParameters() {
        double[] mask;
        try (PointerScope scope = new PointerScope()) {
            Engine.setSeed(9);
            mask = Golden.values(new ZeroShotMask(TRAINED, 6, 0.5, Compute.CPU).sampleTrainingMask());
        }
        assertThat(mask).contains(0, 1);
        try (DescriptionAttention network = network(0.5, 6, Compute.CPU);
                DescriptionAttention inRanges = network(0.5, 6, Compute.CPU.withLabelMemory(60L * 144 * 2))) {
            Map<String, double[]> gradients = gradients(network);
            assertNear(gradients(inRanges), gradients);
            double[] own = gradients.getOrDefault("own.weight", new double[0]);
            double[] bias = gradients.getOrDefault("head.bias", new double[0]);
            assertThat(bias).hasSize(TRAINED);
            for (int label = 0; label < TRAINED; label++) {
                assertThat(bias[label] == 0).as("bias of " + label).isEqualTo(mask[label] == 1);
                assertThat(own[label * own.length / TRAINED] == 0)
                        .as("own of " + label)
                        .isEqualTo(mask[label] == 1);
            }
            assertThat(gradients.getOrDefault("head.shared", new double[1])[0]).isNotZero();
        }
    }

    @Test
    void scoresDoNotDependOnRangesOrLoading(@TempDir Path directory) {
        Compute narrow = Compute.CPU.withLabelMemory(40L * 144 * 3); // ranges with trained and zero-shot labels
        try (DescriptionAttention network = network(0.2, 6, Compute.CPU);
                DescriptionAttention ranges = network(0.2, 6, narrow)) {
            network.initializeBias(new int[] {5, 4, 3, 2, 0, 0}, 20);
            network.save(directory);
            ranges.load(directory);
            float[][] scores = network.score(CORPUS.documents());
            float[][] inRanges = ranges.score(CORPUS.documents());
            for (int i = 0; i < scores.length; i++) {
                assertThat(inRanges[i]).hasSize(6).containsExactly(scores[i], within(1e-6f));
            }
            try (Model loaded =
                    config(0.2).load(directory, TinyCorpus.VOCABULARY, TinyCorpus.labels(TRAINED, 2), Compute.CPU)) {
                assertThat(loaded.score(CORPUS.documents())).isDeepEqualTo(scores);
            }
            int[] document = CORPUS.tokens(0);
            int[] chosen = {5, 0, 4};
            float[][] evidence = network.evidence(document, new int[] {0, 1, 2, 3, 4, 5});
            float[][] selected = network.evidence(document, chosen);
            for (int i = 0; i < chosen.length; i++) {
                assertThat(selected[i]).containsExactly(evidence[chosen[i]], within(1e-5f));
            }
            assertThat(descriptionEvidence(network, document, chosen).stream().map(weights -> weights.length))
                    .containsExactly(1, 2, 2);
        }
    }

    @Test
    void biasesStartAtTheLogOddsOfTrainingFrequencies() {
        try (DescriptionAttention network = network(0, 6, Compute.CPU)) {
            network.initializeBias(new int[] {5, 4, 3, 2, 1, 0}, 20);
            try (PointerScope scope = new PointerScope()) {
                assertThat(Golden.values(network.parameters(), "head.bias")[0])
                        .isEqualTo(Math.log(5.5 / 15.5), within(1e-6));
                assertThat(Golden.values(network.parameters(), "head.shared"))
                        .containsExactly(new double[] {Math.log(0.5 / 20.5)}, within(1e-6));
            }
        }
    }

    @Test
    void otherNetworksRejectZeroShotLabels() {
        NetworkConfig pooled = new PooledBert.Config(new EncoderConfig.BiLstm(6, 4, 0), 0, 0.1, -1, 6, 2, true, 8);
        assertThat(pooled.supportsZeroShot()).isFalse();
        assertThatThrownBy(() -> pooled.build(30, TinyCorpus.labels(2, 1), Compute.CPU))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("labels without training documents: 1");
    }

    /** Token n + 2 means label n. The last four labels have no training documents, but their tokens occur in training. */
    @Test
    void aZeroShotLabelWhoseTokenOccursOutranksTheOthers(@TempDir Path directory) {
        int labels = 104;
        int trained = 100;
        Random random = new Random(4);
        List<int[]> documents = new ArrayList<>();
        List<int[]> codes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            int[] document = random.ints(6, 2, labels + 2).toArray();
            documents.add(document);
            codes.add(IntStream.of(document)
                    .map(token -> token - 2)
                    .filter(label -> label < trained)
                    .distinct()
                    .sorted()
                    .toArray());
        }
        TinyCorpus corpus = new TinyCorpus(documents, codes);
        Engine.setSeed(1);
        DescriptionAttention.Config config = DescriptionAttention.Config.builder(new EncoderConfig.BiLstm(64, 4, 0))
                .projection(64)
                .windows(8, 2)
                .labelTokens(4)
                .zeroShotRate(0.3)
                .build();
        try (DescriptionAttention network = config.build(labels + 2, TinyCorpus.labels(trained, 4), Compute.CPU)) {
            network.setDescriptions(IntStream.range(0, labels)
                    .mapToObj(label -> new int[] {label + 2})
                    .toList());
            network.embedding().setVectors(vectors(labels + 2, random));
            train(network, corpus, directory);
            int right = 0;
            for (int label = trained; label < labels; label++) {
                float[] scores = network.score(List.of(new int[] {2, label + 2, 3}))[0];
                for (int other = trained; other < labels; other++) {
                    right += other != label && scores[label] > scores[other] ? 1 : 0;
                }
            }
            assertThat(right).as("of 12, half of them by chance").isGreaterThanOrEqualTo(10);
        }
    }

    /** Token vectors as if pretrained on other texts. */
    private static float[][] vectors(int vocabularySize, Random random) {
        float[][] vectors = new float[vocabularySize][64];
        for (int token = 2; token < vocabularySize; token++) {
            for (int i = 0; i < vectors[token].length; i++) {
                vectors[token][i] = (float) random.nextGaussian();
            }
        }
        return vectors;
    }

    /** The encoder has a low learning rate, like a pretrained one; otherwise it learns to ignore the tokens of zero-shot labels. */
    private static void train(LabelNetwork<?> network, TinyCorpus corpus, Path directory) {
        new Trainer<>(
                        new TrainerConfig(12, 0.3, 1, 0.9, 0.99, 12),
                        new ClassificationObjective(
                                network,
                                new Batches(corpus, 10, 1000, 1),
                                new FineTuning(0.002, 0, 0.01, 1, 1, 0),
                                new NoValidation()),
                        Compute.CPU,
                        1,
                        new TrainingCheckpoint(directory.resolve("checkpoint"), "test"),
                        Progress.NONE,
                        () -> false)
                .run();
    }
}
