package org.plant4j.model.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.values;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Precision;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.NoValidation;
import org.plant4j.model.Shortlist;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.TrainingLabels;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;

class ShortlistedPlantTest {

    private static final TinyCorpus CORPUS = TinyCorpus.of(40, 1);
    private static final List<int[]> DOCUMENTS = CORPUS.documents().subList(0, 5);

    private static Plant.Config.Builder config() {
        return Plant.Config.builder(new EncoderConfig.BiLstm(5, 4, 0))
                .ranker(new RankModel.Config(RankModel.Scorer.DOT, 3, 6))
                .scales(List.of(1.0, 0.7, 1.3))
                .nullTokens(3)
                .initialDeviation(0.5)
                .initialBias(-1);
    }

    private static Map<String, double[]> gradients(Plant plant, Loss loss, TrainingLabels labels) {
        new ClassificationObjective(
                        plant,
                        epoch -> new Batches(CORPUS, 5, 1000, 1),
                        FineTuning.uniform(1, 0),
                        loss,
                        0,
                        labels,
                        new NoValidation())
                .trainingStep(new int[] {0, 1, 2, 3, 4});
        Map<String, double[]> gradients = new TreeMap<>();
        plant.parameters().forEach((name, parameter) -> {
            Tensor gradient = parameter.grad();
            gradients.put(name, values(gradient.is_sparse() ? gradient.to_dense() : gradient));
        });
        return gradients;
    }

    private static Tensor weights(Plant plant, String name) {
        return Objects.requireNonNull(plant.parameters().get(name), name);
    }

    /** In one range of labels and label by label. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 1})
    void aShortlistOfAllLabelsHasTheGradientsOfAllLabels(long labelMemory) {
        for (Loss loss : Loss.values()) {
            try (PointerScope scope = new PointerScope();
                    Plant whole = PlantTest.planted(config().build(), Compute.CPU);
                    Plant listed = PlantTest.planted(config().build(), Compute.CPU.withLabelMemory(labelMemory))) {
                Map<String, double[]> expected = gradients(whole, loss, TrainingLabels.ALL);
                gradients(listed, loss, new TrainingLabels(TinyCorpus.LABELS, 0))
                        .forEach((name, values) ->
                                assertThat(values).as(name).containsExactly(expected.get(name), within(1e-5)));
                assertThat(listed.labelParameters())
                        .containsOnlyKeys(
                                "attention.weight",
                                "ranker.labels.weight",
                                "ranker.labels.bias",
                                "head.weight",
                                "head.bias")
                        .allSatisfy((name, parameter) ->
                                assertThat(parameter.grad().is_sparse()).isTrue());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "BFLOAT16"})
    void labelsWithTheHighestApproximateLogitsScoreAsInFullScoringAndOthersZero(Precision labelPrecision) {
        Plant.Config listing =
                config().shortlist(3).labelPrecision(labelPrecision).build();
        try (Plant plant = PlantTest.planted(
                        config().labelPrecision(labelPrecision).build(), Compute.CPU);
                Plant listed = PlantTest.planted(listing, Compute.CPU)) {
            float[][] all = plant.score(DOCUMENTS);
            float[][] some = listed.score(DOCUMENTS);
            for (int row = 0; row < all.length; row++) {
                float[] approximate = listed.approximateLogits(List.of(DOCUMENTS.get(row)))[0];
                float[] expected = new float[TinyCorpus.LABELS];
                IntStream.range(0, expected.length)
                        .boxed()
                        .sorted(Comparator.comparing(label -> -approximate[label]))
                        .limit(3)
                        .forEach(label -> expected[label] = 1);
                for (int label = 0; label < expected.length; label++) {
                    expected[label] *= all[row][label];
                }
                assertThat(some[row]).containsExactly(expected, within(1e-6f));
                assertThat(some[row]).contains(0f);
            }
        }
    }

    /** A shortlist is decoded after all segments are encoded, so a batch holds whole documents: 2 · 9,000 tokens are too many. */
    @Test
    void batchesOfAShortlistCountAllSegments() {
        Plant.Config.Builder segments = Plant.Config.builder(
                        new EncoderConfig.Awd(new AwdLstm.Config(5, 4, 1, 0, 0, 0, 0, 1)))
                .segment(72);
        List<int[]> documents = List.of(new int[9000], new int[9000]);
        try (Plant plant = PlantTest.planted(segments.build(), Compute.CPU);
                Plant listed = PlantTest.planted(segments.shortlist(3).build(), Compute.CPU)) {
            assertThat(plant.batches(documents, PredictionRequest.scores())).hasSize(1);
            assertThat(listed.batches(documents, PredictionRequest.scores())).hasSize(2);
        }
    }

