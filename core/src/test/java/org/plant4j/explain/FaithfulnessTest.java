package org.plant4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaithfulnessTest {

    private static final int[] TOKENS = {1, 2, 3, 4};

    private static double tenths(int[] tokens) {
        return Arrays.stream(tokens).sum() / 10.0;
    }

    @Test
    void scoreDropsAreAveragedOverTheFractions() {
        // Without 4: 1.0 - 0.6; without 4 and 3: 1.0 - 0.3. With 4 alone: 1.0 - 0.4; with 4 and 3: 1.0 - 0.7.
        Faithfulness f =
                Faithfulness.of(TOKENS, new float[] {0.1f, 0.2f, 0.3f, 0.4f}, FaithfulnessTest::tenths, 0.25, 0.5);
        assertThat(f.comprehensiveness()).isCloseTo((0.4 + 0.7) / 2, within(1e-12));
        assertThat(f.sufficiency()).isCloseTo((0.6 + 0.3) / 2, within(1e-12));
    }

    @Test
    void unfaithfulWeightsScoreWorse() {
        Faithfulness right = Faithfulness.of(TOKENS, new float[] {0, 0, 0, 1}, FaithfulnessTest::tenths);
        Faithfulness wrong = Faithfulness.of(TOKENS, new float[] {1, 0, 0, 0}, FaithfulnessTest::tenths);
        assertThat(right.comprehensiveness()).isGreaterThan(wrong.comprehensiveness());
        assertThat(right.sufficiency()).isLessThan(wrong.sufficiency());
    }

    @Test
    void tokensKeepTheirOrderAndTiesGoToTheEarlierToken() {
        List<String> asked = new ArrayList<>();
        Faithfulness.of(
                new int[] {7, 8, 9, 7},
                new float[] {0.2f, 0.2f, 0.4f, 0.2f},
                tokens -> {
                    asked.add(Arrays.toString(tokens));
                    return 0;
                },
                0.01,
                0.5,
                1);
        assertThat(asked).containsExactly("[7, 8, 9, 7]", "[7, 8, 7]", "[9]", "[8, 7]", "[7, 9]", "[]", "[7, 8, 9, 7]");
    }

    @Test
    void theMeanWeighsPairsEqually() {
        Faithfulness mean = Faithfulness.mean(List.of(new Faithfulness(0.2, 0.1, 1), new Faithfulness(0.5, 0.4, 2)));
        assertThat(mean.comprehensiveness()).isCloseTo(0.4, within(1e-12));
        assertThat(mean.sufficiency()).isCloseTo(0.3, within(1e-12));
        assertThat(mean.pairs()).isEqualTo(3);
    }

    @Test
    void emptyDocumentsAndInvalidFractionsAreRejected() {
        assertThatThrownBy(() -> Faithfulness.of(new int[0], new float[0], FaithfulnessTest::tenths))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Faithfulness.of(TOKENS, new float[4], FaithfulnessTest::tenths, 1.5))
                .hasMessageStartingWith("fraction: 1.5");
    }
}
