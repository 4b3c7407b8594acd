package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.plant4j.metric.ErrorAnalysis.Cause;
import org.plant4j.metric.ErrorAnalysis.DocumentErrors;
import org.plant4j.metric.ErrorAnalysis.LabelErrors;
import org.plant4j.metric.Predictions.ScoredDocument;

class ErrorAnalysisTest {

    private final Predictions predictions = new Predictions(List.of(
            document("good", List.of("A", "B"), List.of(1, 2), List.of("A", "B")),
            // B is near, C is far and rare, D is unknown; E is wrong
            document("bad", List.of("B", "C", "D"), List.of(4, 200, 0), List.of("E")),
            document("uncoded", List.of(), List.of(), List.of("A"))));

    private final ErrorAnalysis errors = ErrorAnalysis.of(
            predictions, code -> Map.of("A", 50, "B", 20, "C", 3, "E", 9).getOrDefault(code, 0));

    @Test
    void missedCodesAreCountedByCause() {
        assertThat(errors.missed()).isEqualTo(Map.of(Cause.NEAR_MISS, 1, Cause.RARE_LABEL, 1, Cause.UNSEEN, 1));
        assertThat(errors.goldPairs()).isEqualTo(5);
        assertThat(errors.unseenCodes()).isEqualTo(1);
        assertThat(errors.goldCodes()).isEqualTo(4);
    }

    @Test
    void labelsHaveTheirCounts() {
        assertThat(errors.labels())
                .containsExactly(
                        new LabelErrors("B", 20, 2, 1, 1),
                        new LabelErrors("C", 3, 1, 0, 0),
                        new LabelErrors("D", 0, 1, 0, 0),
                        new LabelErrors("A", 50, 1, 2, 1),
                        new LabelErrors("E", 9, 0, 1, 0));
        assertThat(errors.labels().get(0).f1()).isEqualTo(2.0 / 3);
        assertThat(errors.labels().get(4).recall()).isNaN();
    }

    @Test
    void theWorstDocumentComesFirst() {
        // ranks 4 and 200 of three gold codes: (1/4 + 2/200) / 3
        DocumentErrors worst = errors.documents().get(0);
        assertThat(worst.id()).isEqualTo("bad");
        assertThat(worst.averagePrecision()).isEqualTo((0.25 + 0.01) / 3);
        assertThat(worst.missed()).containsExactly("B", "C", "D");
        assertThat(worst.wrong()).containsExactly("E");
        assertThat(errors.documents()).hasSize(2);
    }

    private static ScoredDocument document(String id, List<String> gold, List<Integer> ranks, List<String> predicted) {
        return new ScoredDocument(id, gold, ranks, predicted, List.of(), List.of());
    }
}
