package org.plant4j.text;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.plant4j.Span;

/**
 * Tokenizes a text into lower-case words: runs of letters and digits with at least one letter, including the combining
 * marks that follow them. Words are normalised to NFC, so that composed and decomposed accents give the same token; spans
 * refer to the original text.
 */
public final class WordTokenizer implements Tokenizer {

    private static final int OTHER = 0;
    private static final int MARK = 1;
    private static final int DIGIT = 2;
    private static final int LETTER = 3;

    /** The first combining mark; all characters below it are in normal form. */
    private static final char FIRST_MARK = '\u0300';

    @Override
    public TokenizedText tokenize(String text) {
        List<String> words = new ArrayList<>(text.length() / 6);
        List<Span> spans = new ArrayList<>(text.length() / 6);
        int at = 0;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            int kind = kind(character);
            int start = at;
            at += Character.charCount(character);
            if (kind < DIGIT) {
                continue; // a combining mark without a letter, as in an emoji
            }
            boolean letter = kind == LETTER;
            while (at < text.length()) {
                character = text.codePointAt(at);
                kind = kind(character);
                if (kind == OTHER) {
                    break;
                }
                letter |= kind == LETTER;
                at += Character.charCount(character);
            }
            if (letter) {
                words.add(word(text.substring(start, at)));
                spans.add(new Span(start, at));
            }
        }
        return new TokenizedText(words, spans);
    }

    private static int kind(int character) {
        if (character < 128) {
            int lower = character | 0x20;
            return lower >= 'a' && lower <= 'z' ? LETTER : character >= '0' && character <= '9' ? DIGIT : OTHER;
        }
        return switch (Character.getType(character)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER -> LETTER;
            case Character.DECIMAL_DIGIT_NUMBER -> DIGIT;
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> MARK;
            default -> OTHER;
        };
    }

    private static String word(String run) {
        String lower = run.toLowerCase(Locale.ROOT);
        for (int i = 0; i < lower.length(); i++) {
            if (lower.charAt(i) >= FIRST_MARK) {
                return Normalizer.normalize(lower, Normalizer.Form.NFC);
            }
        }
        return lower;
    }
}
