package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PluralFormsTest {

    @Test
    void pluralEndingsAreRemoved() {
        assertThat(List.of("models", "theories", "mass", "gas", "ties", "bus", "as", "model"))
                .extracting(PluralForms::stem)
                .containsExactly("model", "theory", "mass", "gas", "tie", "bus", "as", "model");
    }

    @Test
    void allFormsOfAWordHaveItsStem() {
        assertThat(PluralForms.of("model")).containsExactly("model", "models");
        assertThat(PluralForms.of("models")).containsExactly("model", "models");
        assertThat(PluralForms.of("theory")).containsExactly("theories", "theory", "theorys");
        assertThat(PluralForms.of("mass")).containsExactly("mass");
        for (String word : List.of("gas", "at", "ss", "ties", "s", "bus", "bodies")) {
            assertThat(PluralForms.of(word))
                    .contains(word)
                    .allMatch(form -> PluralForms.stem(form).equals(PluralForms.stem(word)));
        }
    }
}
