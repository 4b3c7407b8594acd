package org.plant4j.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.Interval;
import org.plant4j.MetricNames;
import org.plant4j.Thresholds;

class MetricTablesTest {

    private static final Evaluation EVALUATION = new Evaluation(
            10,
            Thresholds.global(0.5f),
            metrics(),
            Map.of(MetricNames.MAP, new Interval(0.61, 0.66, 0.95)),
            List.of(new FrequencyBucket("1–5", 1, 5, metrics())),
            Map.of());

    private static Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put(MetricNames.MAP, 0.63604);
        metrics.put(MetricNames.GOLD_LABELS, 1234.0);
        metrics.put(MetricNames.GOLD_PER_DOCUMENT, 2.5);
        return metrics;
    }

    @Test
    void fractionsAreInPercentAndCountsUnchanged() {
        ReportTable table = MetricTables.bySplit(
                List.of(MetricNames.MAP, MetricNames.GOLD_LABELS, MetricNames.GOLD_PER_DOCUMENT, "P@5"),
                Map.of("dev", EVALUATION));
        assertThat(table.toMarkdown()).isEqualTo("""
                | metric | dev |
                |---|---:|
                | MAP | 63.60 (61.00–66.00) |
                | gold-labels | 1,234 |
                | gold-per-document | 2.50 |
                | P@5 | – |
                """);
    }

    @Test
    void bucketsHaveOneRowEach() {
        assertThat(MetricTables.byFrequency(EVALUATION).toMarkdown()).contains("| 1–5 | 1,234 | – | – | – | 63.60 |");
    }
}
