package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class OccurrenceFeaturesTest {

    /** One word is marked for label 0 in 3 of 4 documents, and with the next one for label 1 in 2 of 2. */
    private static final MentionIndex.Mention SHORT =
            new MentionIndex.Mention(new int[] {5}, 4, 3, new int[] {0}, new int[] {3});

    private static final MentionIndex.Mention LONG =
            new MentionIndex.Mention(new int[] {5, 6}, 2, 2, new int[] {1}, new int[] {2});

    private static final MentionTagger.Tags TAGS = new MentionTagger.Tags(
            new float[] {0.1f, 0.8f, 0.6f}, new float[] {0, 0.9f, 0.1f}, new float[] {0, 0.4f, 0.9f});

    @Test
    void partsOfLongerMentionsAreWeaker() {
        OccurrenceFeatures features =
                new OccurrenceFeatures(List.of(Sighting.exact(SHORT, 1, 2), Sighting.exact(LONG, 1, 3)), TAGS);
        float[] first = new float[OccurrenceFeatures.SIZE];
        features.write(0, first, 0);
        double bounded = Math.sqrt(0.9 * 0.4);
        assertThat(first[0]).isCloseTo(0.8f, within(1e-6f)); // share 1, inside
        assertThat(first[1]).isCloseTo((float) bounded, within(1e-6f));
        assertThat(first[2]).isCloseTo((float) (3 / 4.5 * 0.8), within(1e-6f));
        assertThat(first[3]).isZero(); // only inside a longer one
        assertThat(first[9]).isCloseTo((float) bounded, within(1e-6f));
        assertThat(first[10]).isCloseTo((float) (bounded * (1 - 0.08) * (1 - 0.48)), within(1e-6f));
        assertThat(first[13]).isCloseTo((float) (3 / 4.5 * 0.3), within(1e-6f));
        assertThat(first[14]).isCloseTo(0.8f, within(1e-6f)); // label 1: 2 / 2.5
        assertThat(first[15]).isCloseTo((float) (0.2 - 0.8), within(1e-6f));
        assertThat(first[16]).isCloseTo(0.8f, within(1e-6f));
        float[] second = new float[OccurrenceFeatures.SIZE];
        features.write(1, second, 0);
        assertThat(second[3]).isCloseTo(0.9f, within(1e-6f)); // √(0.9 · 0.9)
        assertThat(second[6]).isCloseTo(0.7f, within(1e-6f));
        assertThat(second[11]).isEqualTo(2);
        assertThat(second[16]).isZero(); // label 0 has no longer one
    }

    @Test
    void twoOccurrencesAreLikelierThanOne() {
        float[] row = new float[OccurrenceFeatures.SIZE];
        new OccurrenceFeatures(List.of(Sighting.exact(SHORT, 1, 2), Sighting.exact(SHORT, 2, 3)), TAGS)
                .write(0, row, 0);
        double first = Math.sqrt(0.9 * 0.4);
        double second = Math.sqrt(0.1 * 0.9);
        assertThat(row[9]).isCloseTo((float) (1 - (1 - first) * (1 - second)), within(1e-6f));
        assertThat(row[12]).isCloseTo(0.8f + 0.6f, within(1e-6f));
    }
}
