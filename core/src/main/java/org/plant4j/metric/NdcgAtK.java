package org.plant4j.metric;

import org.plant4j.support.Arguments;

/** nDCG@k with binary relevance: Σ 1 / log2(1 + rank) over the hits in the top k, divided by that of a perfect ranking. */
public record NdcgAtK(int k) implements RankingMetric {

    public NdcgAtK {
        Arguments.atLeast(1, "k", k);
    }

    @Override
    public String name() {
        return "nDCG@" + k;
    }

    @Override
    public double compute(GoldRanks gold) {
        double gain = 0;
        for (int i = 0; i < gold.hits(k); i++) {
            gain += discount(gold.rank(i));
        }
        double ideal = 0;
        for (int rank = 1; rank <= Math.min(k, gold.goldCount()); rank++) {
            ideal += discount(rank);
        }
        return gain / ideal;
    }

    private static double discount(int rank) {
        return Math.log(2) / Math.log(1 + rank);
    }
}
