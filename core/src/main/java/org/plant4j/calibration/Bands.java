package org.plant4j.calibration;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * From which calibrated probability on a code is suggested, and from which it is shown for review.
 *
 * <p>Suggested: as many codes as keep {@link #TARGET_PRECISION nine in ten} right, each of them more likely right than wrong; where
 * the model cannot, where it comes nearest; where it is never so sure, none ({@code suggestFrom} is then 1, which no
 * calibrated probability reaches). Shown for review: down to the best F2, in which recall weighs twice, for a wrong code
 * is struck out at a glance while a missing one has to be found in the note. With calibrated probabilities that lies at
 * about a fifth of the best F2 and so seldom above 0.2 (Lipton et al., Optimal Thresholding of Classifiers to Maximize F1 Measure, 2014, for F1).
 */
public record Bands(double suggestFrom, double reviewFrom) {

    /** The share of suggested codes that should be right. */
    public static final double TARGET_PRECISION = 0.9;

    /** Among many sure codes doubtful ones would pass unnoticed, so each has to be likely by itself. */
    private static final double MIN_SUGGEST_PROBABILITY = 0.5;

    /** Fewer pairs than these say too little for a threshold to be set by them. */
    private static final int MIN_PAIRS = 20;

    /**
     * What a band holds: the share of its codes that are right, the share of all gold codes that are in it, and its
     * codes a document. Precision is NaN where it holds none.
     */
    public record BandMetrics(Band band, double from, double precision, double recall, double codes) {}

    public Bands {
        if (!(reviewFrom <= suggestFrom)) {
            throw new IllegalArgumentException(
                    "review from " + reviewFrom + " (expected: <= " + suggestFrom + ", from where is suggested)");
        }
    }

    /** Chosen on these pairs, which should be dev's; all of them can be reached, so equal probabilities stay together. */
    public static Bands choose(double[] probabilities, ScoredPairs pairs) {
        int[] order = IntStream.range(0, probabilities.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> probabilities[i])
                        .reversed())
                .mapToInt(Integer::intValue)
                .toArray();
        double suggest = 1;
        double bestPrecision = -1;
        double review = 1;
        double bestF2 = -1;
        int hits = 0;
        for (int kept = 1; kept <= order.length; kept++) {
            double from = probabilities[order[kept - 1]];
            hits += pairs.correct()[order[kept - 1]] ? 1 : 0;
            if (kept < order.length && probabilities[order[kept]] == from) {
                continue;
            }
            double precision = Math.min(TARGET_PRECISION, (double) hits / kept); // better than the target is not better
            if (from >= MIN_SUGGEST_PROBABILITY
                    && kept >= Math.min(MIN_PAIRS, order.length)
                    && precision >= bestPrecision) {
                bestPrecision = precision;
                suggest = from;
            }
            double f2 = 5.0 * hits / (kept + 4.0 * pairs.goldCount());
            if (f2 > bestF2) {
                bestF2 = f2;
                review = from;
            }
        }
        return new Bands(suggest, Math.min(review, suggest));
    }

    public Band bandOf(double probability) {
        return probability >= suggestFrom ? Band.SUGGEST : probability >= reviewFrom ? Band.REVIEW : Band.HIDDEN;
    }

    @JsonIgnore
    public double threshold(Band band) {
        return band == Band.SUGGEST ? suggestFrom : band == Band.REVIEW ? reviewFrom : 0;
    }

    /** What each band holds of these pairs. */
    public List<BandMetrics> measure(double[] probabilities, ScoredPairs pairs) {
        return Arrays.stream(Band.values())
                .map(band -> measure(band, probabilities, pairs))
                .toList();
    }

    private BandMetrics measure(Band band, double[] probabilities, ScoredPairs pairs) {
        int[] inside = IntStream.range(0, probabilities.length)
                .filter(i -> bandOf(probabilities[i]) == band)
                .toArray();
        long hits = Arrays.stream(inside).filter(i -> pairs.correct()[i]).count();
        return new BandMetrics(
                band,
                threshold(band),
                inside.length == 0 ? Double.NaN : (double) hits / inside.length,
                (double) hits / pairs.goldCount(),
                (double) inside.length / pairs.documents());
    }
}
