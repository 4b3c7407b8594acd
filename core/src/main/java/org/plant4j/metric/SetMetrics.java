package org.plant4j.metric;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.plant4j.MetricNames;
import org.plant4j.statistics.Ratio;

/** The metrics of predicted label sets that are ratios of sums over documents: micro averages and exact match. */
final class SetMetrics {

    private SetMetrics() {}

    static List<Ratio> of(LabelSet[] predicted, LabelSet[] gold) {
        int n = gold.length;
        double[] hits = counts(n, d -> predicted[d].intersectionSize(gold[d]));
        double[] predictedCounts = counts(n, d -> predicted[d].size());
        double[] goldCounts = counts(n, d -> gold[d].size());
        double[] exact = counts(n, d -> hits[d] == predictedCounts[d] && hits[d] == goldCounts[d] ? 1 : 0);
        return List.of(
                new Ratio(MetricNames.EXACT_MATCH, exact, counts(n, d -> 1)),
                new Ratio(MetricNames.MICRO_PRECISION, hits, predictedCounts),
                new Ratio(MetricNames.MICRO_RECALL, hits, goldCounts),
                new Ratio(
                        MetricNames.MICRO_F1,
                        counts(n, d -> 2 * hits[d]),
                        counts(n, d -> predictedCounts[d] + goldCounts[d])));
    }

    private static double[] counts(int documents, IntToDoubleFunction count) {
        return IntStream.range(0, documents).mapToDouble(count).toArray();
    }
}
