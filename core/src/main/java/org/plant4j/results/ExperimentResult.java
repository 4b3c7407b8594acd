package org.plant4j.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The metrics of an experiment on one split, over its seeds.
 *
 * @param experiment such as {@code plant@codiesp-d}
 * @param metrics by name, as fractions
 * @param cost of training; empty if unknown
 * @param averagePrecision of each document, ordered by document id: the mean over the seeds; empty if unknown
 */
public record ExperimentResult(
        String experiment,
        String split,
        long documents,
        List<Long> seeds,
        Map<String, Measurement> metrics,
        Optional<Cost> cost,
        List<Double> averagePrecision,
        Provenance provenance) {

    /** The micro-F1 of labels with one to five training documents. */
    public static final String RARE_MICRO_F1 = "rare micro-F1";

    /** The micro-F1 of labels without training documents. */
    public static final String UNSEEN_MICRO_F1 = "unseen micro-F1";

    /**
     * A metric over the seeds.
     *
     * @param deviation the sample standard deviation; empty for a single seed
     * @param values one per seed; empty if only the mean is known
     */
    public record Measurement(double mean, Optional<Double> deviation, List<Double> values) {}

    /**
     * What training a model took.
     *
     * @param device the processor, such as {@code NVIDIA H200}
     * @param seconds of the model alone, without pretraining, which runs share: on a GPU from start to end, on a CPU the CPU
     *     seconds of all threads, which do not depend on what else the machine does
     * @param mebibytes peak memory of the process, by kind of memory as in the manifest of a run
     */
    public record Cost(String device, Measurement seconds, Map<String, Measurement> mebibytes) {

        public Cost {
            mebibytes = Collections.unmodifiableMap(new LinkedHashMap<>(mebibytes));
        }
    }

    /**
     * The origin of a result; unknown components are empty.
     *
     * @param source {@code runs}, or the source that the numbers were copied from
     * @param commit the commit of the code
     * @param data fingerprint of the corpus and its preprocessing
     */
    public record Provenance(String source, Optional<String> commit, Optional<String> command, Optional<String> data) {}

    public ExperimentResult {
        seeds = List.copyOf(seeds);
        averagePrecision = List.copyOf(averagePrecision);
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /** {@code plant} of {@code plant@codiesp-d}. */
    public String model() {
        int at = experiment.indexOf('@');
        return at < 0 ? experiment : experiment.substring(0, at);
    }

    /** {@code codiesp-d} of {@code plant@codiesp-d}; empty for an experiment without a corpus name. */
    public String corpus() {
        int at = experiment.indexOf('@');
        return at < 0 ? "" : experiment.substring(at + 1);
    }
}
