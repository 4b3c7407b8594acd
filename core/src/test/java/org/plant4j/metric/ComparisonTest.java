package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.Thresholds;
import org.plant4j.UserError;
import org.plant4j.statistics.ApproximateRandomization;
import org.plant4j.statistics.PairedRatio;
import org.plant4j.statistics.Ratio;

class ComparisonTest {

    private static final List<Integer> CUTOFFS = List.of(1, 5, 15);

    @Test
    void thePValueApproximatesTheExactTest() {
        double[] a = {0.9, 0.8, 0.4, 0.7, 0.9, 0.3, 0.6, 0.8, 0.5, 0.7};
        double[] b = {0.7, 0.8, 0.5, 0.4, 0.6, 0.3, 0.2, 0.9, 0.4, 0.5};
        double[] ones = new double[10];
        Arrays.fill(ones, 1);
        PairedRatio pair = new PairedRatio(new Ratio("x", a, ones), new Ratio("x", b, ones));
        double observed = pair.first() - pair.second();
        long asLarge = IntStream.range(0, 1024)
                .filter(swaps -> Math.abs(pair.difference(new long[] {swaps})) >= observed - 1e-12)
                .count();

        double p = new ApproximateRandomization(20_000, 11).pValues(List.of(pair), 10)[0];

        assertThat(asLarge / 1024.0).isBetween(0.02, 0.2);
        assertThat(p).isEqualTo(asLarge / 1024.0, within(0.01));
    }

    @Test
    void equalRunsDoNotDiffer() {
        Predictions run = predictions("unseen", 0);

        Comparison comparison = Comparison.of("a", run, "b", run, CUTOFFS, new ApproximateRandomization(99, 1));

        assertThat(comparison.rows()).allSatisfy(row -> {
            assertThat(row.difference()).isZero();
            assertThat(row.pValue()).isEqualTo(1);
        });
    }

    @Test
    void seedsAreAveragedAndSwappedTogether() {
        Predictions good = predictions("unseen", 0);
        Predictions bad = predictions("unseen", 2);
        ApproximateRandomization test = new ApproximateRandomization(999, 1);

        Comparison one = Comparison.of("a", good, "b", bad, CUTOFFS, test);
        Comparison twice = Comparison.of("a", List.of(good, good), "b", List.of(bad, bad), CUTOFFS, test);
        Comparison mixed = Comparison.of("a", List.of(good, bad), "b", List.of(bad, good), CUTOFFS, test);

        // Identical seeds add no evidence; opposite differences cancel out.
        assertThat(twice.rows()).isEqualTo(one.rows());
        assertThat(mixed.row("MAP").difference()).isEqualTo(0, within(1e-12));
        assertThat(mixed.row("MAP").pValue()).isEqualTo(1);
        assertThat(mixed.row("MAP").first())
                .isEqualTo((one.row("MAP").first() + one.row("MAP").second()) / 2, within(1e-12));
    }

    @Test
    void aClearDifferenceIsSignificantAndReproducible() {
        Predictions good = predictions("unseen", 0);
        Predictions bad = predictions("unseen", 2);

        Comparison comparison = Comparison.of("good", good, "bad", bad, CUTOFFS, new ApproximateRandomization(999, 1));

        assertThat(comparison.documents()).isEqualTo(GoldenData.DOCUMENTS);
        assertThat(comparison.rows().get(0).metric()).isEqualTo(MetricNames.MAP);
        assertThat(comparison.rows().get(0).difference()).isLessThan(-0.1);
        assertThat(comparison.rows().get(0).pValue()).isEqualTo(1 / 1000.0);
        assertThat(Comparison.of("good", good, "bad", bad, CUTOFFS, new ApproximateRandomization(999, 1)))
                .isEqualTo(comparison);
    }

    @Test
    void storedPredictionsReproduceTheMetrics(@TempDir Path directory) {
        GoldenData data = GoldenData.of("unseen");
        Evaluation evaluation = new Evaluator(Evaluator.Options.standard(1), 700, data.frequency())
                .evaluate(Scores.of(data.scores()), data.gold(), Thresholds.global(0.5f));
        Path file = directory.resolve("predictions.jsonl.gz");
        Predictions written = predictions("unseen", 0); // lists three codes only, but R@15 is exact
        written.write(file);

        Predictions read = Predictions.read(file);
        List<Predictions.ScoredDocument> shuffled = new ArrayList<>(read.documents());
        Collections.shuffle(shuffled, new Random(1));
        Comparison comparison =
                Comparison.of("a", read, "b", new Predictions(shuffled), CUTOFFS, new ApproximateRandomization(9, 1));

        assertThat(read).isEqualTo(written);
        assertThat(comparison.rows()).hasSize(2 + 3 * CUTOFFS.size() + 4 + 1).allSatisfy(row -> {
            assertThat(row.first()).as(row.metric()).isEqualTo(evaluation.metric(row.metric()), within(1e-12));
            assertThat(row.difference()).isEqualTo(0, within(1e-12));
        });
    }

    @Test
    void runsOnDifferentDocumentsOrGoldLabelsAreRejected() {
        Predictions run = predictions("unseen", 0);
        Predictions shorter = new Predictions(run.documents().subList(1, 50));
        Predictions other = predictions("full", 0);
        ApproximateRandomization test = ApproximateRandomization.standard(1);

        assertThatThrownBy(() -> Comparison.of("a", run, "b", shorter, CUTOFFS, test))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("same documents");
        assertThatThrownBy(() -> Comparison.of("a", run, "b", other, CUTOFFS, test))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("different gold codes for document 'doc0'");
    }

    @Test
    void errorsNameTheInvalidLine(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("predictions.jsonl.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(
                    "{\"id\":\"d\",\"gold\":[],\"gold_ranks\":[],\"predicted\":[],\"top_codes\":[],\"scores\":[]}\nx\n"
                            .getBytes(StandardCharsets.UTF_8));
        }
        assertThatThrownBy(() -> Predictions.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("predictions.jsonl.gz:2");
    }

    /** Predictions of the golden data, optionally with noise on the scores. */
    private static Predictions predictions(String kind, int noise) {
        GoldenData data = GoldenData.of(kind);
        Random random = new Random(4);
        float[][] scores = data.scores();
        for (float[] row : scores) {
            for (int l = 0; l < row.length; l++) {
                row[l] += noise * random.nextFloat() * 0.5f;
            }
        }
        List<String> ids =
                IntStream.range(0, scores.length).mapToObj(d -> "doc" + d).toList();
        return Predictions.of(ids, label -> "C" + label, Scores.of(scores), data.gold(), Thresholds.global(0.5f), 3);
    }
}
