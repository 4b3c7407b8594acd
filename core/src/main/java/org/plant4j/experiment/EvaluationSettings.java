package org.plant4j.experiment;

import org.plant4j.UserError;
import org.plant4j.support.Arguments;

/**
 * How dev and test are evaluated.
 *
 * @param thresholds {@code global} or {@code per_label}
 * @param bootstrapSamples resamples for confidence intervals; 0: no intervals
 * @param predictionsPerDocument labels stored per document, best first
 * @param shortlistAgreement share of dev documents whose best labels must be those of full scoring, by which the size of
 *     shortlists is chosen; 0 takes the size of the model
 */
public record EvaluationSettings(
        String thresholds, int bootstrapSamples, int predictionsPerDocument, double shortlistAgreement) {

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
        Arguments.check(
                shortlistAgreement >= 0 && shortlistAgreement <= 1,
                "shortlist_agreement",
                shortlistAgreement,
                "between 0 and 1");
    }

    /** Whether each label has its own threshold. */
    public boolean hasThresholdsPerLabel() {
        return thresholds.equals(PER_LABEL);
    }
}
