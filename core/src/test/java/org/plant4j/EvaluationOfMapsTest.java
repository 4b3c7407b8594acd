package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class EvaluationOfMapsTest {

    private static final Offset<Double> EXACT = within(1e-12);

    private static final Map<String, Set<String>> GOLD =
            Map.of("1", Set.of("A", "B"), "2", Set.of("C"), "3", Set.of("A"));

    @Test
    void setsAreComparedDocumentByDocument() {
        // Hits 1 + 1 + 0, predicted 1 + 2 + 0, gold 2 + 1 + 1. Document 3 has no predictions.
        Evaluation evaluation = Evaluation.of(GOLD, Map.of("1", List.of("A"), "2", List.of("C", "D")));
        assertThat(evaluation.documents()).isEqualTo(3);
        assertThat(evaluation.metric(MetricNames.MICRO_PRECISION)).isEqualTo(2.0 / 3, EXACT);
        assertThat(evaluation.metric(MetricNames.MICRO_RECALL)).isEqualTo(2.0 / 4, EXACT);
        assertThat(evaluation.metric(MetricNames.MICRO_F1)).isEqualTo(4.0 / 7, EXACT);
        assertThat(evaluation.metric(MetricNames.EXACT_MATCH)).isEqualTo(0, EXACT);
        // F1 per label: A 2/3, B 0, C 1, D 0
        assertThat(evaluation.metric(MetricNames.MACRO_F1)).isEqualTo(5.0 / 12, EXACT);
        assertThat(evaluation.metric(MetricNames.MACRO_F1_GOLD)).isEqualTo(5.0 / 9, EXACT);
        assertThat(evaluation.metric(MetricNames.PREDICTED_PER_DOCUMENT)).isEqualTo(1, EXACT);
        assertThat(evaluation.metric(MetricNames.MAP)).isNaN();
        assertThat(evaluation.intervals()).containsKey(MetricNames.MICRO_F1);
    }

    @Test
    void rankingsNeedNotBeSorted() {
        Map<String, List<RankedCode>> rankings = Map.of(
                "1", List.of(new RankedCode("B", 0.2), new RankedCode("D", 0.6), new RankedCode("A", 0.9)),
                "2", List.of(new RankedCode("A", 0.8), new RankedCode("C", 0.5)));
        Evaluation evaluation = Evaluation.ofRankings(GOLD, rankings, 0.5);
        // Average precision: (1/1 + 2/3) / 2, 1/2, and 0 for the document that is not ranked.
        assertThat(evaluation.metric(MetricNames.MAP)).isEqualTo((5.0 / 6 + 1.0 / 2) / 3, EXACT);
        assertThat(evaluation.metric("P@1")).isEqualTo(1.0 / 3, EXACT);
        // Predicted A D and A C: hits 1 + 1, predicted 2 + 2.
        assertThat(evaluation.metric(MetricNames.MICRO_PRECISION)).isEqualTo(2.0 / 4, EXACT);
        assertThat(evaluation.thresholds()).isEqualTo(Thresholds.global(0.5f));
    }

    @Test
    void invalidMapsAreRejected() {
        assertThatThrownBy(() -> Evaluation.of(Map.of(), Map.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Evaluation.of(GOLD, Map.of("4", Set.of("A"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("predicted: 4 (expected: a document that gold contains)");
        List<RankedCode> twice = List.of(new RankedCode("A", 0.2), new RankedCode("A", 0.6));
        assertThatThrownBy(() -> Evaluation.ofRankings(GOLD, Map.of("1", twice), 0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("codes of document 1");
    }
}
