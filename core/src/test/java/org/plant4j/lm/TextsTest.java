package org.plant4j.lm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;

class TextsTest {

    /** Text i is (i, i + 100); one text is empty. */
    private static final List<ListedTexts> PARTS = List.of(
            new ListedTexts(
                    IntStream.range(2, 12).mapToObj(i -> new int[] {i, i + 100}).toList()),
            new ListedTexts(List.of(new int[] {12, 112}, new int[0])));

    @Test
    void paddingStandsBeforeEveryTextAndEmptyOnesAreLeftOut() {
        int[] stream = new Texts(PARTS, 0, false, 1, "lm").learned(0);
        assertThat(stream).hasSize(33);
        for (int i = 0; i < 33; i += 3) {
            assertThat(stream[i]).isZero();
            assertThat(stream[i + 2]).isEqualTo(stream[i + 1] + 100);
        }
    }

    @Test
    void aShareIsHeldOutOfEveryEpochAndBothDirections() {
        Texts texts = new Texts(PARTS, 0.2, false, 1, "lm");
        int[] held = texts.heldOut();
        assertThat(held).hasSize(6); // two of eleven texts
        assertThat(texts.learned(0)).hasSize(27).doesNotContain(held[1], held[4]);
        assertThat(texts.learned(7)).hasSize(27).doesNotContain(held[1], held[4]);
        int[] turned = new Texts(PARTS, 0.2, true, 1, "lm").heldOut();
        assertThat(turned).containsExactly(0, held[2], held[1], 0, held[5], held[4]);
        assertThat(new Texts(PARTS, 0, false, 1, "lm").measures()).isFalse();
    }

    @Test
    void eachEpochHasAnOrderOfItsOwnThatASeedRepeats() {
        Texts texts = new Texts(PARTS, 0, false, 1, "lm");
        assertThat(texts.learned(0)).isNotEqualTo(texts.learned(1));
        assertThat(texts.learned(1)).containsExactly(new Texts(PARTS, 0, false, 1, "lm").learned(1));
        assertThat(texts.learned(0)).isNotEqualTo(new Texts(PARTS, 0, false, 2, "lm").learned(0));
    }

    @Test
    void someTextMustBeLeftToLearnFrom() {
        List<ListedTexts> one = List.of(new ListedTexts(List.of(new int[] {2})));
        assertThatThrownBy(() -> new Texts(one, 0.05, false, 1, "lm"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("1 texts of which 1");
        assertThat(new Texts(one, 0, false, 1, "lm").learned(0)).containsExactly(0, 2);
    }
}
