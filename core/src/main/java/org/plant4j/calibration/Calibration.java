package org.plant4j.calibration;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a run's scores become probabilities and bands, learned on dev: by temperature or isotonic regression where they
 * foretell documents they were not fitted on better than the scores do, by more than chance. A run keeps it as
 * {@code calibration.json}.
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
        List<Bands.BandMetrics> measures) {

    public Calibration {
        negativeLogLikelihood = new TreeMap<>(negativeLogLikelihood);
        measures = List.copyOf(measures);
    }

    /** Scores as they are; codes that pass the threshold are for review, for nothing is known of how often they are right. */
    public static Calibration none(double threshold) {
        Reliability nothing = new Reliability(List.of());
        Bands bands = new Bands(Double.POSITIVE_INFINITY, threshold);
        return new Calibration(new Calibrator.Identity(), 0, Map.of(), nothing, nothing, bands, List.of());
    }

    /** Learns from dev; from fewer than two documents, or from right or wrong pairs alone, nothing can be learned. */
    public static Calibration fit(ScoredPairs dev, double threshold) {
        if (dev.documents() < 2 || !dev.hasBothClasses()) {
            return none(threshold);
        }
        CrossValidation none = CrossValidation.run(dev, (scores, right) -> new Calibrator.Identity());
        CrossValidation temperature = CrossValidation.run(dev, TemperatureScaling::fit);
        CrossValidation isotonic = CrossValidation.run(dev, IsotonicRegression::fit);
        CrossValidation best = none.selectByOneStandardError(temperature).selectByOneStandardError(isotonic);
        Calibrator calibrator = best.fit().apply(dev.scores(), dev.correct());
        double[] probabilities = calibrator.probabilities(dev.scores());
        Bands bands = Bands.choose(probabilities, dev);
        return new Calibration(
                calibrator,
                dev.documents(),
                Map.of("none", none.loss(), "temperature", temperature.loss(), "isotonic", isotonic.loss()),
                Reliability.of(dev.scores(), dev.correct()),
                best.reliability(),
                bands,
                bands.measure(probabilities, dev));
    }

    /** Whether it was learned. */
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
