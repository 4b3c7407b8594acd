package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.MetricNames;
import org.plant4j.Thresholds;
import org.plant4j.UserError;

class PredictionsTest {

    /** Ranking a, b, c, d, …; gold a (1), c (3), z (7, not listed) and u, which is outside the label space. */
    private static final Predictions.ScoredDocument FIRST = new Predictions.ScoredDocument(
            "one",
            List.of("a", "c", "z", "u"),
            List.of(1, 3, 7, 0),
            List.of("a", "b"),
            List.of("a", "b", "c", "d"),
            List.of(.9f, .8f, .7f, .6f));

    private static final Predictions.ScoredDocument SECOND = new Predictions.ScoredDocument(
            "two", List.of("b"), List.of(2), List.of("a"), List.of("a", "b"), List.of(.9f, .8f));

    private static final Predictions PREDICTIONS = new Predictions(List.of(FIRST, SECOND));

    @Test
    void missingPredictionsAreNamed(@TempDir Path directory) {
        assertThatThrownBy(() -> Predictions.read(directory.resolve("predictions-dev.jsonl.gz")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("There are no stored predictions")
                .hasMessageContaining("a packed model has none");
    }

    @Test
    void codesBehindRemovedCodesMoveUp() {
        Predictions remaining = PREDICTIONS.excluding(Set.of("a", "z"));
        Predictions.ScoredDocument one = remaining.documents().get(0);
        assertThat(one.gold()).containsExactly("c", "u");
        assertThat(one.goldRanks()).containsExactly(2, 0); // b still ranks before it
        assertThat(one.predicted()).containsExactly("b");
        assertThat(one.topCodes()).containsExactly("b", "c", "d");
        assertThat(remaining.documents().get(1).goldRanks()).containsExactly(1);
        // z is not listed: it moves up by a and by c, whose rank is known because it is gold.
        assertThat(PREDICTIONS.excluding(Set.of("a", "c")).documents().get(0).goldRanks())
                .containsExactly(5, 0);
        assertThat(PREDICTIONS.excluding(Set.of())).isEqualTo(PREDICTIONS);
    }

    @Test
    void metricsExcludeRemovedCodes() {
        Map<String, Double> all = PREDICTIONS.metrics(List.of());
        // (1/1 + 2/3 + 3/7) / 4 and (1/2) / 1
        assertThat(all.get(MetricNames.MAP)).isEqualTo((((1 + 2.0 / 3 + 3.0 / 7) / 4) + 0.5) / 2, within(1e-9));
        assertThat(all)
                .containsEntry(MetricNames.MICRO_PRECISION, 1.0 / 3)
                .containsEntry(MetricNames.MICRO_RECALL, 0.2);
        assertThat(all)
                .containsEntry(MetricNames.PREDICTED_PER_DOCUMENT, 1.5)
                .containsEntry(MetricNames.PREDICTED_LABELS, 2.0);
        // Without b the second document has no gold codes, so MAP covers the first alone: ranks 1, 2, 6.
        Map<String, Double> remaining = PREDICTIONS.excluding(Set.of("b")).metrics(List.of());
        assertThat(remaining.get(MetricNames.MAP)).isEqualTo((1 + 2.0 / 2 + 3.0 / 6) / 4, within(1e-9));
        assertThat(remaining)
                .containsEntry(MetricNames.MICRO_PRECISION, 0.5)
                .containsEntry(MetricNames.PREDICTED_LABELS, 1.0);
    }

    @Test
    void documentsAreWrittenInOrderBlockByBlock(@TempDir Path directory) {
        int documents = 2_500;
        Random random = new Random(1);
        float[][] rows = new float[documents][4];
        LabelSet[] gold = new LabelSet[documents];
        for (int d = 0; d < documents; d++) {
            for (int label = 0; label < 4; label++) {
                rows[d][label] = random.nextFloat();
            }
            gold[d] = LabelSet.of(d % 5); // label 4 is outside the label space
        }
        List<String> ids = IntStream.range(0, documents).mapToObj(d -> "d" + d).toList();
        Scores scores = Scores.of(rows);
        Thresholds thresholds = Thresholds.global(.5f);
        Path file = directory.resolve("predictions.jsonl.gz");
        Predictions.write(file, ids, label -> "C" + label, scores, gold, thresholds, 2);
        assertThat(Predictions.read(file))
                .isEqualTo(Predictions.of(ids, label -> "C" + label, scores, gold, thresholds, 2));
    }
}
