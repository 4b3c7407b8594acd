package org.plant4j.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.plant4j.Span;

class WordTest {

    /** Letters, marks, digits, spaces and other characters, some of them surrogates. */
    private static final String[] CHARACTERS = {
        "a", "É", "e\u0301", "ß", "9", "٣", "Ⅷ", "½", " ", "\t", "\n", "\u00A0", "\u2028", ".", "-", "’", "𝒳", "😀",
        "\uD835", "\uDC00"
    };

    @Test
    void aWordIsARunOfLettersMarksAndDigitsOrOneOtherCharacter() {
        assertThat(Word.split("Hgb 12.9%, día 2\n", 0, 17))
                .extracting(Word::form)
                .containsExactly("hgb", "12", ".", "9", "%", ",", "dia", "2");
        assertThat(Word.split("no pain", 3, 6)).containsExactly(new Word("pai", new Span(3, 6)));
        assertThat(Word.split("", 0, 0)).isEmpty();
    }

    @Test
    void everyTextIsSplitAsByTheRegularExpression() {
        Pattern expression = Pattern.compile("[\\p{L}\\p{M}\\p{N}]+|[^\\s\\p{L}\\p{M}\\p{N}]");
        Random random = new Random(5);
        for (int trial = 0; trial < 2000; trial++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
            }
            int start = random.nextInt(text.length() + 1);
            int end = start + random.nextInt(text.length() - start + 1);
            List<Span> expected = new ArrayList<>();
            Matcher matcher = expression.matcher(text).region(start, end);
            while (matcher.find()) {
                expected.add(new Span(matcher.start(), matcher.end()));
            }
            assertThat(Word.split(text.toString(), start, end))
                    .as("trial %d", trial)
                    .extracting(Word::span)
                    .isEqualTo(expected);
        }
    }

    @Test
    void numbersAndPunctuation() {
        assertThat(Word.split("12 A1c ٣ :", 0, 10))
                .extracting(Word::isNumber, Word::isPunctuation)
                .containsExactly(tuple(true, false), tuple(false, false), tuple(true, false), tuple(false, true));
    }
}
