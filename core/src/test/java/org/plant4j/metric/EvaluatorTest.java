package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Curve;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.MetricNames;
import org.plant4j.Thresholds;
import org.plant4j.UserError;
import org.plant4j.statistics.Bootstrap;

class EvaluatorTest {

    private static final Offset<Double> EXACT = within(1e-12);

    // Three labels with 200, 3 and 0 training documents; label 4 is gold but outside the label space, label 3 never
    // occurs.
    private static final int[] FREQUENCY = {200, 3, 0};
    private static final Scores SCORES = Scores.of(new float[][] {{0.9f, 0.8f, 0.1f}, {0.7f, 0.2f, 0.6f}});
    private static final LabelSet[] GOLD = {LabelSet.of(0, 1), LabelSet.of(0, 1, 4)};

    private final Evaluation evaluation = evaluator().evaluate(SCORES, GOLD, Thresholds.global(0.5f));

    private static Evaluator evaluator() {
        return new Evaluator(Evaluator.Options.standard(5), 300, FREQUENCY);
    }

    @Test
    void microAveragesCountAllPairs() {
        // predicted 0 1 | 0 2; hits 0 1 | 0; gold 5
        assertThat(evaluation.metric(MetricNames.MICRO_PRECISION)).isEqualTo(3 / 4.0, EXACT);
        assertThat(evaluation.metric(MetricNames.MICRO_RECALL)).isEqualTo(3 / 5.0, EXACT);
        assertThat(evaluation.metric(MetricNames.MICRO_F1)).isEqualTo(6 / 9.0, EXACT);
    }

    @Test
    void macroAveragesIncludeTrainingAndGoldLabels() {
        // label 0: P 1, R 1; label 1: P 1, R 1/2; label 2: predicted, never gold; label 4: gold, never predicted
        double precision = (1 + 1 + 0 + 0) / 4.0;
        double recall = (1 + 0.5 + 0 + 0) / 4.0;
        assertThat(evaluation.metric(MetricNames.MACRO_PRECISION)).isEqualTo(precision, EXACT);
        assertThat(evaluation.metric(MetricNames.MACRO_RECALL)).isEqualTo(recall, EXACT);
        assertThat(evaluation.metric(MetricNames.MACRO_F1)).isEqualTo((1 + 2 / 3.0) / 4, EXACT);
        assertThat(evaluation.metric(MetricNames.MACRO_F1_GOLD)).isEqualTo((1 + 2 / 3.0) / 3, EXACT);
        assertThat(evaluation.metric(MetricNames.MACRO_F1_CAML))
                .isEqualTo(2 * precision * recall / (precision + recall), EXACT);
    }

    @Test
    void zeroShotLabelsAreRankedButOnlyAveragedIfGoldOrPredicted() {
        // Labels 2 and 3 have no training documents. The gold label of the second document is ranked behind a wrong
        // one.
        int[] frequency = {200, 3, 0, 0};
        Scores scores = Scores.of(new float[][] {{0.9f, 0.1f, 0.4f, 0.3f}, {0.2f, 0.1f, 0.8f, 0.9f}});
        LabelSet[] gold = {LabelSet.of(0), LabelSet.of(2)};
        Evaluation zeroShot = new Evaluator(Evaluator.Options.standard(5), 300, frequency)
                .evaluate(scores, gold, Thresholds.global(0.5f));
        assertThat(zeroShot.metric(MetricNames.MAP)).isEqualTo((1 + 1 / 2.0) / 2, EXACT);
        assertThat(zeroShot.metric(MetricNames.LABELS)).isEqualTo(4);
        FrequencyBucket unseen = zeroShot.buckets().get(0);
        assertThat(unseen.name()).isEqualTo("unseen");
        assertThat(unseen.metrics())
                .containsEntry(MetricNames.GOLD_LABELS, 1.0)
                .containsEntry(MetricNames.PREDICTED_LABELS, 2.0)
                .containsEntry(MetricNames.MICRO_F1, 2 / 3.0)
                .containsEntry(MetricNames.MAP, 1 / 2.0);
        // With a higher threshold label 3 is not predicted: still ranked before label 2, but not averaged.
        Evaluation strict = new Evaluator(Evaluator.Options.standard(5), 300, frequency)
                .evaluate(scores, gold, Thresholds.global(0.95f));
        assertThat(strict.metric(MetricNames.MAP)).isEqualTo((1 + 1 / 2.0) / 2, EXACT);
        assertThat(strict.metric(MetricNames.LABELS)).isEqualTo(3);
    }

    @Test
    void macroAucExcludesLabelsWithOneClass() {
        // label 0 is always gold and label 1 too; label 2 never: no label has both classes
        assertThat(evaluation.metrics()).doesNotContainKey(MetricNames.MACRO_AUC);
        // gold 0.9 0.8 0.7 0.2 against wrong 0.1 0.6: 4 + 3 of 8 won
        assertThat(evaluation.metric(MetricNames.MICRO_AUC)).isEqualTo(7 / 8.0, EXACT);
    }

