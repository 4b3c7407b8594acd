package org.plant4j.translation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.translation.LexiconTrainer.Source;

class LexiconTest {

    private static final int TIMES = 8;

    private static TextPair pair(String english, String other) {
        return new TextPair(List.of(english.split(" ")), List.of(other.split(" ")));
    }

    private static final LexiconTrainer TRAINER = trainer();

    private static LexiconTrainer trainer() {
        List<TextPair> sentences = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            sentences.add(pair("pain in kidney", "dolor en rinon"));
            sentences.add(pair("pain in lung", "dolor en pulmon"));
            sentences.add(pair("kidney stone", "calcul renal"));
            sentences.add(pair("lung stone", "calcul pulmon"));
            sentences.add(pair("in lung", "en pulmon"));
        }
        List<TextPair> names = new ArrayList<>();
        for (String phrase :
                List.of("dolor rinon", "rinon dolor", "dolor en rinon", "dolor de rinon", "un dolor rinon")) {
            names.add(pair("pain in kidney unspecified", phrase));
        }
        return new LexiconTrainer(
                List.of(new Source(sentences, names), new Source(List.of(pair("fever", "fiebr")), List.of())),
                List.of("neumoni", "rinon"));
    }

    private static final Lexicon LEXICON = TRAINER.train(document -> true);

    @Test
    void wordsAreTranslatedByTheParallelTexts() {
        assertThat(LEXICON.translate("pain")).containsExactly("dolor");
        assertThat(LEXICON.translate("lung")).containsExactly("pulmon");
        assertThat(LEXICON.translate("kidney")).startsWith("rinon").contains("renal");
        assertThat(LEXICON.translate("fever")).containsExactly("fiebr");
    }

    @Test
    void cognatesTranslateOtherWords() {
        assertThat(LEXICON.translate("pneumonia")).containsExactly("neumoni");
        assertThat(LEXICON.translate("vertebrogenic")).containsExactly("vertebrogenic");
    }

    /** The phrases of all names with unspecified lack it; those of pain have it. */
    @Test
    void wordsThatPhrasesSeldomExpressAreLeftOut() {
        assertThat(LEXICON.expressed("pain")).isGreaterThan(0.6);
        assertThat(LEXICON.expressed("unspecified")).isLessThan(LEXICON.expressed("pain"));
        assertThat(LEXICON.expressed("never seen")).isEqualTo(0.5);
    }

    @Test
    void aNameIsTranslatedWithEachAlternative() {
        assertThat(LEXICON.translate(List.of("kidney", "pain")))
                .startsWith(List.of("rinon", "dolor"))
                .contains(List.of("renal", "dolor"));
        assertThat(LEXICON.translate(List.of())).containsExactly(List.of());
    }

    @Test
    void aLexiconOfSomeDocumentsDoesNotKnowTheOthers() {
        assertThat(TRAINER.train(document -> document == 0).translate("fever")).containsExactly("fever");
        assertThat(TRAINER.train(document -> document == 1).translate("pain")).containsExactly("pain");
    }

    @Test
    void trainingIsRepeatable() {
        Lexicon again = trainer().train(document -> true);
        for (String word : List.of("pain", "kidney", "lung", "in", "stone", "unspecified")) {
            assertThat(again.translate(word)).isEqualTo(LEXICON.translate(word));
            assertThat(again.expressed(word)).isEqualTo(LEXICON.expressed(word));
        }
    }
}
