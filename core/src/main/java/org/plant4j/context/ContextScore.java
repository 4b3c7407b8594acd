package org.plant4j.context;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.plant4j.prediction.Suggestion;

/**
 * How many predicted codes need review because all their evidence is negated or about relatives.
 *
 * @param right predicted codes that are gold codes
 * @param wrong the other predicted codes
 * @param rightMoved right codes that need review
 * @param wrongMoved wrong codes that need review
 */
public record ContextScore(int right, int wrong, int rightMoved, int wrongMoved) {

    public static final ContextScore NONE = new ContextScore(0, 0, 0, 0);

    /** The counts of one document. {@code needsReview} is {@link Suggestion#contradicted} or a rule to compare with. */
    public static ContextScore of(
            List<Suggestion> suggestions, Collection<String> gold, Predicate<Suggestion> needsReview) {
        ContextScore score = NONE;
        for (Suggestion suggestion : suggestions) {
            if (suggestion.predicted()) {
                int right = gold.contains(suggestion.code()) ? 1 : 0;
                int moved = needsReview.test(suggestion) ? 1 : 0;
                score = score.plus(new ContextScore(right, 1 - right, right * moved, (1 - right) * moved));
            }
        }
        return score;
    }

    public ContextScore plus(ContextScore other) {
        return new ContextScore(
                right + other.right, wrong + other.wrong, rightMoved + other.rightMoved, wrongMoved + other.wrongMoved);
    }

    /** The fraction of the predicted codes that are right; NaN without predicted codes. */
    @JsonProperty
    public double precision() {
        return (double) right / (right + wrong);
    }

    /** The fraction of the predicted codes that are right, without those that need review. */
    @JsonProperty
    public double precisionAfter() {
        int kept = right - rightMoved;
        return (double) kept / (kept + wrong - wrongMoved);
    }
}
