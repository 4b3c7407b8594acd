package org.plant4j.pipeline;

import java.nio.file.Files;
import org.plant4j.calibration.Calibration;
import org.plant4j.calibration.ScoredPairs;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Predictions;

/** Calibrates a run on its stored dev predictions, without the model. */
public final class DevCalibration {

    private DevCalibration() {}

    /** Writes {@code calibration.json}; if dev has no labels, one that leaves scores unchanged. */
    public static Calibration write(RunDirectory directory) {
        double threshold = directory.readThresholds().global();
        Calibration calibration = Files.exists(directory.predictions(Pipeline.DEV))
                ? Calibration.fit(ScoredPairs.of(Predictions.read(directory.predictions(Pipeline.DEV))), threshold)
                : Calibration.none(threshold);
        directory.write(directory.calibration(), calibration);
        return calibration;
    }
}
