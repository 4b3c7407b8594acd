package org.plant4j.metric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.plant4j.statistics.Ratio;

/**
 * A metric of one document's label ranking, averaged over documents. Like trec_eval and the shared tasks, the average skips
 * documents without gold labels, for which it is undefined.
 */
public interface RankingMetric {

    String name();

    /** The value for a document with at least one gold label. */
    double compute(GoldRanks gold);

    default double compute(float[] scores, LabelSet gold) {
        return compute(GoldRanks.of(scores, gold));
    }

    /** The mean over the documents that have gold labels, as a ratio that can be resampled. */
    default Ratio mean(GoldRanks[] documents) {
        double[] values = new double[documents.length];
        double[] counted = new double[documents.length];
        for (int d = 0; d < documents.length; d++) {
            if (documents[d].goldCount() > 0) {
                values[d] = compute(documents[d]);
                counted[d] = 1;
            }
        }
        return new Ratio(name(), values, counted);
    }

    /** The mean over the documents that have gold labels, or 0 if none has. */
    default double mean(Scores scores, LabelSet[] gold) {
        return means(List.of(this), scores, gold).getOrDefault(name(), 0.0);
    }

    /** The mean of each metric by name, in the given order. Labels are ranked once for all metrics. */
    static Map<String, Double> means(List<RankingMetric> metrics, Scores scores, LabelSet[] gold) {
        GoldRanks[] ranks = IntStream.range(0, gold.length)
                .parallel()
                .mapToObj(d -> GoldRanks.of(scores.checkedRow(d), gold[d]))
                .toArray(GoldRanks[]::new);
        return means(metrics, ranks);
    }

    /** Like {@link #means(List, Scores, LabelSet[])}, from precomputed ranks. */
    static Map<String, Double> means(List<RankingMetric> metrics, GoldRanks[] ranks) {
        Map<String, Double> means = new LinkedHashMap<>();
        metrics.forEach(metric -> means.put(metric.name(), metric.mean(ranks).value()));
        return means;
    }

    /** MAP and R-precision, then P@k, R@k and nDCG@k for each cutoff. */
    static List<RankingMetric> standard(List<Integer> cutoffs) {
        List<RankingMetric> metrics = new ArrayList<>(List.of(new AveragePrecision(), new RPrecision()));
        cutoffs.forEach(k -> metrics.add(new PrecisionAtK(k)));
        cutoffs.forEach(k -> metrics.add(new RecallAtK(k)));
        cutoffs.forEach(k -> metrics.add(new NdcgAtK(k)));
        return metrics;
    }
}
