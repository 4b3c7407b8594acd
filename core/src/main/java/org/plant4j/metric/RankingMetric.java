package org.plant4j.metric;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.plant4j.statistics.Ratio;

/**
 * A metric of one document's ranking, averaged over documents. Documents without gold labels are left out of the
 * average, as trec_eval and the shared tasks do: no ranking of them is right or wrong.
 */
public interface RankingMetric {

    String name();

    /** The value for a document that has at least one gold label. */
    double of(GoldRanks gold);

    default double of(float[] scores, LabelSet gold) {
        return of(GoldRanks.of(scores, gold));
    }

    /** The mean over documents that have gold labels; 0 where none has. */
    default double mean(float[][] scores, LabelSet[] gold) {
        return means(List.of(this), scores, gold).getOrDefault(name(), 0.0);
    }

    /** The mean of each by its name, in their order; the labels are ranked once for all. */
    static Map<String, Double> means(List<RankingMetric> metrics, float[][] scores, LabelSet[] gold) {
        GoldRanks[] ranks = IntStream.range(0, scores.length)
                .parallel()
                .mapToObj(d -> GoldRanks.of(scores[d], gold[d]))
                .toArray(GoldRanks[]::new);
        return means(metrics, ranks);
    }

    /** The same, of documents that are ranked already. */
    static Map<String, Double> means(List<RankingMetric> metrics, GoldRanks[] ranks) {
        Map<String, Double> means = new LinkedHashMap<>();
        metrics.forEach(
                metric -> means.put(metric.name(), Ratio.mean(metric, ranks).value()));
        return means;
    }
}
