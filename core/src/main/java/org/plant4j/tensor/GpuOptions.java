package org.plant4j.tensor;

/**
 * Optimizations on a GPU, which change speed and memory only. Benchmarks switch them off one by one.
 *
 * @param paddedLabels products with a number of labels and features that is a multiple of {@link Compute#MULTIPLE}
 * @param fusedKernels kernels of our own, compiled at run time
 * @param graphs CUDA graphs, which launch many small kernels at once
 */
public record GpuOptions(boolean paddedLabels, boolean fusedKernels, boolean graphs) {

    /** Without graphs, which have been tested on a GPU for batches of one shape only. */
    public static final GpuOptions DEFAULT = new GpuOptions(true, true, false);

    public GpuOptions withGraphs(boolean used) {
        return new GpuOptions(paddedLabels, fusedKernels, used);
    }
}
