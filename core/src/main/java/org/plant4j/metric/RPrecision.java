package org.plant4j.metric;

/** Precision among as many labels as the document has gold ones, where precision and recall are equal. */
public record RPrecision() implements RankingMetric {

    @Override
    public String name() {
        return "R-precision";
    }

    @Override
    public double of(GoldRanks gold) {
        return (double) gold.hits(gold.goldCount()) / gold.goldCount();
    }
}
