package org.plant4j.lm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.lm.Masking.Masked;
import org.plant4j.nn.BertEncoder;

class MaskingTest {

    private static final int MASK = 4;
    private static final BertEncoder.Config SPECIAL =
            new BertEncoder.Config(1, 4, 2, 6, 300, 0, 2, 1e-5, 2, 3, MASK, 200, 0, 0);
    private static final int VOCABULARY = 1005;

    private static Masking masking(double share, long seed, int... continuing) {
        BitSet set = new BitSet();
        Arrays.stream(continuing).forEach(set::set);
        return new Masking(share, SPECIAL, VOCABULARY, set, seed);
    }

    /** Pieces 5, 6, 7, … */
    private static int[] row(int length) {
        return IntStream.range(5, 5 + length).toArray();
    }

    @Test
    void ofAHundredPiecesFifteenAreHiddenAndTheOthersStayAsTheyAre() {
        int[] row = row(100);
        for (int number = 0; number < 50; number++) {
            Masked hidden = masking(0.15, 1).hide(row, 0, number);
            assertThat(hidden.places()).hasSize(15).isSorted().doesNotHaveDuplicates();
            assertThat(hidden.right())
                    .containsExactly(Arrays.stream(hidden.places())
                            .map(place -> row[place])
                            .toArray());
            int[] restored = hidden.pieces().clone();
            for (int i = 0; i < 15; i++) {
                restored[hidden.places()[i]] = hidden.right()[i];
            }
            assertThat(restored).containsExactly(row);
        }
        assertThat(row).containsExactly(row(100)); // the text itself is not touched
    }

    @Test
    void ofTenHiddenPiecesEightAreMaskedOneIsAnotherAndOneStays() {
        int masked = 0;
        int same = 0;
        int[] chosen = new int[100];
        int rows = 4000;
        for (int number = 0; number < rows; number++) {
            Masked hidden = masking(0.15, 1).hide(row(100), 3, number);
            for (int i = 0; i < 15; i++) {
                int now = hidden.pieces()[hidden.places()[i]];
                chosen[hidden.places()[i]]++;
                masked += now == MASK ? 1 : 0;
                same += now == hidden.right()[i] ? 1 : 0;
            }
        }
        double all = 15.0 * rows;
        assertThat(masked / all).isCloseTo(0.8, within(0.01));
        assertThat(same / all).isCloseTo(0.1, within(0.01));
        assertThat(Arrays.stream(chosen).min().orElseThrow() / (double) rows).isGreaterThan(0.12);
        assertThat(Arrays.stream(chosen).max().orElseThrow() / (double) rows).isLessThan(0.18);
    }

    @Test
    void whatIsHiddenIsAFunctionOfSeedEpochAndRow() {
        Masked hidden = masking(0.15, 1).hide(row(100), 2, 7);
        Masked again = masking(0.15, 1).hide(row(100), 2, 7);
        assertThat(again.pieces()).containsExactly(hidden.pieces());
        assertThat(again.places()).containsExactly(hidden.places());
        assertThat(masking(0.15, 2).hide(row(100), 2, 7).places()).isNotEqualTo(hidden.places());
        assertThat(masking(0.15, 1).hide(row(100), 3, 7).places()).isNotEqualTo(hidden.places());
        assertThat(masking(0.15, 1).hide(row(100), 2, 8).places()).isNotEqualTo(hidden.places());
        assertThat(masking(0.15, 1).hide(row(100), Masking.FIXED, 7).places()).isNotEqualTo(hidden.places());
    }

    @Test
    void unknownAndSpecialPiecesAreNeitherChosenNorDrawnAndOneAtLeastIsHidden() {
        BertEncoder.Config special = new BertEncoder.Config(1, 4, 2, 6, 300, 0, 2, 1e-5, 2, 3, MASK, 200, 0, 0);
        Masking few = new Masking(0.15, special, 7, new BitSet(), 1); // 5 and 6 are all there is to draw
        int[] row = {1, 2, 5, 3, 1, 4};
        for (int number = 0; number < 200; number++) {
            Masked hidden = few.hide(row, 0, number);
            assertThat(hidden.places()).containsExactly(2);
            assertThat(hidden.pieces()[2]).isIn(MASK, 5, 6);
        }
    }

    @Test
    void piecesOfAWordAreHiddenTogether() {
        // Words of three pieces: x, 100, 101. A piece that continues nothing known stands for itself.
        int[] row =
                IntStream.range(0, 60).map(i -> i % 3 == 0 ? 5 + i : 99 + i % 3).toArray();
        row[30] = 1;
        Masking words = masking(0.2, 1, 100, 101);
        for (int number = 0; number < 100; number++) {
            BitSet hidden = new BitSet();
            Masked masked = words.hide(row, 0, number);
            Arrays.stream(masked.places()).forEach(hidden::set);
            assertThat(masked.places().length).isBetween(10, 12); // 59 known pieces: 12 at most
            for (int word = 0; word < 60; word += 3) {
                int together = hidden.get(word, word + 3).cardinality();
                assertThat(together).isIn(0, word == 30 ? 2 : 3);
            }
        }
    }

    @Test
    void aWordLongerThanTheShareIsHiddenWhereItIsTheFirstDrawn() {
        Masked masked = masking(0.15, 1, 6, 7, 8).hide(row(4), 0, 0); // one word of four
        assertThat(masked.places()).containsExactly(0, 1, 2, 3);
    }
}
