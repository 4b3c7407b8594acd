package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Thresholds;

class ScoreFileTest {

    @TempDir
    private Path directory;

    private ScoreFile file(float[][] rows) {
        ScoreFile file = new ScoreFile(directory.resolve("scores"), rows.length, rows[0].length);
        for (float[] row : rows) {
            file.append(row);
        }
        return file;
    }

    @Test
    void denseAndSparseRowsAreReadInAnyOrder() {
        float[][] rows = {
            {0.5f, 0.25f, 1, 0.125f, 0.75f},
            {0, 0, 0, 0.5f, 0},
            {0, 0, 0, 0, 0},
            {0.25f, 0, 0.5f, 0, 0.125f}, // three of five: dense is shorter
            {0, -0.5f, 0, 0, Float.MIN_VALUE}
        };
        try (ScoreFile file = file(rows)) {
            assertThat(file.documents()).isEqualTo(5);
            assertThat(file.labels()).isEqualTo(5);
            for (int document : new int[] {4, 0, 2, 1, 3, 1}) {
                assertThat(file.row(document)).isEqualTo(rows[document]);
            }
        }
    }

    @Test
    void mostlyZeroRowsTakeTheSpaceOfTheirScores() throws Exception {
        float[] row = new float[10_000];
        row[17] = 0.5f;
        row[9_999] = 1;
        try (ScoreFile file = new ScoreFile(directory.resolve("scores"), 1000, row.length)) {
            IntStream.range(0, 1000).forEach(i -> file.append(row));
            assertThat(file.size()).isEqualTo(1000 * 2 * (Integer.BYTES + Float.BYTES));
        }
    }

    @Test
    void closingDeletesTheFile() throws Exception {
        file(new float[][] {{1, 2}}).close();
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void rowsThatAreMissingOrOfAnotherSizeAreRefused() {
        try (ScoreFile file = new ScoreFile(directory.resolve("scores"), 2, 2)) {
            assertThatThrownBy(() -> file.append(new float[3])).hasMessage("labels: 3 (expected: 2)");
            file.append(new float[] {1, 2});
            assertThatThrownBy(() -> file.row(1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void everyMetricIsThatOfScoresInMemory() {
        for (String kind : List.of("empty", "full", "unseen")) {
            GoldenData data = GoldenData.of(kind);
            Scores memory = Scores.of(data.scores());
            Evaluator evaluator =
                    new Evaluator(Evaluator.Options.standard(1), GoldenData.TRAIN_DOCUMENTS, data.frequency());
            List<String> ids = IntStream.range(0, data.gold().length)
                    .mapToObj(String::valueOf)
                    .toList();
            try (ScoreFile file = file(data.scores())) {
                Thresholds thresholds = ThresholdTuner.tunePerLabel(file, data.gold(), 8);
                assertThat(thresholds).isEqualTo(ThresholdTuner.tunePerLabel(memory, data.gold(), 8));
                assertThat(ThresholdTuner.tune(file, data.gold())).isEqualTo(ThresholdTuner.tune(memory, data.gold()));
                assertThat(evaluator.evaluate(file, data.gold(), thresholds))
                        .isEqualTo(evaluator.evaluate(memory, data.gold(), thresholds));
                assertThat(Predictions.of(ids, label -> "C" + label, file, data.gold(), thresholds, 5))
                        .isEqualTo(Predictions.of(ids, label -> "C" + label, memory, data.gold(), thresholds, 5));
            }
        }
    }
}
