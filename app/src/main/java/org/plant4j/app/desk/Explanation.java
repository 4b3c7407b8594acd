package org.plant4j.app.desk;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import org.plant4j.explain.WeightedSpan;
import org.plant4j.predict.ChosenView;

/**
 * Why a code was given for a document: the words of the notes; those of its description, where the model looks for them;
 * and the view of the notes that it chose, where codes share some.
 */
record Explanation(
        String model,
        String version,
        @JsonUnwrapped SuggestedCode code,
        Optional<List<Words>> inDescription,
        Optional<ChosenView> view) {

    /** Characters of a description, as UTF-16 indices, and how much of what it said they hold. */
    record Words(int start, int end, double weight) {

        static List<Words> of(List<WeightedSpan> spans) {
            return spans.stream()
                    .map(one -> new Words(one.span().start(), one.span().end(), one.weight()))
                    .toList();
        }
    }
}
