package org.plant4j.calibration;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.plant4j.Band;

/**
 * Maps a run's scores to calibrated probabilities and bands; stored as {@code calibration.json}. Temperature scaling and
 * isotonic regression are fitted on dev and compared with the raw scores by cross-validation; a method is used only if it
 * is significantly better.
 *
 * @param documents number of dev documents used; 0 if scores are not calibrated
 * @param negativeLogLikelihood cross-validated loss of each method and of the raw scores ({@code none})
 * @param before reliability of the raw scores
 * @param after cross-validated reliability of the calibrated probabilities
 * @param bands the band thresholds
 * @param metrics of each band on dev
 */
public record Calibration(
        Calibrator calibrator,
        int documents,
        Map<String, Double> negativeLogLikelihood,
        Reliability before,
        Reliability after,
        Bands bands,
        List<Bands.BandMetrics> metrics) {

    public Calibration {
        negativeLogLikelihood = new TreeMap<>(negativeLogLikelihood);
        metrics = List.copyOf(metrics);
    }

    /** No calibration: labels above the threshold are shown for review, because their precision is unknown. */
    public static Calibration none(double threshold) {
        Reliability empty = new Reliability(List.of());
        Bands bands = new Bands(Double.POSITIVE_INFINITY, threshold);
        return new Calibration(new Calibrator.Identity(), 0, Map.of(), empty, empty, bands, List.of());
    }

    /**
     * Fits on dev. Requires at least two documents and both gold and non-gold pairs; otherwise there is no calibration. With
     * few pairs scores stay unchanged: a temperature that separates them perfectly makes every label certain.
     */
    public static Calibration fit(ScoredPairs dev, double threshold) {
        if (dev.documents() < 2 || !dev.hasBothClasses(1)) {
            return none(threshold);
        }
        CrossValidation none = CrossValidation.run(dev, new Calibrator.Identity().fitter());
        CrossValidation temperature = CrossValidation.run(dev, TemperatureScaling::fit);
        CrossValidation isotonic = CrossValidation.run(dev, IsotonicRegression::fit);
        CrossValidation best = dev.hasBothClasses(Bands.MIN_PAIRS)
                ? none.selectByOneStandardError(temperature).selectByOneStandardError(isotonic)
                : none;
        Calibrator calibrator = best.fit().apply(dev.scores(), dev.correct());
        double[] probabilities = calibrator.probabilities(dev.scores());
        Bands bands = Bands.choose(probabilities, dev);
        return new Calibration(
                calibrator,
                dev.documents(),
                Map.of("none", none.loss(), "temperature", temperature.loss(), "isotonic", isotonic.loss()),
                Reliability.of(dev.scores(), dev.correct()),
                Reliability.of(best.probabilities(), dev.correct()),
                bands,
                bands.measure(probabilities, dev));
    }

    /** Whether it was fitted on dev documents. */
    public boolean fitted() {
        return documents > 0;
    }

    public double probability(double score) {
        return calibrator.probability(score);
    }

    public Band band(double probability) {
        return bands.bandOf(probability);
    }
}
