package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Span;

class WordTokenizerTest {

    private final Tokenizer tokenizer = new WordTokenizer();

    @Test
    void wordsAreRunsOfLettersAndDigitsInLowerCase() {
        TokenizedText tokens = tokenizer.tokenize("Pt. took 40mg of T4 (2x), BP 120/80.");
        assertThat(tokens.tokens()).containsExactly("pt", "took", "40mg", "of", "t4", "2x", "bp");
        assertThat(tokens.spans())
                .containsExactly(
                        new Span(0, 2),
                        new Span(4, 8),
                        new Span(9, 13),
                        new Span(14, 16),
                        new Span(17, 19),
                        new Span(21, 23),
                        new Span(26, 28));
    }

    @Test
    void runsWithoutLettersAreNotTokens() {
        assertThat(tokenizer.tokenize("12 3.5 2020-01-02 \u0661\u0662").tokens())
                .isEmpty();
    }

    @Test
    void textsWithoutWordsHaveNoTokens() {
        assertThat(tokenizer.tokenize("").size()).isZero();
        assertThat(tokenizer.tokenize(" \r\n\t.").size()).isZero();
    }

    @Test
    void composedAndDecomposedAccentsGiveTheSameTokenWithDifferentSpans() {
        TokenizedText tokens = tokenizer.tokenize("Lesi\u00f3n LESIO\u0301N fin");
        assertThat(tokens.tokens()).containsExactly("lesi\u00f3n", "lesi\u00f3n", "fin");
        assertThat(tokens.spans()).containsExactly(new Span(0, 6), new Span(7, 14), new Span(15, 18));
    }

    @Test
    void aCombiningMarkWithoutALetterDoesNotStartAToken() {
        TokenizedText tokens = tokenizer.tokenize(" \u0301abc");
        assertThat(tokens.tokens()).containsExactly("abc");
        assertThat(tokens.spans()).containsExactly(new Span(2, 5));
    }

    @Test
    void emojiOfSeveralCodeUnitsDoNotShiftSpans() {
        // a family of three people joined by U+200D, a heart with a variation selector, a keycap 5
        String text = "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67dolor\u2764\uFE0Fpecho 5\uFE0F\u20E3 fin";
        TokenizedText tokens = tokenizer.tokenize(text);
        assertThat(tokens.tokens()).containsExactly("dolor", "pecho", "fin");
        assertThat(tokens.spans()).containsExactly(new Span(8, 13), new Span(15, 20), new Span(25, 28));
    }

    @Test
    void lettersBeyondTheBasicPlaneTakeTwoCodeUnits() {
        // Deseret capital and small long I; a lone surrogate is not a letter
        TokenizedText tokens = tokenizer.tokenize("\uD801\uDC00x \uD801y");
        assertThat(tokens.tokens()).containsExactly("\uD801\uDC28x", "y");
        assertThat(tokens.spans()).containsExactly(new Span(0, 3), new Span(5, 6));
    }

    @Test
    void carriageReturnsCountAsCodeUnits() {
        TokenizedText tokens = tokenizer.tokenize("a\r\nb\r\n\r\nc");
        assertThat(tokens.spans()).containsExactly(new Span(0, 1), new Span(3, 4), new Span(8, 9));
    }

    @Test
    void dottedCapitalIGrowsInLowerCaseButItsSpanDoesNot() {
        TokenizedText tokens = tokenizer.tokenize("\u0130V I\u0307V x");
        assertThat(tokens.tokens()).containsExactly("i\u0307v", "i\u0307v", "x");
        assertThat(tokens.spans()).containsExactly(new Span(0, 2), new Span(3, 6), new Span(7, 8));
    }

    @Test
    void defaultLocaleDoesNotMatter() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(new Locale("tr"));
            assertThat(tokenizer.tokenize("ICTUS").tokens()).containsExactly("ictus");
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void spansAreAscendingAndCoverExactlyTheirToken(long seed) {
        String text = randomText(new Random(seed));
        TokenizedText tokens = tokenizer.tokenize(text);
        int end = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Span span = tokens.spans().get(i);
            assertThat(span.start()).isGreaterThanOrEqualTo(end);
            end = span.end();
            String word = tokens.tokens().get(i);
            String cut = text.substring(span.start(), span.end());
            assertThat(Normalizer.normalize(cut.toLowerCase(Locale.ROOT), Normalizer.Form.NFC))
                    .isEqualTo(word);
            assertThat(tokenizer.tokenize(cut).tokens()).isEqualTo(List.of(word));
            assertThat(word.codePoints().anyMatch(Character::isLetter)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void tokensDoNotDependOnTheNormalForm(long seed) {
        String text = randomText(new Random(seed));
        List<String> words = tokenizer
                .tokenize(Normalizer.normalize(text, Normalizer.Form.NFC))
                .tokens();
        assertThat(tokenizer
                        .tokenize(Normalizer.normalize(text, Normalizer.Form.NFD))
                        .tokens())
                .isEqualTo(words);
    }

    private static String randomText(Random random) {
        String[] fragments = {
            "a",
            "Z",
            "7",
            " ",
            "\r\n",
            "\u00e9",
            "E\u0301",
            "\u0301",
            "\u0130",
            "\u00df",
            "\uD83D\uDE00",
            "\u200D",
            "\uFE0F",
            "\uD801\uDC00",
            "\uD55C",
            "\u1100\u1161",
            ".",
            "-",
            "\u00f1",
            "n\u0303",
            "\u00b5",
            "\u03a3"
        };
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            text.append(fragments[random.nextInt(fragments.length)]);
        }
        return text.toString();
    }
}
