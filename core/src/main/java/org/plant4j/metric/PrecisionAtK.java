package org.plant4j.metric;

/** The share of a document's k best-scored labels that are correct; ties go to the lower label index. */
public record PrecisionAtK(int k) implements RankingMetric {

    public PrecisionAtK {
        Cutoff.check(k);
    }

    @Override
    public String name() {
        return "P@" + k;
    }

    @Override
    public double of(GoldRanks gold) {
        return (double) gold.hits(k) / k;
    }
}
