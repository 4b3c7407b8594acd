package org.plant4j.model.output;

import java.util.List;
import java.util.Optional;

/**
 * The outputs of a model for one document; those that were not requested are empty.
 *
 * @param scores one score between 0 and 1 per label
 * @param labels the labels that are explained
 * @param evidence for each of these labels one weight per token, see {@link BatchPredictor#evidence}
 * @param descriptionEvidence for each of these labels one weight per token of its description
 * @param sharedViews attention views that all labels share, if the model has them
 */
@SuppressWarnings("ArrayRecordComponent") // created per request, never compared
public record Prediction(
        float[] scores,
        int[] labels,
        float[][] evidence,
        List<float[]> descriptionEvidence,
        Optional<SharedViews> sharedViews) {

    public Prediction {
        descriptionEvidence = List.copyOf(descriptionEvidence);
    }
}
