package org.plant4j.pipeline.evaluation;

import org.plant4j.experiment.Experiment;
import org.plant4j.metric.Evaluator;
import org.plant4j.statistics.Bootstrap;

/** How the splits of an experiment are scored and evaluated, also by jobs on other machines. */
public final class EvaluationProtocol {

    private static final int CURVE_LENGTH = 20;
    private static final double CONFIDENCE = 0.95;

    /** Documents per call: the model batches them by length, so more are faster; fewer move the progress bar. */
    private static final int MIN_DOCUMENTS = 64;

    private static final int MAX_DOCUMENTS = 512;

    /** Scores that are kept in memory: 256 MiB. A split with more of them is kept in a file. */
    static final long MAX_SCORES = 1L << 26;

    private EvaluationProtocol() {}

    /**
     * The documents of a split that are scored together, in order. Scores depend in their last bits on the documents that
     * share a call, so the same chunks are needed for the same metrics.
     */
    public static int chunkSize(int documents, int labels) {
        int fitting = (int) Math.min(MAX_DOCUMENTS, MAX_SCORES / Math.max(1, labels));
        return Math.max(1, Math.min(fitting, Math.max(MIN_DOCUMENTS, documents / 20)));
    }

    /** {@code trainFrequency} holds, for each label, the number of training documents that have it. */
    public static Evaluator evaluator(Experiment experiment, int trainDocuments, int[] trainFrequency) {
        Evaluator.Options standard = Evaluator.Options.standard(experiment.seed());
        return new Evaluator(
                new Evaluator.Options(
                        standard.cutoffs(),
                        standard.bucketEnds(),
                        CURVE_LENGTH,
                        new Bootstrap(experiment.evaluation().bootstrapSamples(), CONFIDENCE, experiment.seed())),
                trainDocuments,
                trainFrequency);
    }
}
