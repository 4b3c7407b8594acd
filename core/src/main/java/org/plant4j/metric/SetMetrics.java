package org.plant4j.metric;

import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.statistics.Ratio;

/** The metrics of predicted sets that are ratios of sums over documents: micro averages and exact match. */
final class SetMetrics {

    private SetMetrics() {}

    static List<Ratio> of(LabelSet[] predicted, LabelSet[] gold) {
        int[] hits = IntStream.range(0, gold.length)
                .map(d -> predicted[d].intersectionSize(gold[d]))
                .toArray();
        int[] kept =
                IntStream.range(0, gold.length).map(d -> predicted[d].size()).toArray();
        int[] right = IntStream.range(0, gold.length).map(d -> gold[d].size()).toArray();
        return of(hits, kept, right);
    }

    /** From each document's number of hits, predicted and gold labels. */
    static List<Ratio> of(int[] hits, int[] predicted, int[] gold) {
        int n = gold.length;
        double[] twice = new double[n];
        double[] both = new double[n];
        double[] exact = new double[n];
        double[] ones = new double[n];
        for (int d = 0; d < n; d++) {
            twice[d] = 2.0 * hits[d];
            both[d] = predicted[d] + gold[d];
            exact[d] = hits[d] == predicted[d] && hits[d] == gold[d] ? 1 : 0;
            ones[d] = 1;
        }
        return List.of(
                new Ratio(MetricNames.EXACT_MATCH, exact, ones),
                new Ratio(MetricNames.MICRO_PRECISION, doubles(hits), doubles(predicted)),
                new Ratio(MetricNames.MICRO_RECALL, doubles(hits), doubles(gold)),
                new Ratio(MetricNames.MICRO_F1, twice, both));
    }

    private static double[] doubles(int[] counts) {
        return IntStream.of(counts).asDoubleStream().toArray();
    }
}
