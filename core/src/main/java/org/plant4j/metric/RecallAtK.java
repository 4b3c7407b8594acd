package org.plant4j.metric;

import org.plant4j.support.Arguments;

/** R@k: the fraction of the gold labels that are ranked in the top k. */
public record RecallAtK(int k) implements RankingMetric {

    public RecallAtK {
        Arguments.atLeast(1, "k", k);
    }

    @Override
    public String name() {
        return "R@" + k;
    }

    @Override
    public double compute(GoldRanks gold) {
        return (double) gold.hits(k) / gold.goldCount();
    }
}
