package org.plant4j.metric;

import org.plant4j.support.Arguments;

/** P@k: the fraction of the k top-ranked labels that are gold. Equal scores are ranked by label index. */
public record PrecisionAtK(int k) implements RankingMetric {

    public PrecisionAtK {
        Arguments.atLeast(1, "k", k);
    }

    @Override
    public String name() {
        return "P@" + k;
    }

    @Override
    public double compute(GoldRanks gold) {
        return (double) gold.hits(k) / k;
    }
}