    @Test
    void labelsAndLabelsPerDocumentAreCounted() {
        assertThat(evaluation.metric(MetricNames.EXACT_MATCH)).isEqualTo(0.5);
        assertThat(evaluation.metric(MetricNames.LABELS)).isEqualTo(4);
        assertThat(evaluation.metric(MetricNames.GOLD_LABELS)).isEqualTo(3);
        assertThat(evaluation.metric(MetricNames.PREDICTED_LABELS)).isEqualTo(3);
        assertThat(evaluation.metric(MetricNames.GOLD_PER_DOCUMENT)).isEqualTo(2.5);
        assertThat(evaluation.metric(MetricNames.PREDICTED_PER_DOCUMENT)).isEqualTo(2);
    }

    @Test
    void bucketsContainTheLabelsOfTheirFrequency() {
        List<FrequencyBucket> buckets = evaluation.buckets();

        assertThat(buckets.stream().map(FrequencyBucket::name))
                .containsExactly("unseen", "1–5", "6–10", "11–50", "51–100", "101–500", ">500");
        assertThat(buckets.get(0).metrics())
                .containsEntry(MetricNames.LABELS, 2.0) // labels 2 and 4
                .containsEntry(MetricNames.MICRO_RECALL, 0.0)
                .containsEntry(MetricNames.MAP, 0.0);
        assertThat(buckets.get(1).metrics().get(MetricNames.MICRO_F1)).isEqualTo(2 / 3.0, EXACT);
        assertThat(buckets.get(1).metrics()).containsEntry(MetricNames.MAP, 1.0); // the only label of its bucket
        assertThat(buckets.get(5).metrics()).containsEntry(MetricNames.MACRO_F1, 1.0);
        assertThat(buckets.get(6).metrics())
                .containsEntry(MetricNames.LABELS, 0.0)
                .doesNotContainKey(MetricNames.MICRO_F1);
    }

    @Test
    void curvesCoverCutoffsAndFrequencies() {
        Curve precision = Objects.requireNonNull(evaluation.curves().get(Evaluation.PRECISION_AT_K));
        assertThat(precision.x()).hasSize(20).startsWith(1, 2, 3);
        assertThat(precision.y()).startsWith(1, (1 + 0.5) / 2, (2 / 3.0 + 2 / 3.0) / 2);
        assertThat(evaluation.curves().get(Evaluation.F1_BY_FREQUENCY))
                .isEqualTo(
                        new Curve("training frequency", "F1", new double[] {0, 3, 200}, new double[] {0, 2 / 3.0, 1}));
    }

    @Test
    void intervalsContainTheMetricAndAreReproducible() {
        evaluation
                .intervals()
                .forEach((name, interval) -> assertThat(evaluation.metric(name))
                        .as(name)
                        .isBetween(interval.low() - 1e-12, interval.high() + 1e-12));
        assertThat(evaluation.intervals()).containsKeys(MetricNames.MAP, MetricNames.MICRO_F1, "P@5", "PSP@5");
        assertThat(evaluator().evaluate(SCORES, GOLD, Thresholds.global(0.5f))).isEqualTo(evaluation);
        Evaluation quick = new Evaluator(
                        new Evaluator.Options(
                                Evaluator.Options.standard(5).cutoffs(),
                                Evaluator.Options.standard(5).bucketEnds(),
                                20,
                                new Bootstrap(0, 0.95, 5)),
                        300,
                        FREQUENCY)
                .evaluate(SCORES, GOLD, Thresholds.global(0.5f));
        assertThat(quick.intervals()).isEmpty();
        assertThat(quick.metrics()).isEqualTo(evaluation.metrics());
    }

    @Test
    void everyMetricHasADescription() {
        assertThat(evaluation.metrics().keySet())
                .allSatisfy(name ->
                        assertThat(MetricNames.description(name)).as(name).isNotEmpty());
    }

    @Test
    void jsonPreservesValuesAndOrder(@TempDir Path directory) {
        Path file = directory.resolve("metrics.json");
        evaluation.write(file);

        Evaluation read = Evaluation.read(file);

        assertThat(read).isEqualTo(evaluation);
        assertThat(List.copyOf(read.metrics().keySet()))
                .isEqualTo(List.copyOf(evaluation.metrics().keySet()));
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void errorsNameTheInvalidFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("metrics.json"), "{\"documents\": \"many\"}");

        assertThatThrownBy(() -> Evaluation.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("metrics.json")
                .hasMessageContaining("run the experiment again");
        assertThatThrownBy(() -> Evaluation.read(directory.resolve("absent.json")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("absent.json");
    }

    @Test
    void withoutDocumentsThereAreOnlyCounts() {
        Evaluation none = evaluator().evaluate(Scores.of(new float[0][]), new LabelSet[0], Thresholds.global(0.5f));

        assertThat(none.metrics())
                .containsEntry(
                        MetricNames.LABELS,
                        2.0) // the third label has no training document and is neither gold nor predicted
                .containsEntry(MetricNames.GOLD_PER_DOCUMENT, 0.0)
                .doesNotContainKey(MetricNames.MAP);
        assertThat(none.intervals()).isEmpty();
    }

    @Test
    void nanScoresAreRejected() {
        assertThatThrownBy(() -> evaluator()
                        .evaluate(
                                Scores.of(new float[][] {{0.1f, Float.NaN, 0.2f}}),
                                new LabelSet[] {LabelSet.EMPTY},
                                Thresholds.global(0.5f)))
                .hasMessageContaining("NaN at document 0, label 1");
    }
}
