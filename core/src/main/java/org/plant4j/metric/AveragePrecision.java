package org.plant4j.metric;

import org.plant4j.MetricNames;

/**
 * Average precision of one document: Σ (hits / rank) / |gold| over the ranks of its gold labels. Its mean over documents is
 * the MAP of the CANTEMIST and CodiEsp shared tasks. A gold label without a rank adds 0 to the sum but counts in |gold|.
 */
public record AveragePrecision() implements RankingMetric {

    @Override
    public String name() {
        return MetricNames.MAP;
    }

    @Override
    public double compute(GoldRanks gold) {
        double sum = 0;
        for (int i = 0; i < gold.rankedCount(); i++) {
            sum += (i + 1.0) / gold.rank(i);
        }
        return sum / gold.goldCount();
    }
}
