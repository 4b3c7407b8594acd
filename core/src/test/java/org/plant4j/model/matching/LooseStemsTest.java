package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.text.Vocabulary;

class LooseStemsTest {

    @Test
    void accentsAndEndingsOfNumberAndGenderAreRemoved() {
        assertThat(List.of("metastásicas", "metastásico", "renales", "renal", "años", "tos", "gas", "mama", "célula"))
                .extracting(LooseStems::stem)
                .containsExactly("metastasic", "metastasic", "renal", "renal", "ano", "tos", "gas", "mama", "celul");
        assertThat(LooseStems.stem("\u0301")).isEqualTo("\u0301");
    }

    /** pulmon is the prefix of pulmonar: 2 · 6 letters of 6 + 8. */
    @Test
    void stemsWithALongCommonPrefixAreNeighbours() {
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            Vocabulary vocabulary =
                    builder.build(List.of("<pad>", "<unk>", "pulmón", "pulmonar", "pulso", "pulmones", "pul"));
            LooseStems stems = LooseStems.of(vocabulary);
            assertThat(stems.of(new int[] {0, 1, 2, 3, 4, 5, 6})).containsExactly(-1, -1, 0, 1, 2, 0, 3);
            assertThat(stems.texts()).containsExactly("pulmon", "pulmonar", "puls", "pul");
            assertThat(stems.neighbours(0)).containsExactly(new LooseStems.Neighbour(1, (float) (12 / 14.0)));
            assertThat(stems.neighbours(2)).isEmpty();
            assertThat(stems.neighbours(3)).isEmpty(); // too short
        }
        assertThat(LooseStems.similarity("abcd", "abxx")).isCloseTo(0.5, within(1e-12));
    }
}
