package org.plant4j.server.coding;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import org.plant4j.encounter.SuggestedCode;
import org.plant4j.prediction.ChosenView;
import org.plant4j.prediction.WeightedSpan;

/**
 * Why a code was given for a document: the words of the notes; those of its description, where the model looks for them;
 * and the view of the notes that it chose, where codes share some.
 */
public record Explanation(
        String model,
        String version,
        @JsonUnwrapped SuggestedCode code,
        Optional<List<DescriptionSpan>> inDescription,
        Optional<ChosenView> view) {

    /** Characters of a description, as UTF-16 indices, and how much of what it said they hold. */
    public record DescriptionSpan(int start, int end, double weight) {

        static List<DescriptionSpan> of(List<WeightedSpan> spans) {
            return spans.stream()
                    .map(one ->
                            new DescriptionSpan(one.span().start(), one.span().end(), one.weight()))
                    .toList();
        }
    }
}
