package org.plant4j.model.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.Segments;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;
import org.plant4j.train.Objective;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;
import org.plant4j.train.TrainingCheckpoint;

class DescriptionAttentionTest {

    private static final EncoderConfig BILSTM = new EncoderConfig.BiLstm(6, 4, 0);
    private static final List<int[]> DOCUMENTS = List.of(tokens(13, 1), tokens(5, 2), tokens(1, 3), tokens(30, 4));
    private static final int[] ALL = IntStream.range(0, TinyCorpus.LABELS).toArray();

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static int[] tokens(int count, long seed) {
        return new Random(seed).ints(count, 2, TinyCorpus.VOCABULARY).toArray();
    }

    private static DescriptionAttention network(boolean batching, int checkpointTokens, Compute compute) {
        Engine.setSeed(1);
        DescriptionAttention network = DescriptionAttention.Config.builder(BILSTM)
                .projection(5)
                .initialDeviation(0.3)
                .windows(6, 2)
                .batching(batching)
                .labelTokens(4)
                .checkpointTokens(checkpointTokens)
                .build()
                .build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, compute);
        network.setDescriptions(TinyCorpus.DESCRIPTIONS);
        return network;
    }

    private static Map<String, double[]> gradients(LabelNetwork<?> network) {
        TinyCorpus corpus =
                new TinyCorpus(DOCUMENTS, List.of(new int[] {0, 3}, new int[] {1}, new int[] {2, 4}, new int[] {5, 0}));
        int[] all = {0, 1, 2, 3};
        Map<String, double[]> gradients = new LinkedHashMap<>();
        try (PointerScope scope = new PointerScope()) {
            Tensor targets = new Batches(corpus, 4, 1000, 1).targets(all, TinyCorpus.LABELS, network.compute());
            Segments segments = new Segments(DOCUMENTS, Integer.MAX_VALUE, true, network.compute());
            Tensor loss = network.computeGradients(segments, targets, Loss.BALANCED);
            gradients.put("loss", new double[] {loss.item_double()});
            network.parameters().forEach((name, tensor) -> gradients.put(name, Golden.values(tensor.grad())));
        }
        return gradients;
    }

    private static void assertNear(Map<String, double[]> found, Map<String, double[]> expected) {
        assertThat(found).containsOnlyKeys(expected.keySet());
        expected.forEach((name, values) -> assertThat(found.get(name)).as(name).containsExactly(values, within(2e-5)));
        expected.forEach((name, values) -> assertThat(
                        Arrays.stream(values).map(Math::abs).max().orElse(0))
                .as(name)
                .isGreaterThan(1e-7)); // every parameter has a gradient
    }

    /** Evidence that is not spread to neighbouring tokens. */
    private static float[][] tokenEvidence(Model model, int[] document, int... labels) {
        return model.predict(
                        List.of(document),
                        PredictionRequest.evidence(labels).withEvidenceMethod(EvidenceMethod.ATTENTION_VALUE))
                .get(0)
                .evidence();
    }

    private static List<float[]> descriptionEvidence(Model model, int[] document, int... labels) {
        return model.predict(
                        List.of(document), PredictionRequest.evidence(labels).withDescriptionEvidence())
                .get(0)
                .descriptionEvidence();
    }

    @Test
    void gradientCheckpointingDoesNotChangeGradients() {
        try (DescriptionAttention plain = network(true, 4096, Compute.CPU);
                DescriptionAttention checkpointed = network(true, 8, Compute.CPU);
                DescriptionAttention oneByOne = network(true, 1, Compute.CPU)) {
            Map<String, double[]> expected = gradients(plain);
            assertNear(gradients(checkpointed), expected);
            assertNear(gradients(oneByOne), expected);
        }
    }

    @Test
    void labelRangesDoNotChangeGradients() {
        Compute narrow = Compute.CPU.withLabelMemory(120L * 144 * 2); // fits two or three labels
        try (DescriptionAttention all = network(true, 4096, Compute.CPU);
                DescriptionAttention ranges = network(true, 8, narrow)) {
            assertThat(ranges.labelRanges(TinyCorpus.LABELS, 120).size()).isBetween(2, 5);
            assertNear(gradients(ranges), gradients(all));
        }
    }

    @Test
    void withoutBatchingOnlyTheFirstWindowIsEncoded() {
        try (DescriptionAttention first = network(false, 4096, Compute.CPU);
                DescriptionAttention all = network(true, 4096, Compute.CPU)) {
            int[] document = tokens(30, 5);
            float[] cut = first.score(List.of(Arrays.copyOf(document, 6)))[0];
            assertThat(first.score(List.of(document))[0]).containsExactly(cut, within(1e-6f));
            assertThat(all.score(List.of(document))[0]).isNotEqualTo(cut);
            for (float[] weights : tokenEvidence(first, document, ALL)) {
                assertThat(weights).hasSize(30);
                assertThat(Arrays.copyOfRange(weights, 6, 30)).containsOnly(0f);
            }
        }
    }

    @Test
    void aDocumentHasTheScoresOfItsBestWindow() {
        try (DescriptionAttention network = network(true, 4096, Compute.CPU)) {
            int[] document = tokens(10, 6); // two windows of six tokens that share two
            float[] whole = network.score(List.of(document))[0];
            float[] one = network.score(List.of(Arrays.copyOf(document, 6)))[0];
            float[] two = network.score(List.of(Arrays.copyOfRange(document, 4, 10)))[0];
            float[][] evidence = tokenEvidence(network, document, ALL);
            for (int label = 0; label < whole.length; label++) {
                assertThat(whole[label]).isEqualTo(Math.max(one[label], two[label]), within(1e-6f));
                float[] otherWindow = one[label] > two[label]
                        ? Arrays.copyOfRange(evidence[label], 6, 10)
                        : Arrays.copyOf(evidence[label], 4);
                assertThat(otherWindow).as("the other window").containsOnly(0f);
            }
        }
    }

    @Test
    void anOptimizerStepInvalidatesTheCachedDescriptions(@TempDir Path directory) {
        TinyCorpus corpus = TinyCorpus.of(20, 1);
        try (DescriptionAttention network = network(true, 4096, Compute.CPU);
                DescriptionAttention loaded = network(true, 4096, Compute.CPU)) {
            network.score(corpus.documents());
            ClassificationObjective.Validator validator = new ClassificationObjective.Validator() {
                @Override
                public Objective.Validation validate(int epoch) {
                    network.save(directory);
                    loaded.load(directory);
                    assertThat(network.score(corpus.documents())).isDeepEqualTo(loaded.score(corpus.documents()));
                    return new Objective.Validation(0, 0);
                }

                @Override
                public void saveBest() {}
            };
            ClassificationObjective objective = new ClassificationObjective(
                    network, new Batches(corpus, 20, 1000, 1), FineTuning.uniform(0.01, 0), Loss.PLAIN, validator);
            new Trainer<>(
                            new TrainerConfig(3, 0, 1, 0.9, 0.99, 3),
                            objective,
                            Compute.CPU,
                            1,
                            new TrainingCheckpoint(directory.resolve("checkpoint"), "test"),
                            Progress.NONE,
                            () -> false)
                    .run();
        }
    }

    @Test
    void tokensOfTheDescriptionAreItsEvidence() {
        try (DescriptionAttention network = network(true, 4096, Compute.CPU)) {
            List<float[]> evidence = descriptionEvidence(network, tokens(9, 7), ALL);
            assertThat(evidence).hasSize(TinyCorpus.LABELS);
            assertThat(evidence.stream().map(weights -> weights.length)).containsExactly(2, 3, 1, 4, 2, 1);
            for (float[] weights : evidence) {
                double sum = 0;
                for (float weight : weights) {
                    assertThat(weight).isNotNegative();
                    sum += weight;
                }
                assertThat(sum)
                        .satisfiesAnyOf(
                                s -> assertThat(s).isZero(), s -> assertThat(s).isCloseTo(1, within(1e-5)));
            }
            assertThat(descriptionEvidence(network, tokens(9, 7), new int[] {3}).get(0))
                    .containsExactly(evidence.get(3), within(1e-5f));
            assertThat(descriptionEvidence(network, new int[0], ALL)).hasSize(TinyCorpus.LABELS);
            assertThat(descriptionEvidence(network, tokens(9, 7), new int[0])).isEmpty();
        }
    }

    @Test
    void labelChunksDoNotChangeEvidence() {
        Compute narrow = Compute.CPU.withLabelMemory(9L * 144 * 2); // fits two labels
        int[] document = tokens(9, 7);
        try (DescriptionAttention all = network(true, 4096, Compute.CPU);
                DescriptionAttention chunked = network(true, 4096, narrow)) {
            assertThat(chunked.labelChunks(ALL, 9)).hasSize(3);
            float[][] expected = all.evidence(document, ALL);
            float[][] found = chunked.evidence(document, ALL);
            List<float[]> inDescriptions = descriptionEvidence(all, document, ALL);
            List<float[]> foundInDescriptions = descriptionEvidence(chunked, document, ALL);
            for (int label : ALL) {
                assertThat(found[label]).containsExactly(expected[label], within(1e-5f));
                assertThat(foundInDescriptions.get(label)).containsExactly(inDescriptions.get(label), within(1e-5f));
            }
        }
    }

    @Test
    void beforeTrainingADescriptionTokenAttendsToItself() {
        // Untrained and without context, a description token attends to the same token in the document.
        Engine.setSeed(2);
        try (DescriptionAttention network = DescriptionAttention.Config.builder(BILSTM)
                .projection(64)
                .labelAttention(false)
                .initialDeviation(0)
                .initialBias(0)
                .windows(20, 0)
                .labelTokens(4)
                .build()
                .build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU)) {
            network.setDescriptions(TinyCorpus.DESCRIPTIONS);
            try (NoGradGuard noGrad = new NoGradGuard()) {
                Golden.tensor(network.parameters(), "encoder.embedding.weight").mul_(new Scalar(40));
                network.parameters().forEach((name, tensor) -> {
                    if (name.startsWith("encoder.lstm")) {
                        tensor.zero_();
                    }
                });
            }
            int[] document = {9, 10, 4, 11, 12};
            assertThat(tokenEvidence(network, document, 2)[0][2]).isGreaterThan(0.9f);
            float[] scores = network.score(List.of(document))[0];
            assertThat(IntStream.of(ALL).filter(label -> scores[label] > scores[2]))
                    .isEmpty();
        }
    }

    @Test
    void everyLabelNeedsADescriptionBeforePrediction() {
        try (DescriptionAttention network = DescriptionAttention.Config.builder(BILSTM)
                .projection(5)
                .initialDeviation(0.3)
                .windows(6, 2)
                .labelTokens(4)
                .build()
                .build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU)) {
            assertThatThrownBy(() -> network.setDescriptions(List.of(new int[] {2})))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("descriptions: 1 (expected: 6)");
            assertThatThrownBy(() -> network.score(DOCUMENTS)).isInstanceOf(IllegalStateException.class);
        }
    }
}
