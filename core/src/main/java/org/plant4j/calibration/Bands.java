package org.plant4j.calibration;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.Band;
import org.plant4j.support.Arguments;

/**
 * The calibrated probabilities from which labels are suggested and from which they are shown for review.
 *
 * <p>{@code suggestFrom} is the lowest probability, at least 0.5, at which the suggested labels reach {@link
 * #TARGET_PRECISION}. If the model cannot reach it, the threshold with the highest precision is used; if no label has a
 * probability of 0.5, or fewer than 20 pairs do, nothing is suggested ({@code suggestFrom} is infinite).
 *
 * <p>{@code reviewFrom} maximizes F2, which weighs recall higher than precision: rejecting a wrong label takes the coder
 * less time than finding a missing one. For calibrated probabilities the optimum is about a fifth of the best F2, so rarely
 * above 0.2 (see Lipton et al., Optimal Thresholding of Classifiers to Maximize F1 Measure, 2014, for F1).
 */
public record Bands(double suggestFrom, double reviewFrom) {

    /** The intended precision of suggested labels. */
    public static final double TARGET_PRECISION = 0.9;

    /** Without this bound, many certain labels would hide a few doubtful ones among the suggestions. */
    private static final double MIN_SUGGEST_PROBABILITY = 0.5;

    /** Fewer pairs are too few to estimate the precision of a threshold. */
    static final int MIN_PAIRS = 20;

    /**
     * Statistics of one band.
     *
     * @param from the lowest probability of the band
     * @param precision the fraction of the band's labels that are gold; NaN for an empty band
     * @param recall the fraction of all gold labels that are in the band
     */
    public record BandMetrics(Band band, double from, double precision, double recall, double labelsPerDocument) {}

    public Bands {
        Arguments.check(reviewFrom <= suggestFrom, "reviewFrom", reviewFrom, "<= suggestFrom, " + suggestFrom);
    }

    /** Chooses the thresholds on dev pairs. Pairs of equal probability fall into the same band. */
    public static Bands choose(double[] probabilities, ScoredPairs pairs) {
        int[] order = IntStream.range(0, probabilities.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> probabilities[i])
                        .reversed())
                .mapToInt(Integer::intValue)
                .toArray();
        double suggestFrom = Double.POSITIVE_INFINITY; // a score can be rounded to 1
        double bestPrecision = -1;
        double reviewFrom = 1;
        double bestF2 = -1;
        int hits = 0;
        for (int selected = 1; selected <= order.length; selected++) {
            double from = probabilities[order[selected - 1]];
            hits += pairs.correct()[order[selected - 1]] ? 1 : 0;
            if (selected < order.length && probabilities[order[selected]] == from) {
                continue;
            }
            // Above the target, prefer more suggestions to higher precision.
            double precision = Math.min(TARGET_PRECISION, (double) hits / selected);
            if (from >= MIN_SUGGEST_PROBABILITY && selected >= MIN_PAIRS && precision >= bestPrecision) {
                bestPrecision = precision;
                suggestFrom = from;
            }
            double f2 = 5.0 * hits / (selected + 4.0 * pairs.goldCount());
            if (f2 > bestF2) {
                bestF2 = f2;
                reviewFrom = from;
            }
        }
        return new Bands(suggestFrom, Math.min(reviewFrom, suggestFrom));
    }

    /** The band of a calibrated probability. */
    public Band bandOf(double probability) {
        return probability >= suggestFrom ? Band.SUGGEST : probability >= reviewFrom ? Band.REVIEW : Band.HIDDEN;
    }

    /** The lowest probability of a band. */
    @JsonIgnore
    public double threshold(Band band) {
        return band == Band.SUGGEST ? suggestFrom : band == Band.REVIEW ? reviewFrom : 0;
    }

    /** The statistics of each band on these pairs. */
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