    /** The network has 13 hidden dimensions, fewer than the label rows are reduced to. bfloat16 and int8 have 8 bits. */
    @Test
    void approximateLogitsAreExactWithoutReduction() {
        boolean exact = ApproximateLogits.Products.ofThisCpu() == ApproximateLogits.Products.FLOAT32;
        try (Plant plant = PlantTest.planted(config().build(), Compute.CPU)) {
            float[][] scores = plant.score(DOCUMENTS);
            float[][] logits = plant.approximateLogits(DOCUMENTS);
            for (int row = 0; row < scores.length; row++) {
                float[] sigmoid = new float[logits[row].length];
                for (int label = 0; label < sigmoid.length; label++) {
                    sigmoid[label] = (float) (1 / (1 + Math.exp(-logits[row][label])));
                }
                assertThat(sigmoid).containsExactly(scores[row], within(exact ? 1e-5f : 1e-2f));
            }
        }
    }

    @Test
    void bfloat16LabelsTakeHalfOfTheMemoryAndScoreNearlyTheSame() {
        try (Plant plant = PlantTest.planted(config().build(), Compute.CPU);
                Plant rough = PlantTest.planted(
                        config().labelPrecision(Precision.BFLOAT16).build(), Compute.CPU)) {
            assertThat(weights(rough, "head.weight").nbytes())
                    .isEqualTo(weights(plant, "head.weight").nbytes() / 2);
            assertThat(weights(rough, "head.bias").element_size()).isEqualTo(Float.BYTES);
            float[][] expected = plant.score(DOCUMENTS);
            float[][] scores = rough.score(DOCUMENTS);
            for (int row = 0; row < scores.length; row++) {
                assertThat(scores[row]).containsExactly(expected[row], within(0.02f));
            }
        }
    }

    /** Tokens 2 to 5, four labels. Token 2 proposes labels 0 (0.5) and 1 (0.4), token 3 labels 1 (0.2) and 2 (0.1). */
    @Test
    void theShortlistSumsGainsOfDistinctTokens() {
        Relevance relevance = new Relevance(
                new int[][] {{2}, {2, 3}, {3, 5}, {4}}, new float[][] {{0.5f}, {0.4f, 0.2f}, {0.1f, 0.05f}, {0.3f}});
        Shortlist shortlist = new PlantedShortlist(relevance, 6);
        assertThat(shortlist.labels(new int[] {2, 3}, 1)).containsExactly(1);
        assertThat(shortlist.labels(new int[] {3, 2, 3, 3}, 2)).containsExactly(0, 1);
        assertThat(shortlist.labels(new int[] {2, 3}, 3)).containsExactly(0, 1, 2);
        // Too few labels: those with the highest gains of all are added, label 0 before label 1.
        assertThat(shortlist.labels(new int[] {5}, 2)).containsExactly(0, 2);
        assertThat(shortlist.labels(new int[0], 3)).containsExactly(0, 1, 3);
        assertThat(shortlist.labels(new int[0], 9)).containsExactly(0, 1, 2, 3);
    }
}
