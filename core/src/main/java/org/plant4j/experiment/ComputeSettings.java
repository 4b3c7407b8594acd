package org.plant4j.experiment;

import java.util.List;
import org.plant4j.support.Arguments;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Precision;

/**
 * Where and in which precision networks run.
 *
 * @param threads 0: one per core
 */
public record ComputeSettings(String device, Precision precision, int threads) {

    public ComputeSettings {
        Arguments.atLeast(0, "threads", threads);
        if (!List.of("auto", "cpu", "cuda").contains(device)) {
            throw new UserError("Unknown device '" + device + "'", "compute.device", "use auto, cpu or cuda");
        }
    }

    public Compute open() {
        return Compute.of(device, precision);
    }
}
