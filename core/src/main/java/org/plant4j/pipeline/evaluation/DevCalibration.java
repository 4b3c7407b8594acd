package org.plant4j.pipeline.evaluation;

import org.plant4j.calibration.Calibration;
import org.plant4j.calibration.ScoredPairs;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Predictions;
import org.plant4j.text.PreparedCorpus;

/** Calibrates a run on its stored dev predictions, without the model. */
public final class DevCalibration {

    private DevCalibration() {}

    /** Adds {@code calibration.json} to a run. */
    public static void write(RunDirectory directory) {
        directory.add(directory.calibration(), fit(directory));
    }

    /** If dev has no labels, scores are left unchanged. */
    static Calibration fit(RunDirectory directory) {
        double threshold = directory.readThresholds().global();
        return directory.has(directory.predictions(PreparedCorpus.DEV))
                ? Calibration.fit(
                        ScoredPairs.of(Predictions.read(directory.predictions(PreparedCorpus.DEV))), threshold)
                : Calibration.none(threshold);
    }
}
