package org.plant4j.context;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.plant4j.Band;
import org.plant4j.Suggestion;
import org.plant4j.calibration.Bands;

/**
 * How many codes move from the band {@code suggest} to {@code review} because all their evidence is negated or about
 * relatives.
 *
 * @param right gold codes whose probability is in the band {@code suggest}
 * @param wrong other codes whose probability is in the band {@code suggest}
 * @param rightMoved right codes that move to {@code review}
 * @param wrongMoved wrong codes that move to {@code review}
 */
public record ContextScore(int right, int wrong, int rightMoved, int wrongMoved) {

    public static final ContextScore NONE = new ContextScore(0, 0, 0, 0);

    /**
     * The counts of one document.
     *
     * @param bands the bands of probabilities, without regard to evidence
     * @param needsReview {@link Suggestion#contradicted} or a rule to compare with
     */
    public static ContextScore of(
            List<Suggestion> suggestions, Bands bands, Collection<String> gold, Predicate<Suggestion> needsReview) {
        ContextScore score = NONE;
        for (Suggestion suggestion : suggestions) {
            if (bands.bandOf(suggestion.probability()) == Band.SUGGEST) {
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

    /** The fraction of right codes in the band {@code suggest}, without regard to evidence; NaN if it is empty. */
    @JsonProperty
    public double precision() {
        return (double) right / (right + wrong);
    }

    /** The fraction of right codes among those that remain in the band. */
    @JsonProperty
    public double precisionAfter() {
        int kept = right - rightMoved;
        return (double) kept / (kept + wrong - wrongMoved);
    }
}
