package org.plant4j.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Trait;

class ContextProfilerTest {

    private static final String EMBOLISM = "I26.99";
    private static final String SEPSIS = "A41.9";

    private final ContextProfiler profiler = new ContextProfiler();

    private void add(int times, String text, String... codes) {
        for (int i = 0; i < times; i++) {
            profiler.add(text, List.of(codes));
        }
    }

    private static Evidence negated(String text) {
        return new Evidence(new Span(0, text.length()), text, 1).withTraits(Set.of(Trait.NEGATED));
    }

    private static boolean isTypical(ContextProfile profile, String code, String phrase) {
        return profile.annotate(code, List.of(negated(phrase))).get(0).traits().contains(Trait.TYPICAL);
    }

    @Test
    void anAbsentFindingOfDocumentsWithACodeIsTypicalOfIt() {
        add(8, "Embolism of both arteries without right heart strain.", EMBOLISM);
        add(5, "He was treated for sepsis.", SEPSIS);
        add(4, "There was no sepsis.", "Z00");
        ContextProfile profile = profiler.profile();
        assertThat(profile.codedFraction()).isZero();
        assertThat(profile.exceptions()).isEqualTo(Map.of(EMBOLISM, Set.of("heart", "right", "strain")));
        assertThat(isTypical(profile, EMBOLISM, "heart strain")).isTrue();
        assertThat(isTypical(profile, SEPSIS, "sepsis")).isFalse();
        assertThat(isTypical(profile, SEPSIS, "heart strain")).isFalse();
    }

    @Test
    void wherePlainAndNegatedMentionsAreCodedOnlyExceptionsContradict() {
        add(9, "He was treated for sepsis.", SEPSIS);
        add(9, "There was no sepsis.", SEPSIS);
        add(5, "A stroke.", "I63");
        add(8, "There was no stroke.", "Z00");
        add(9, "Fever.", "R50");
        add(9, "He had no fever.", "R50");
        ContextProfile profile = profiler.profile();
        // Negated in 9 + 8 + 9 documents, of which 9 + 0 + 9 have the code.
        assertThat(profile.codedFraction()).isCloseTo(18.0 / 26, within(1e-9));
        // (0 + 5 · 18/26) / (8 + 5) is below one half.
        assertThat(profile.exceptions()).isEqualTo(Map.of("I63", Set.of("stroke")));
        assertThat(isTypical(profile, SEPSIS, "sepsis")).isTrue();
        assertThat(isTypical(profile, "I63", "stroke")).isFalse();
    }

    @Test
    void aWordIndicatesACodeThatExactlyHalfOfItsDocumentsHave() {
        add(9, "He was treated for sepsis.", SEPSIS);
        add(9, "There was no sepsis.", SEPSIS);
        add(5, "A stroke.", "I63");
        add(3, "A stroke.", "I10");
        add(2, "A stroke.", "I11");
        add(8, "There was no stroke.", "Z00");
        ContextProfile profile = profiler.profile();
        // Negated in 9 + 8 documents, of which 9 + 0 have the indicated code.
        assertThat(profile.codedFraction()).isCloseTo(9.0 / 17, within(1e-9));
        assertThat(profile.exceptions()).isEqualTo(Map.of("I63", Set.of("stroke")));
    }

    @Test
    void aCodeThatMostDocumentsHaveIsNotIndicatedByTheirWords() {
        String frequent = "8000/6";
        add(8, "A stroke.", "I63", frequent);
        add(8, "There was no stroke.", frequent);
        add(8, "Fever.", frequent);
        add(8, "He had no fever.", frequent);
        ContextProfile profile = profiler.profile();
        // All documents have the frequent code, with or without these words. Only "stroke" indicates a code, I63.
        assertThat(profile.codedFraction()).isZero();
        assertThat(profile.exceptions()).isEmpty();
        assertThat(isTypical(profile, frequent, "fever")).isFalse();
        assertThat(isTypical(profile, "I63", "stroke")).isFalse();
    }

    @Test
    void aWordThatIsAlsoMentionedPlainlyIsNotCountedAsNegated() {
        add(8, "There was no sepsis. On day 3 sepsis developed.", SEPSIS);
        assertThat(profiler.profile()).isEqualTo(ContextProfile.NONE);
    }

    @Test
    void onlyNegatedEvidenceAndEvidenceAboutRelativesIsMarked() {
        ContextProfile profile = new ContextProfile(0, Map.of(EMBOLISM, Set.of("strain")));
        Evidence plain = new Evidence(new Span(0, 6), "strain", 1);
        assertThat(profile.annotate(EMBOLISM, List.of(plain, negated("no strain"), negated("casts"))))
                .extracting(Evidence::traits)
                .containsExactly(Set.of(), Set.of(Trait.NEGATED, Trait.TYPICAL), Set.of(Trait.NEGATED));
    }
}
