package org.plant4j.experiment;

import org.plant4j.Device;
import org.plant4j.Precision;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;

/**
 * Where and in which precision networks are trained and evaluated.
 *
 * @param threads 0: one per core
 */
public record ComputeSettings(Device device, Precision precision, int threads) {

    public ComputeSettings {
        Arguments.atLeast(0, "threads", threads);
        Compute.requireTrainable(precision, "compute.precision");
    }

    public Compute open() {
        return Compute.of(device, precision);
    }
}
