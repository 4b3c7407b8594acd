package org.plant4j.model.plant;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.CudaKernels;
import org.plant4j.tensor.LabelSelection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernels in {@code planted.cu}, compiled once per process, precision and number of softmax sources. */
final class PlantedKernels {

    private static final Logger LOG = LoggerFactory.getLogger(PlantedKernels.class);
    private static final Map<Variant, Optional<CudaKernels>> COMPILED = new ConcurrentHashMap<>();

    private record Variant(boolean bfloat16, int softmaxSources) {}

    private PlantedKernels() {}

    /** Whether to use the kernels for these labels: on a GPU, for all labels or a label range. */
    static boolean support(Compute compute, LabelSelection labels) {
        LabelSelection unpadded = labels instanceof LabelSelection.Padded padded ? padded.labels() : labels;
        return enabled(compute) && (unpadded instanceof LabelSelection.All || unpadded instanceof LabelSelection.Range);
    }

    /** The kernels read four labels at a time, so they need padded labels. */
    static boolean enabled(Compute compute) {
        return compute.padsToMultiples() && compute.gpuOptions().fusedKernels();
    }

    /** Empty if they cannot be compiled. */
    static Optional<CudaKernels> of(boolean bfloat16, int softmaxSources) {
        return COMPILED.computeIfAbsent(new Variant(bfloat16, softmaxSources), variant -> {
            try {
                return CudaKernels.compile(
                        PlantedKernels.class,
                        "planted.cu",
                        "-DBFLOAT16=" + (bfloat16 ? 1 : 0),
                        "-DSOURCES=" + softmaxSources);
            } catch (NoClassDefFoundError e) { // of CUDA itself: CudaKernels cannot be loaded
                LOG.warn("no compiled CUDA kernels, libtorch's are used instead: {}", e.toString());
                return Optional.empty();
            }
        });
    }
}
