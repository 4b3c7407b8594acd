package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordBoundariesTest {

    private static List<String> continuation(String... tokens) {
        List<String> all = new ArrayList<>(List.of("<pad>", "<unk>"));
        all.addAll(List.of(tokens));
        Vocabulary vocabulary = new Vocabulary.Builder().build(all);
        return WordBoundaries.continuationTokens(vocabulary).stream()
                .mapToObj(vocabulary::token)
                .toList();
    }

    @Test
    void wordPieceMarksContinuations() {
        assertThat(continuation("[CLS]", "wheez", "##ing", ".", "##s", "##", "#"))
                .containsExactly("##ing", "##s");
    }

    @Test
    void sentencePieceMarksStartsAndPunctuationIsAWord() {
        assertThat(continuation("<s>", "▁cán", "cer", "▁", ".", "ñ", "5", "▁de", "("))
                .containsExactly("cer", "ñ", "5");
    }

    @Test
    void byteLevelBpeMarksStarts() {
        assertThat(continuation("<s>", "Ġcán", "cer", "Ċ", "ĊĊ", ",", "Ã³", "Ġ"))
                .containsExactly("cer", "Ã³");
    }

    @Test
    void withoutMarksEveryTokenIsAWord() {
        assertThat(continuation("heart", "failure")).isEmpty();
    }
}
