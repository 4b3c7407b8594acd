package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.plant4j.Precision;
import org.plant4j.Progress;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingCheckpoint;

class RankingObjectiveTest {

    private static final int VOCABULARY = 200;
    private static final int LABELS = 60;
    private static final int TOPICS = 6;

    @TempDir
    Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static RankConfig config(int heldOut) {
        return RankConfig.builder()
                .epochs(30)
                .warmupRatio(0.1)
                .learningRate(0.02)
                .weightDecay(0.01)
                .batchLabels(10)
                .topTokens(20)
                .sampledTokens(30)
                .samplingPower(0.75)
                .k(10)
                .maxGrade(6)
                .heldOutEvery(heldOut)
                .build();
    }

    /** The labels of a topic share its tokens, each in its own order, so that held-out tokens can be predicted. */
    private static Relevance topics() {
        Random random = new Random(5);
        int[][] tokens = new int[LABELS][];
        float[][] gains = new float[LABELS][];
        for (int label = 0; label < LABELS; label++) {
            int first = 2 + label % TOPICS * 20;
            List<Integer> topic =
                    new ArrayList<>(IntStream.range(first, first + 20).boxed().toList());
            Collections.shuffle(topic, random);
            tokens[label] = topic.stream().mapToInt(i -> i).toArray();
            gains[label] = new float[20];
            for (int i = 0; i < 20; i++) {
                gains[label][i] = 1f / (i + 1);
            }
        }
        tokens[LABELS - 1] = new int[0]; // a label without tokens
        gains[LABELS - 1] = new float[0];
        return new Relevance(tokens, gains);
    }

    private static long[] frequencies() {
        return IntStream.range(0, VOCABULARY).mapToLong(i -> 1 + 1000 / (i + 1)).toArray();
    }

    private RankingObjective training(RankModel model, RankConfig config) {
        return new RankingObjective(model, config, topics(), frequencies(), 3);
    }

    private static RankModel model(RankModel.Scorer scorer) {
        Engine.setSeed(1);
        return new RankModel(new RankModel.Config(scorer, 16, 16), VOCABULARY, LABELS, Compute.CPU);
    }

    private Trainer.Outcome train(RankingObjective training) {
        return new Trainer<>(
                        training.trainer(),
                        training,
                        Compute.CPU,
                        3,
                        new TrainingCheckpoint(directory.resolve("checkpoint.safetensors"), "test"),
                        Progress.NONE,
                        () -> false)
                .run();
    }

    @ParameterizedTest
    @EnumSource(RankModel.Scorer.class)
    void trainingRaisesNdcgOnHeldOutPairs(RankModel.Scorer scorer) {
        RankConfig config = config(4);
        try (RankModel model = model(scorer)) {
            RankingObjective training = training(model, config);
            double before = training.validate().metric();

            train(training);

            assertThat(before).isBetween(0.0, 0.3);
            // Negative scores have no gradient after the last activation of MLP_RELU, so it learns more slowly.
            double gain = scorer == RankModel.Scorer.MLP_RELU ? 0.2 : 0.3;
            assertThat(training.validate().metric()).isGreaterThan(before + gain);
        }
    }

    @Test
    void validationWithoutHeldOutTokensHasNoMetric() {
        Relevance few = new Relevance(new int[][] {{2, 3, 4}, {5}, {}}, new float[][] {{3, 2, 1}, {1}, {}});
        try (RankModel model =
                new RankModel(new RankModel.Config(RankModel.Scorer.DOT, 16, 16), VOCABULARY, 3, Compute.CPU)) {
            RankingObjective training = new RankingObjective(model, config(4), few, frequencies(), 3);

            assertThat(training.validate().metric()).isNaN();
            assertThat(train(training).history().epochs()).hasSize(30);
        }
    }

    /** Only scores are computed in bfloat16; nDCG of the same order is the same. */
    @Test
    void heldOutNdcgIsComputedInFloat32() {
        Relevance one =
                new Relevance(new int[][] {IntStream.range(2, 22).toArray()}, new float[][] {topics().gains(0)});
        double[] metrics = new double[2];
        for (int i = 0; i < 2; i++) {
            Compute compute = i == 0 ? Compute.CPU : new Compute(false, Precision.BFLOAT16);
            Engine.setSeed(1);
            try (RankModel model =
                    new RankModel(new RankModel.Config(RankModel.Scorer.DOT, 16, 16), VOCABULARY, 1, compute)) {
                metrics[i] = new RankingObjective(model, config(4), one, frequencies(), 3)
                        .validate()
                        .metric();
            }
        }
        assertThat(metrics[1]).isEqualTo(metrics[0]);
    }

    @Test
    void equalSeedsGiveEqualLosses() {
        RankConfig config = config(0);
        double[][] losses = new double[2][];
        for (int i = 0; i < 2; i++) {
            try (RankModel model = model(RankModel.Scorer.DOT)) {
                losses[i] = new Trainer<>(
                                training(model, config).trainer(),
                                training(model, config),
                                Compute.CPU,
                                3,
                                new TrainingCheckpoint(directory.resolve("checkpoint" + i), "test"),
                                Progress.NONE,
                                () -> false)
                        .run().history().epochs().stream()
                                .mapToDouble(epoch -> epoch.trainLoss())
                                .toArray();
            }
        }
        assertThat(losses[0]).isEqualTo(losses[1]);
        assertThat(losses[0][29]).isLessThan(losses[0][0] / 4);
    }

    @Test
    void anEpochHasEachLabelWithTokensOnce() {
        RankConfig config = config(0);
        try (RankModel model = model(RankModel.Scorer.DOT)) {
            RankingObjective training = training(model, config);

            int[] labels = training.batches(1).stream()
                    .flatMapToInt(Arrays::stream)
                    .sorted()
                    .toArray();

            assertThat(labels).isEqualTo(IntStream.range(0, LABELS - 1).toArray());
            assertThat(training.batches(1).get(0))
                    .hasSize(10)
                    .isEqualTo(training.batches(1).get(0));
            assertThat(training.batches(1).get(0))
                    .isNotEqualTo(training.batches(2).get(0));
        }
    }
}
