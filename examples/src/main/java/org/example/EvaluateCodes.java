package org.example;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.RankedCode;

/** Evaluates codes that any program has predicted. */
public final class EvaluateCodes {

    private EvaluateCodes() {}

    /** Takes no arguments. */
    public static void main(String... arguments) {
        // snippet: evaluate
        Map<String, Set<String>> gold = Map.of("1", Set.of("I10", "E11.9"), "2", Set.of("J18.9"));
        Map<String, Set<String>> predicted = Map.of("1", Set.of("I10"), "2", Set.of("J18.9", "I10"));
        Evaluation sets = Evaluation.of(gold, predicted);
        System.out.printf("micro-F1 %.3f%n", sets.metric(MetricNames.MICRO_F1));
        // end

        Map<String, List<RankedCode>> rankings = Map.of(
                "1", List.of(new RankedCode("I10", 0.9), new RankedCode("J18.9", 0.4), new RankedCode("E11.9", 0.3)),
                "2", List.of(new RankedCode("J18.9", 0.8)));
        Evaluation ranked = Evaluation.ofRankings(gold, rankings, 0.5);
        System.out.printf(
                "MAP %.3f, micro-F1 %.3f%n", ranked.metric(MetricNames.MAP), ranked.metric(MetricNames.MICRO_F1));
    }
}
