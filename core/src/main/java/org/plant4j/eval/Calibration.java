package org.plant4j.eval;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * How a run's scores become probabilities and bands, learned on dev: by temperature or isotonic regression, whichever
 * foretells documents it was not fitted on better. A run keeps it as {@code calibration.json}.
 *
 * @param documents dev documents it was learned on; 0 where there were none, and scores stay as they are
 * @param negativeLogLikelihood of each method, and of the scores as they are ({@code none}), on held-out documents
 * @param before the reliability of the scores
 * @param after that of the probabilities, each given by a fit that had not seen the document
 * @param bands where the bands begin, and what each holds of dev
 */
public record Calibration(
        Calibrator calibrator,
        int documents,
        Map<String, Double> negativeLogLikelihood,
        Reliability before,
        Reliability after,
        Bands bands,
        List<Bands.Measure> measures) {

    /** Parts of dev that are held out in turn; documents stay whole. */
    private static final int FOLDS = 5;

    public Calibration {
        negativeLogLikelihood = new TreeMap<>(negativeLogLikelihood);
        measures = List.copyOf(measures);
    }

    /** Scores as they are; codes that pass the threshold are for review, for nothing is known of how often they are right. */
    public static Calibration none(double threshold) {
        Reliability nothing = new Reliability(List.of());
        Bands bands = new Bands(Double.POSITIVE_INFINITY, threshold);
        return new Calibration(new Calibrator.None(), 0, Map.of(), nothing, nothing, bands, List.of());
    }

    /** Learns from dev; from fewer than two documents, or from right or wrong pairs alone, nothing can be learned. */
    public static Calibration fit(Judgements dev, double threshold) {
        if (dev.documents() < 2 || !dev.isTelling()) {
            return none(threshold);
        }
        HeldOut none = heldOut(dev, (scores, right) -> new Calibrator.None());
        HeldOut temperature = heldOut(dev, Temperature::fit);
        HeldOut isotonic = heldOut(dev, Isotonic::fit);
        boolean curved = isotonic.loss() < temperature.loss();
        Calibrator best = curved ? Isotonic.fit(dev.scores(), dev.right()) : Temperature.fit(dev.scores(), dev.right());
        double[] probabilities = best.probabilities(dev.scores());
        Bands bands = Bands.choose(probabilities, dev);
        return new Calibration(
                best,
                dev.documents(),
                Map.of("none", none.loss(), "temperature", temperature.loss(), "isotonic", isotonic.loss()),
                Reliability.of(dev.scores(), dev.right()),
                (curved ? isotonic : temperature).reliability(),
                bands,
                bands.measure(probabilities, dev));
    }

    /** What came of documents that were left out of the fit. */
    private record HeldOut(double loss, Reliability reliability) {}

    private static HeldOut heldOut(Judgements dev, BiFunction<double[], boolean[], Calibrator> fit) {
        int folds = Math.min(FOLDS, dev.documents());
        double[] probabilities = new double[dev.size()];
        for (int fold = 0; fold < folds; fold++) {
            Judgements others = dev.without(fold, folds);
            if (others.size() == 0) {
                continue;
            }
            Calibrator calibrator = fit.apply(others.scores(), others.right());
            for (int i = 0; i < probabilities.length; i++) {
                if (dev.document()[i] % folds == fold) {
                    probabilities[i] = calibrator.probability(dev.scores()[i]);
                }
            }
        }
        return new HeldOut(
                Calibrator.negativeLogLikelihood(probabilities, dev.right()),
                Reliability.of(probabilities, dev.right()));
    }

    /** Whether it was learned. */
    public boolean learned() {
        return documents > 0;
    }

    public double probability(double score) {
        return calibrator.probability(score);
    }

    public Band band(double probability) {
        return bands.of(probability);
    }
}
