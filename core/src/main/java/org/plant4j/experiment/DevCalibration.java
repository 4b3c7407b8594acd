package org.plant4j.experiment;

import java.nio.file.Files;
import org.plant4j.eval.Calibration;
import org.plant4j.eval.Judgements;
import org.plant4j.eval.Predictions;
import org.plant4j.predict.RunFolder;

/** Calibrates a run by what it predicted for dev, which its folder keeps: the model is not needed. */
public final class DevCalibration {

    private DevCalibration() {}

    /** Writes {@code calibration.json}; without coded dev documents one that leaves scores as they are. */
    public static Calibration write(RunFolder folder) {
        double threshold = folder.readThresholds().common();
        Calibration calibration = Files.exists(folder.predictions(Pipeline.DEV))
                ? Calibration.fit(Judgements.of(Predictions.read(folder.predictions(Pipeline.DEV))), threshold)
                : Calibration.none(threshold);
        folder.write(folder.calibration(), calibration);
        return calibration;
    }
}
