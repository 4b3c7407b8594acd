package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.text.Vocabulary;

class StemsTest {

    @Test
    void tokensOfOneStemShareItsId() {
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            Vocabulary vocabulary =
                    builder.build(List.of("<pad>", "<unk>", "model", "theory", "models", "theories", "bias"));
            Stems stems = Stems.of(vocabulary);
            assertThat(stems.byToken()).containsExactly(-1, -1, 0, 1, 0, 1, 2);
            assertThat(stems.count()).isEqualTo(3);
        }
    }
}
