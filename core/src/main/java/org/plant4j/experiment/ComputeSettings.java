package org.plant4j.experiment;

import org.plant4j.Device;
import org.plant4j.Precision;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.GpuOptions;

/**
 * Where and in which precision networks are trained and evaluated.
 *
 * @param threads 0: one per core
 * @param cudaGraphs whether training on a GPU launches small kernels as {@link GpuOptions#graphs CUDA graphs}
 */
public record ComputeSettings(Device device, Precision precision, int threads, boolean cudaGraphs) {

    public ComputeSettings {
        Arguments.atLeast(0, "threads", threads);
        Compute.requireTrainable(precision, "compute.precision");
    }

    public Compute open() {
        return Compute.of(device, precision).withGpuOptions(GpuOptions.DEFAULT.withGraphs(cudaGraphs));
    }
}
