package org.plant4j.calibration;

import java.util.Arrays;
import java.util.function.BiFunction;

/**
 * The cross-validated performance of a calibration method on dev.
 *
 * @param fit the method: fits a calibrator on scores and their correctness
 * @param losses negative log-likelihood per fold, scaled so that the mean of the folds is the mean over all pairs
 * @param probabilities the held-out probability of each pair
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CrossValidation(BiFunction<double[], boolean[], Calibrator> fit, double[] losses, double[] probabilities) {

    /** Folds consist of whole documents. */
    private static final int FOLDS = 5;

    static CrossValidation run(ScoredPairs dev, BiFunction<double[], boolean[], Calibrator> fit) {
        int folds = Math.min(FOLDS, dev.documents());
        double[] probabilities = new double[dev.size()];
        double[] losses = new double[folds];
        for (int fold = 0; fold < folds; fold++) {
            ScoredPairs training = dev.excludingFold(fold, folds);
            if (training.size() == 0) {
                continue;
            }
            Calibrator calibrator = fit.apply(training.scores(), training.correct());
            for (int i = 0; i < probabilities.length; i++) {
                if (dev.documentIndex()[i] % folds == fold) {
                    probabilities[i] = calibrator.probability(dev.scores()[i]);
                    losses[fold] +=
                            Calibrator.negativeLogLikelihood(probabilities[i], dev.correct()[i]) * folds / dev.size();
                }
            }
        }
        return new CrossValidation(fit, losses, probabilities);
    }

    double loss() {
        return Arrays.stream(losses).average().orElse(Double.NaN);
    }

    /**
     * The other method if its loss is lower by more than one standard error of the difference over folds, else this.
     */
    CrossValidation selectByOneStandardError(CrossValidation other) {
        int folds = losses.length;
        double gain = loss() - other.loss();
        double squares = 0;
        for (int fold = 0; fold < folds; fold++) {
            double deviation = losses[fold] - other.losses[fold] - gain;
            squares += deviation * deviation;
        }
        return gain > Math.sqrt(squares / (folds - 1) / folds) ? other : this;
    }
}
