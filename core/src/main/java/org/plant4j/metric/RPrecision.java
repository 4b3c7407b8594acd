package org.plant4j.metric;

import org.plant4j.MetricNames;

/** Precision at k = number of gold labels, where precision and recall are equal. */
public record RPrecision() implements RankingMetric {

    @Override
    public String name() {
        return MetricNames.R_PRECISION;
    }

    @Override
    public double compute(GoldRanks gold) {
        return (double) gold.hits(gold.goldCount()) / gold.goldCount();
    }
}
