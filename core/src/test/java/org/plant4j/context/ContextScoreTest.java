package org.plant4j.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.Band;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Suggestion;
import org.plant4j.Trait;
import org.plant4j.calibration.Bands;

class ContextScoreTest {

    private static final Bands BANDS = new Bands(0.7, 0.2);

    private static Suggestion suggestion(String code, double probability, Set<Trait> traits) {
        return new Suggestion(
                code,
                "",
                probability,
                probability,
                traits.contains(Trait.NEGATED) ? Band.REVIEW : BANDS.bandOf(probability),
                true,
                List.of(new Evidence(new Span(0, 1), "x", 1).withTraits(traits)));
    }

    @Test
    void countsCodesInTheBandSuggestAndThoseThatTheRuleMoves() {
        Set<Trait> negated = Set.of(Trait.NEGATED);
        List<Suggestion> suggestions = List.of(
                suggestion("A", 0.7, Set.of()),
                suggestion("B", 0.9, negated),
                suggestion("C", 0.9, Set.of(Trait.HISTORICAL)),
                suggestion("D", 0.9, negated),
                suggestion("E", 0.69, negated));
        ContextScore score = ContextScore.of(suggestions, BANDS, Set.of("A", "B", "E"), Suggestion::contradicted);
        assertThat(score).isEqualTo(new ContextScore(2, 2, 1, 1));
        assertThat(score.plus(new ContextScore(1, 1, 0, 1))).isEqualTo(new ContextScore(3, 3, 1, 2));
        assertThat(score.precision()).isEqualTo(0.5);
        assertThat(new ContextScore(3, 3, 1, 2).precisionAfter()).isEqualTo(2.0 / 3);
        assertThat(ContextScore.NONE.precision()).isNaN();
    }
}
