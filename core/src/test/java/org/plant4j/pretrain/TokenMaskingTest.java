package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.pretrain.TokenMasking.MaskedRow;

class TokenMaskingTest {

    private static final int MASK = 4;
    private static final BertEncoder.Config SPECIAL =
            BertEncoder.Config.builder().mask(MASK).build();
    private static final int VOCABULARY = 1005;

    private static TokenMasking masking(double maskRate, long seed, int... continuation) {
        BitSet set = new BitSet();
        Arrays.stream(continuation).forEach(set::set);
        return new TokenMasking(maskRate, SPECIAL, VOCABULARY, set, seed);
    }

    /** Tokens 5, 6, 7, … */
    private static int[] row(int length) {
        return IntStream.range(5, 5 + length).toArray();
    }

    @Test
    void fifteenOfAHundredTokensAreMasked() {
        int[] row = row(100);
        for (int number = 0; number < 50; number++) {
            MaskedRow hidden = masking(0.15, 1).mask(row, 0, number);
            assertThat(hidden.positions()).hasSize(15).isSorted().doesNotHaveDuplicates();
            assertThat(hidden.targets())
                    .containsExactly(Arrays.stream(hidden.positions())
                            .map(place -> row[place])
                            .toArray());
            int[] restored = hidden.tokens().clone();
            for (int i = 0; i < 15; i++) {
                restored[hidden.positions()[i]] = hidden.targets()[i];
            }
            assertThat(restored).containsExactly(row);
        }
        assertThat(row).containsExactly(row(100)); // the input is not modified
    }

    @Test
    void eightyPercentAreMaskedTenReplacedAndTenUnchanged() {
        int masked = 0;
        int same = 0;
        int[] chosen = new int[100];
        int rows = 4000;
        for (int number = 0; number < rows; number++) {
            MaskedRow hidden = masking(0.15, 1).mask(row(100), 3, number);
            for (int i = 0; i < 15; i++) {
                int now = hidden.tokens()[hidden.positions()[i]];
                chosen[hidden.positions()[i]]++;
                masked += now == MASK ? 1 : 0;
                same += now == hidden.targets()[i] ? 1 : 0;
            }
        }
        double all = 15.0 * rows;
        assertThat(masked / all).isCloseTo(0.8, within(0.01));
        assertThat(same / all).isCloseTo(0.1, within(0.01));
        assertThat(Arrays.stream(chosen).min().orElseThrow() / (double) rows).isGreaterThan(0.12);
        assertThat(Arrays.stream(chosen).max().orElseThrow() / (double) rows).isLessThan(0.18);
    }

    @Test
    void maskingDependsOnSeedEpochAndRowOnly() {
        MaskedRow hidden = masking(0.15, 1).mask(row(100), 2, 7);
        MaskedRow again = masking(0.15, 1).mask(row(100), 2, 7);
        assertThat(again.tokens()).containsExactly(hidden.tokens());
        assertThat(again.positions()).containsExactly(hidden.positions());
        assertThat(masking(0.15, 2).mask(row(100), 2, 7).positions()).isNotEqualTo(hidden.positions());
        assertThat(masking(0.15, 1).mask(row(100), 3, 7).positions()).isNotEqualTo(hidden.positions());
        assertThat(masking(0.15, 1).mask(row(100), 2, 8).positions()).isNotEqualTo(hidden.positions());
        assertThat(masking(0.15, 1).mask(row(100), TokenMasking.FIXED, 7).positions())
                .isNotEqualTo(hidden.positions());
    }

    @Test
    void unknownAndSpecialTokensAreNeverMaskedAndAtLeastOneTokenIs() {
        TokenMasking few = new TokenMasking(0.15, SPECIAL, 7, new BitSet(), 1); // only 5 and 6 can replace a token
        int[] row = {1, 2, 5, 3, 1, 4};
        for (int number = 0; number < 200; number++) {
            MaskedRow hidden = few.mask(row, 0, number);
            assertThat(hidden.positions()).containsExactly(2);
            assertThat(hidden.tokens()[2]).isIn(MASK, 5, 6);
        }
    }

    @Test
    void tokensOfAWordAreMaskedTogether() {
        // Words of three tokens: x, 100, 101. A continuation token after an unknown one is a word.
        int[] row =
                IntStream.range(0, 60).map(i -> i % 3 == 0 ? 5 + i : 99 + i % 3).toArray();
        row[30] = 1;
        TokenMasking masking = masking(0.2, 1, 100, 101);
        for (int number = 0; number < 100; number++) {
            BitSet hidden = new BitSet();
            MaskedRow masked = masking.mask(row, 0, number);
            Arrays.stream(masked.positions()).forEach(hidden::set);
            assertThat(masked.positions().length).isBetween(10, 12); // 59 known tokens: at most 12
            for (int word = 0; word < 60; word += 3) {
                int together = hidden.get(word, word + 3).cardinality();
                assertThat(together).isIn(0, word == 30 ? 2 : 3);
            }
        }
    }

    @Test
    void aWordLongerThanTheRateIsMaskedIfItIsTheFirst() {
        MaskedRow masked = masking(0.15, 1, 6, 7, 8).mask(row(4), 0, 0); // one word of four tokens
        assertThat(masked.positions()).containsExactly(0, 1, 2, 3);
    }
}
