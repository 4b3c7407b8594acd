package org.plant4j.review.worklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.review.Review;

class SecondReviewRulesTest {

    private static Review review(String id, Optional<String> outOfDomain, String code) {
        return new Review(
                Optional.of(id),
                Optional.empty(),
                List.of(),
                "v",
                outOfDomain,
                List.of(),
                List.of(
                        new Review.Decision(code, Review.Verdict.ADDED, Optional.empty(), List.of()),
                        new Review.Decision("A41.9", Review.Verdict.REJECTED, Optional.empty(), List.of())),
                Optional.empty());
    }

    @Test
    void theShareDependsOnTheEncounterOnly() {
        SecondReviewRules rules = SecondReviewRules.parse(List.of("10"));
        long selected = IntStream.range(0, 2000)
                .filter(i -> rules.select(review("encounter-" + i, Optional.empty(), "I10"), false))
                .count();
        assertThat(selected).isBetween(160L, 240L);
        for (int i = 0; i < 50; i++) {
            assertThat(rules.select(review("e" + i, Optional.empty(), "I10"), false))
                    .isEqualTo(rules.select(review("e" + i, Optional.of("why"), "E11.9"), true));
        }
    }

    @Test
    void rulesSelectByDomainOverrideAndCode() {
        SecondReviewRules rules =
                SecondReviewRules.parse(List.of("0", "out-of-domain", "overridden-edits", "code:I21"));
        assertThat(rules.select(review("1", Optional.empty(), "I10"), false)).isFalse();
        assertThat(rules.select(review("1", Optional.of("foreign"), "I10"), false))
                .isTrue();
        assertThat(rules.select(review("1", Optional.empty(), "I10"), true)).isTrue();
        assertThat(rules.select(review("1", Optional.empty(), "I21.4"), false)).isTrue();
        assertThat(SecondReviewRules.parse(List.of("code:A41")).select(review("1", Optional.empty(), "I10"), false))
                .isFalse(); // rejected
        assertThat(SecondReviewRules.parse(List.of("100%")).select(review("1", Optional.empty(), "I10"), false))
                .isTrue();
    }

    @Test
    void unknownRulesAreReported() {
        assertThatThrownBy(() -> SecondReviewRules.parse(List.of("ten"))).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> SecondReviewRules.parse(List.of("101"))).isInstanceOf(UserError.class);
    }
}
