package org.plant4j.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.calibration.Band;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.Evidence;
import org.plant4j.prediction.Trait;

class ContextRuleTest {

    private static final ContextRule RULE = ContextRule.standard();

    private static Evidence evidence(double weight, Trait... traits) {
        return new Evidence(new Span(0, 1), "x", weight).withTraits(Set.of(traits));
    }

    @Test
    void aCodeWithNegatedOrFamilyEvidenceAloneNeedsReview() {
        List<Evidence> evidence = List.of(evidence(0.6, Trait.NEGATED), evidence(0.3, Trait.FAMILY, Trait.HISTORICAL));
        assertThat(RULE.band(Band.SUGGEST, evidence)).isEqualTo(Band.REVIEW);
        assertThat(RULE.band(Band.REVIEW, evidence)).isEqualTo(Band.REVIEW);
        assertThat(RULE.band(Band.HIDDEN, evidence)).isEqualTo(Band.HIDDEN);
    }

    @Test
    void aCodeWithOtherEvidenceStaysSuggested() {
        assertThat(RULE.band(Band.SUGGEST, List.of(evidence(0.9, Trait.NEGATED), evidence(0.1))))
                .isEqualTo(Band.SUGGEST);
        assertThat(RULE.band(Band.SUGGEST, List.of(evidence(1, Trait.HISTORICAL, Trait.HYPOTHETICAL))))
                .isEqualTo(Band.SUGGEST);
        assertThat(RULE.band(Band.SUGGEST, List.of())).isEqualTo(Band.SUGGEST);
        assertThat(RULE.band(Band.SUGGEST, List.of(evidence(0, Trait.NEGATED)))).isEqualTo(Band.SUGGEST);
    }

    @Test
    void aFractionOfTheWeightMaySuffice() {
        List<Evidence> evidence = List.of(evidence(0.8, Trait.NEGATED), evidence(0.2));
        assertThat(new ContextRule(0.8).isContradicted(evidence)).isTrue();
        assertThat(new ContextRule(0.81).isContradicted(evidence)).isFalse();
        assertThatThrownBy(() -> new ContextRule(0)).hasMessageStartingWith("minFraction: 0.0");
    }
}
