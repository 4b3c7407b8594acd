package org.plant4j.statistics;

import java.util.stream.IntStream;
import org.plant4j.support.Arguments;

/** The same ratio of two runs over the same documents. Swaps only touch the documents on which the runs differ. */
public final class PairedRatio implements PairedStatistic {

    private final Ratio a;
    private final Ratio b;
    private final int[] differing;
    private final double[] numerators; // first minus second numerator of each differing document
    private final double[] denominators;

    public PairedRatio(Ratio a, Ratio b) {
        Arguments.check(a.documents() == b.documents(), "documents", b.documents(), "" + a.documents());
        this.a = a;
        this.b = b;
        this.differing = IntStream.range(0, a.documents())
                .filter(d -> a.numerator(d) != b.numerator(d) || a.denominator(d) != b.denominator(d))
                .toArray();
        this.numerators = IntStream.of(differing)
                .mapToDouble(d -> a.numerator(d) - b.numerator(d))
                .toArray();
        this.denominators = IntStream.of(differing)
                .mapToDouble(d -> a.denominator(d) - b.denominator(d))
                .toArray();
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
        double numerator = 0;
        double denominator = 0;
        for (int i = 0; i < differing.length; i++) {
            int swap = PairedStatistic.swapBit(swapped, differing[i]);
            numerator += swap * numerators[i];
            denominator += swap * denominators[i];
        }
        return Ratio.divide(a.numerator() - numerator, a.denominator() - denominator)
                - Ratio.divide(b.numerator() + numerator, b.denominator() + denominator);
    }
}
