package org.plant4j.eval;

/** Two runs' ratio over the same documents. */
record RatioPair(Ratio a, Ratio b) implements PairedStatistic {

    RatioPair {
        if (a.documents() != b.documents()) {
            throw new IllegalArgumentException("documents: " + a.documents() + " and " + b.documents());
        }
    }

    @Override
    public String name() {
        return a.name();
    }

    @Override
    public double first() {
        return a.value();
    }

    @Override
    public double second() {
        return b.value();
    }

    @Override
    public double difference(long[] swapped) {
        double numeratorA = 0;
        double denominatorA = 0;
        double numeratorB = 0;
        double denominatorB = 0;
        for (int d = 0; d < a.documents(); d++) {
            boolean swap = PairedStatistic.isSwapped(swapped, d);
            Ratio left = swap ? b : a;
            Ratio right = swap ? a : b;
            numeratorA += left.numerator(d);
            denominatorA += left.denominator(d);
            numeratorB += right.numerator(d);
            denominatorB += right.denominator(d);
        }
        return Ratio.of(numeratorA, denominatorA) - Ratio.of(numeratorB, denominatorB);
    }
}
