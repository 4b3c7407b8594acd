package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.text.TokenEvidence;

class SimilarMentionIndexTest {

    /** Tokens 2 to 8. */
    private static final List<String> WORDS = List.of("pulmon", "cancer", "de", "dolor", "pulmonar", "el", "tos");

    private static final LooseStems STEMS = new LooseStems(new int[] {-1, -1, 0, 1, 2, 3, 4, 5, 6}, WORDS);

    private static final int PULMON = 2;
    private static final int CANCER = 3;
    private static final int DE = 4;
    private static final int DOLOR = 5;
    private static final int PULMONAR = 6;
    private static final int EL = 7;

    /** "cancer de pulmon" is marked for label 0 in document 0, "pulmon de cancer" in document 1; "dolor" for label 1. */
    private static final AnnotatedDocuments CORPUS = new AnnotatedDocuments(
            List.of(new int[] {EL, CANCER, DE, PULMON}, new int[] {PULMON, DE, CANCER, DOLOR}, new int[] {
                DOLOR, CANCER, DE, EL
            }),
            List.of(new int[] {0}, new int[] {0, 1}, new int[] {}),
            List.of(
                    List.of(new TokenEvidence(0, 1, 4)),
                    List.of(new TokenEvidence(0, 0, 3), new TokenEvidence(1, 3, 4)),
                    List.of()));

    private static final SimilarMentionIndex INDEX = SimilarMentionIndex.of(STEMS, CORPUS);

    /** Weights ln(4 / (1 + df)): pulmon is in two documents; cancer and de are in all, so that they have the least weight. */
    private static final double PULMON_WEIGHT = Math.log(4 / 3.0);

    private static final double ALL = PULMON_WEIGHT + 0.1 + 0.1;

    @Test
    void phrasesWithTheSameStemsAreOneMention() {
        assertThat(INDEX.mentions()).hasSize(2);
        SimilarMentionIndex.SimilarMention cancer = INDEX.mentions().get(0);
        assertThat(cancer.mention().stems()).containsExactly(0, 1, 2);
        assertThat(cancer.mention().documents()).isEqualTo(2);
        assertThat(cancer.mention().marked()).isEqualTo(2);
        assertThat(cancer.mention().counts()).containsExactly(2);
        assertThat(cancer.length()).isEqualTo(3);
        assertThat(INDEX.mentions().get(1).mention().documents()).isEqualTo(2); // dolor, marked in one of them
        assertThat(INDEX.weights()[0]).isCloseTo((float) PULMON_WEIGHT, within(1e-6f));
    }

    /** The window at positions 1 to 4 has all stems, pulmonar with similarity 12 / 14, and one word more than the mention. */
    @Test
    void theQualityIsTheWeightFoundLessFurtherWords() {
        List<SimilarMentionIndex.Match> matches = INDEX.matches(new int[] {EL, CANCER, EL, DE, PULMONAR, EL}, 0.5);
        assertThat(matches).hasSize(1);
        double found = 0.2 + PULMON_WEIGHT * 12 / 14;
        assertThat(matches.get(0).start()).isEqualTo(1);
        assertThat(matches.get(0).end()).isEqualTo(5);
        assertThat(matches.get(0).quality()).isCloseTo(found / ALL - 0.02, within(1e-6));
        assertThat(matches.get(0).missing()).isCloseTo(ALL - found, within(1e-6));
    }

    /** Seven words are the most that a window for three has. */
    @Test
    void wordsThatAreFarApartAreNoMatch() {
        assertThat(INDEX.matches(new int[] {CANCER, EL, EL, EL, EL, EL, DE, PULMON}, 0.9))
                .isEmpty();
        assertThat(INDEX.matches(new int[] {CANCER, EL, EL, EL, EL, DE, PULMON}, 0.9))
                .hasSize(1);
    }

    @Test
    void aTrainingDocumentIsMatchedAsIfItWereNew() {
        for (int document = 0; document < CORPUS.size(); document++) {
            List<Sighting> here = INDEX.sightingsOfOthers(CORPUS, document);
            // The same weights, but the counts of the other documents.
            SimilarMentionIndex others = new SimilarMentionIndex(
                    STEMS,
                    INDEX.weights(),
                    SimilarMentionIndex.of(STEMS, CORPUS.without(document)).mentions());
            List<Sighting> there = others.sightings(CORPUS.tokens(document));
            assertThat(here).hasSameSizeAs(there);
            for (int i = 0; i < here.size(); i++) {
                assertThat(here.get(i).quality()).isEqualTo(there.get(i).quality());
                assertThat(here.get(i).mention().stems())
                        .containsExactly(there.get(i).mention().stems());
                assertThat(here.get(i).mention().marked())
                        .isEqualTo(there.get(i).mention().marked());
                assertThat(here.get(i).mention().documents())
                        .isEqualTo(there.get(i).mention().documents());
            }
        }
    }

    /** Both documents mark cancer de pulmon: (2 / 2.5) times the cube of the quality. */
    @Test
    void theScoreOfALabelIsThatOfItsBestSighting() {
        int[] document = {EL, CANCER, DE, PULMON};
        float[] half = {0.5f, 0.5f, 0.5f, 0.5f};
        SimilarFeatures features =
                new SimilarFeatures(INDEX.sightings(document), new MentionTagger.Tags(half, half, half));
        assertThat(features.labels()).containsExactly(0);
        assertThat(features.score(0)).isCloseTo(0.8, within(1e-6));
        assertThat(features.quality(0)).isCloseTo(1, within(1e-6));
        assertThat(features.score(1)).isZero();
        float[] row = new float[1 + SimilarFeatures.SIZE];
        features.write(0, row, 1);
        assertThat(row[1 + 2]).isEqualTo(2); // marked
        assertThat(row[1 + 4]).isEqualTo(1); // share
        assertThat(row[1 + 9]).isEqualTo(0.5f); // inside
        assertThat(row[1 + 21]).isEqualTo(0.25f); // position
    }
}
