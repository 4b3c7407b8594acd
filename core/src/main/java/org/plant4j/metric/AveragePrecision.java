package org.plant4j.metric;

/**
 * The mean over a document's gold labels of the precision at each one's rank: Σ (hits / rank) / |gold|. Its mean over
 * documents is the MAP of the CANTEMIST and CodiEsp tasks. A gold label without a rank adds nothing to the sum but counts
 * in |gold|.
 */
public record AveragePrecision() implements RankingMetric {

    @Override
    public String name() {
        return "MAP";
    }

    @Override
    public double of(GoldRanks gold) {
        double sum = 0;
        for (int i = 0; i < gold.rankedCount(); i++) {
            sum += (i + 1.0) / gold.rank(i);
        }
        return sum / gold.goldCount();
    }
}
