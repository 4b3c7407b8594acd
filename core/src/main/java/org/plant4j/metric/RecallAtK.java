package org.plant4j.metric;

/** The share of a document's gold labels that are among its k best-scored ones. */
public record RecallAtK(int k) implements RankingMetric {

    public RecallAtK {
        Cutoff.check(k);
    }

    @Override
    public String name() {
        return "R@" + k;
    }

    @Override
    public double of(GoldRanks gold) {
        return (double) gold.hits(k) / gold.goldCount();
    }
}
