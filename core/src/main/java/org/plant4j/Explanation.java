package org.plant4j;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;

/**
 * An explanation of why a code was or was not suggested.
 *
 * @param domain whether the text resembles the training documents
 * @param suggestion the code with its score and its evidence
 * @param descriptionEvidence the spans of the code's description that the model found in the text; empty if the model does
 *     not attend to descriptions
 * @param view the shared attention view that the code uses, if the model has shared views
 */
public record Explanation(
        @JsonUnwrapped DomainCheck domain,
        @JsonUnwrapped Suggestion suggestion,
        List<Evidence> descriptionEvidence,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ChosenView> view) {

    /**
     * Copies the evidence.
     *
     * @param domain whether the text resembles the training documents
     * @param suggestion the code with its score and its evidence
     * @param descriptionEvidence the spans of the code's description that the model found in the text; empty if the model does
     *     not attend to descriptions
     * @param view the shared attention view that the code uses, if the model has shared views
     */
    public Explanation {
        descriptionEvidence = List.copyOf(descriptionEvidence);
    }
}
