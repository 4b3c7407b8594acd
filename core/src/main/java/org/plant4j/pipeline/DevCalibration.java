package org.plant4j.pipeline;

import java.nio.file.Files;
import org.plant4j.calibration.Calibration;
import org.plant4j.calibration.ScoredPairs;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Predictions;

/** Calibrates a run by what it predicted for dev, which its folder keeps: the model is not needed. */
public final class DevCalibration {

    private DevCalibration() {}

    /** Writes {@code calibration.json}; without coded dev documents one that leaves scores as they are. */
    public static Calibration write(RunDirectory folder) {
        double threshold = folder.readThresholds().common();
        Calibration calibration = Files.exists(folder.predictions(Pipeline.DEV))
                ? Calibration.fit(ScoredPairs.of(Predictions.read(folder.predictions(Pipeline.DEV))), threshold)
                : Calibration.none(threshold);
        folder.write(folder.calibration(), calibration);
        return calibration;
    }
}
