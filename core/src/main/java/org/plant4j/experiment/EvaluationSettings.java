package org.plant4j.experiment;

import org.plant4j.support.Arguments;
import org.plant4j.support.UserError;

/**
 * How dev and test are evaluated.
 *
 * @param thresholds {@code global} or {@code per_label}
 * @param bootstrapSamples resamples for confidence intervals; 0: no intervals
 * @param predictionsPerDocument labels stored per document, best first
 */
public record EvaluationSettings(String thresholds, int bootstrapSamples, int predictionsPerDocument) {

    private static final String GLOBAL = "global";
    private static final String PER_LABEL = "per_label";

    public EvaluationSettings {
        if (!thresholds.equals(GLOBAL) && !thresholds.equals(PER_LABEL)) {
            throw new UserError(
                    "Unknown thresholds '" + thresholds + "'",
                    "evaluation.thresholds",
                    "use " + GLOBAL + " (one for all labels) or " + PER_LABEL);
        }
        Arguments.atLeast(0, "bootstrap_samples", bootstrapSamples);
        Arguments.atLeast(1, "predictions_per_document", predictionsPerDocument);
    }

    /** Whether each label has its own threshold. */
    public boolean hasThresholdsPerLabel() {
        return thresholds.equals(PER_LABEL);
    }
}
