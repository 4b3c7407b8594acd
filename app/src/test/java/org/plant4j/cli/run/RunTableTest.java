package org.plant4j.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.MetricNames;
import org.plant4j.Thresholds;

class RunTableTest {

    private static RunResult result(String run, double map, double rare) {
        FrequencyBucket bucket = new FrequencyBucket("1–5", 1, 5, Map.of(MetricNames.MICRO_F1, rare));
        Evaluation evaluation = new Evaluation(
                20, Thresholds.global(0.5f), Map.of(MetricNames.MAP, map), Map.of(), List.of(bucket), Map.of());
        return new RunResult(run, "test", evaluation, 3);
    }

    @Test
    void theBestRunIsHighlighted() {
        String text = new RunTable(List.of(result("a", 0.5, 0.1), result("b", 0.25, 0.2)))
                .table()
                .toText();
        assertThat(text.lines().toList().get(2)).startsWith("a    50.00*").contains("10.00");
        assertThat(text.lines().toList().get(3)).startsWith("b    25.00").contains("20.00*");
    }

    @Test
    void theDeviationIsTheSampleStandardDeviation() {
        // statistics.stdev([0.1, 0.3]) = 0.1414…
        List<RunResult> results = List.of(result("a-s1", 0.1, 0), result("a-s2", 0.3, 0));
        assertThat(RunTable.spread(Map.of("a", results), "seeds").toText())
                .contains("a (2 seeds)", "20.00 ± 14.14", "0.00 ± 0.00");
    }

    @Test
    void theCaptionExplainsRareCodes() {
        assertThat(String.join(" ", new RunTable(List.of(result("a", 0.5, 0.1))).caption()))
                .contains("20 test documents", "1–5 training documents");
    }
}
