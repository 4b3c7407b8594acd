package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RivalFeaturesTest {

    private static final int LENGTH = 6;

    /** A name with a weight, of which a part is missing. */
    private static Sighting name(int label, int start, int end, double quality, double weight, double missing) {
        return new Sighting(
                new MentionIndex.Mention(new int[] {1}, 1, 1, new int[] {label}, new int[] {1}),
                start,
                end,
                quality,
                weight,
                missing);
    }

    /** In 3 of 5 documents that contain it, a mention is marked for label 9: its probability is 3 / 5.5. */
    private static Sighting mention(int start, int end, double quality) {
        return new Sighting(
                new MentionIndex.Mention(new int[] {1}, 5, 4, new int[] {8, 9}, new int[] {1, 3}),
                start,
                end,
                quality,
                2,
                0);
    }

    private static float[] features(int label) {
        RivalFeatures rivals = new RivalFeatures(
                List.of(
                        name(1, 2, 4, 0.8, 10, 2), // strength 6.4
                        name(2, 2, 4, 1, 8, 0), // 8
                        name(2, 0, 1, 1, 3, 0), // weaker than the other one of this label
                        name(3, 2, 4, 0.8, 10, 2), // 6.4
                        name(4, 3, 6, 1, 16, 0)), // 16, elsewhere
                List.of(mention(3, 5, 1)),
                List.of(mention(2, 3, 0.5)),
                LENGTH);
        float[] features = new float[1 + RivalFeatures.SIZE];
        rivals.write(label, features, 1);
        return features;
    }

    @Test
    void namesAreComparedWithThoseInTheSamePlace() {
        float[] features = features(1);
        assertThat(features[1]).isCloseTo(6.4f, within(1e-5f));
        assertThat(features[2]).isCloseTo(6.4f / 16, within(1e-5f)); // name of label 4 overlaps
        assertThat(features[6]).isEqualTo(2); // as strong in this place, with label 3
        assertThat(features[7]).isEqualTo(1); // stronger: label 2
        assertThat(features(2)[1]).isEqualTo(8);
        assertThat(features(2)[7]).isZero();
    }

    @Test
    void mentionsOfOtherLabelsCountWhereTheNameIs() {
        float[] features = features(1);
        assertThat(features[3]).isCloseTo(3 / 5.5f, within(1e-5f));
        assertThat(features[4]).isCloseTo(3 / 5.5f / 8, within(1e-5f)); // the cube of its quality
        assertThat(features[5]).isCloseTo(3 / 5.5f / 2, within(1e-5f)); // on one of two tokens
    }

    @Test
    void aLabelWithoutANameHasNone() {
        assertThat(features(5)).containsOnly(0);
    }
}
