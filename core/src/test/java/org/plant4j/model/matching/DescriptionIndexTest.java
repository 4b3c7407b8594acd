package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class DescriptionIndexTest {

    /** Tokens 2 and 3 have stem 0, tokens 4, 5 and 6 the stems 1, 2 and 3. */
    private static final DescriptionIndex INDEX = new DescriptionIndex(
            new int[] {-1, -1, 0, 0, 1, 2, 3},
            new double[] {1, 3, 2, 4},
            new LabelNames(new int[][] {{0, 1}, {2}, {}, {0, 3}, {1, -1}, {1, 0, 1}}, List.of()),
            3);

    private static DescriptionMatch match(int label, int... document) {
        return INDEX.matches(document, 0).stream()
                .filter(match -> match.label() == label)
                .findFirst()
                .orElseThrow();
    }

    /** Label 0 has all of its idf, label 3 has 1 of 5, label 4 has 3 of 6, label 5 all; labels 1 and 2 none. */
    @Test
    void labelsMatchByTheShareOfTheirIdf() {
        int[] document = {3, 4};
        assertThat(INDEX.matches(document, 0))
                .extracting(DescriptionMatch::label)
                .containsExactly(0, 3, 4, 5);
        assertThat(INDEX.matches(document, 0.5))
                .extracting(DescriptionMatch::label)
                .containsExactly(0, 4, 5);
        assertThat(INDEX.matches(document, 0.51))
                .extracting(DescriptionMatch::label)
                .containsExactly(0, 5);
        assertThat(match(3, document).share()).isCloseTo(0.2, within(1e-9));
        assertThat(match(4, document).missing()).isEqualTo(3);
        assertThat(INDEX.matches(new int[] {1, 1}, 0)).isEmpty();
    }

    @Test
    void aMatchKnowsWhereItsStemsAre() {
        // stems 3 0 2 1 0 1 0 1: description 0 1 as a phrase at 4 and 6
        DescriptionMatch match = match(0, 6, 2, 5, 4, 3, 4, 2, 4);
        assertThat(match.complete()).isTrue();
        assertThat(match.places()).isEqualTo(new DescriptionMatch.Places(3, 1, 3, 2, 4));
        DescriptionMatch part = match(3, 5, 2);
        assertThat(part.complete()).isFalse();
        assertThat(part.places()).isEqualTo(new DescriptionMatch.Places(1, 1, 1, 0, 0));
        // the description ends behind the document
        assertThat(match(0, 4, 2).places().phrases()).isZero();
    }

    @Test
    void tokensShareTheIdfOfTheirStem() {
        assertThat(INDEX.shares(new int[] {2, 5, 3, 4, 1}, 0)).containsExactly(0.125f, 0, 0.125f, 0.75f, 0);
        assertThat(INDEX.shares(new int[] {2, 4}, 2)).containsExactly(0, 0);
        assertThat(INDEX.descriptionShares(new int[] {2, 5, 3}, 0)).containsExactly(0.25f, 0);
        assertThat(INDEX.descriptionShares(new int[] {4, 1}, 4)).containsExactly(0.5f, 0);
    }

    @Test
    void candidatesMatchOrHaveOneOfTheHighestScores() {
        List<Candidate> candidates =
                Candidate.of(INDEX.matches(new int[] {3, 4}, 0.5), List.of(), new double[] {0.1, 0.3, -0.2, 0.2}, 2);
        assertThat(candidates).extracting(Candidate::label).containsExactly(0, 1, 3, 4, 5);
        assertThat(candidates).extracting(Candidate::score).containsExactly(0.1, 0.3, 0.2, 0.0, 0.0);
        assertThat(candidates)
                .extracting(found -> found.match().isPresent())
                .containsExactly(true, false, false, true, true);
    }

    /** Label 0 is also named 2 3, label 1 also 1 0; stems 0 to 3 have idf 1, 3, 2 and 4. */
    private static final DescriptionIndex WITH_SYNONYMS = new DescriptionIndex(
            new int[] {-1, -1, 0, 0, 1, 2, 3},
            new double[] {1, 3, 2, 4},
            new LabelNames(
                    new int[][] {{0, 1}, {}, {3}},
                    List.of(new LabelNames.Synonym(0, new int[] {2, 3}), new LabelNames.Synonym(1, new int[] {1, 0}))),
            3);

    @Test
    void theNameWithTheHighestShareMatches() {
        List<DescriptionMatch> matches = WITH_SYNONYMS.matches(new int[] {4, 5, 6}, 0.5); // stems 1 2 3
        assertThat(matches).extracting(DescriptionMatch::label).containsExactly(0, 1, 2);
        assertThat(matches).extracting(DescriptionMatch::found).containsExactly(6.0, 3.0, 4.0);
        assertThat(matches).extracting(DescriptionMatch::missing).containsExactly(0.0, 1.0, 0.0);
        assertThat(matches.get(0).places().firstPhrase()).isEqualTo(1);
        // both names of label 0 are found: the one with more idf counts
        assertThat(WITH_SYNONYMS.matches(new int[] {2, 4, 5, 6}, 0.5).get(0).found())
                .isEqualTo(6);
        assertThat(WITH_SYNONYMS.matches(new int[] {2, 4, 5}, 0.5).get(0).found())
                .isEqualTo(4);
    }

    @Test
    void tokensOfTheBestNameAreEvidence() {
        assertThat(WITH_SYNONYMS.shares(new int[] {2, 5, 6}, 0)).containsExactly(0, 2 / 6f, 4 / 6f);
        assertThat(WITH_SYNONYMS.shares(new int[] {4, 5}, 1)).containsExactly(0.75f, 0);
        assertThat(WITH_SYNONYMS.descriptionShares(new int[] {2, 5, 6}, 0)).containsExactly(0.25f, 0);
    }

    @Test
    void aNameOfALabelIsIndexedOnce() {
        int[] stemOf = {-1, -1, 0, 0, 1};
        LabelNames names = LabelNames.of(
                stemOf,
                List.of(new int[] {2, 4}, new int[0]),
                List.of(List.of(new int[] {3, 4}, new int[] {4}, new int[0], new int[] {4}), List.of(new int[] {4})));
        assertThat(names.size()).isEqualTo(4);
        assertThat(names.of(0)).containsExactly(0, 2);
        assertThat(names.of(1)).containsExactly(1, 3);
        assertThat(names.stems(2)).containsExactly(1);
        assertThat(names.label(3)).isEqualTo(1);
    }
}
