package org.plant4j.calibration;

import java.util.Arrays;
import java.util.function.BiFunction;

/**
 * How a way to calibrate fares on documents that were left out of its fit.
 *
 * @param fit the way: scores and whether each is right to a calibrator
 * @param losses each fold's share of the negative log-likelihood a pair, so that their mean is that of all pairs
 * @param reliability of the probabilities that held-out documents got
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record CrossValidation(BiFunction<double[], boolean[], Calibrator> fit, double[] losses, Reliability reliability) {

    /** Parts of dev that are held out in turn; documents stay whole. */
    private static final int FOLDS = 5;

    static CrossValidation run(ScoredPairs dev, BiFunction<double[], boolean[], Calibrator> fit) {
        int folds = Math.min(FOLDS, dev.documents());
        double[] probabilities = new double[dev.size()];
        double[] losses = new double[folds];
        for (int fold = 0; fold < folds; fold++) {
            ScoredPairs others = dev.excludingFold(fold, folds);
            if (others.size() == 0) {
                continue;
            }
            Calibrator calibrator = fit.apply(others.scores(), others.correct());
            for (int i = 0; i < probabilities.length; i++) {
                if (dev.documentIndex()[i] % folds == fold) {
                    probabilities[i] = calibrator.probability(dev.scores()[i]);
                    losses[fold] +=
                            Calibrator.negativeLogLikelihood(probabilities[i], dev.correct()[i]) * folds / dev.size();
                }
            }
        }
        return new CrossValidation(fit, losses, Reliability.of(probabilities, dev.correct()));
    }

    double loss() {
        return Arrays.stream(losses).average().orElse(Double.NaN);
    }

    /** This one, unless the other's loss is lower by more than one standard error of the difference over folds. */
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
