package org.plant4j.context;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.plant4j.Span;

/**
 * A run of letters, marks and digits of a text, or one other character that is not a space.
 *
 * @param form the word in lower case, without accents
 */
record Word(String form, Span span) {

    private static final Pattern MARKS = Pattern.compile("\\p{M}+");

    /** The average length of a word with its space, for the initial size of lists. */
    private static final int USUAL_LENGTH = 5;

    /** The words of a text between two positions. */
    static List<Word> split(String text, int start, int end) {
        List<Word> words = new ArrayList<>((end - start) / USUAL_LENGTH + 1);
        int at = start;
        while (at < end) {
            int first = text.codePointAt(at);
            int next = at + Character.charCount(first);
            if (isPartOfWord(first)) {
                next = endOfWord(text, next, end);
            }
            if (next <= end && !isSpace(first)) {
                words.add(new Word(normalize(text.substring(at, next)), new Span(at, next)));
            }
            at = next;
        }
        return words;
    }

    /** The end of the word that continues at a position; a surrogate pair across {@code end} does not belong to it. */
    private static int endOfWord(String text, int from, int end) {
        int at = from;
        while (at < end) {
            int character = text.codePointAt(at);
            int next = at + Character.charCount(character);
            if (next > end || !isPartOfWord(character)) {
                break;
            }
            at = next;
        }
        return at;
    }

    private static boolean isPartOfWord(int character) {
        if (character < 0x80) {
            int lower = character | 0x20;
            return (lower >= 'a' && lower <= 'z') || (character >= '0' && character <= '9');
        }
        return switch (Character.getType(character)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER -> true;
            default -> false;
        };
    }

    private static boolean isSpace(int character) {
        return character == ' ' || (character >= '\t' && character <= '\r');
    }

    /** The forms of the words of a text. */
    static List<String> forms(String text) {
        return split(text, 0, text.length()).stream().map(Word::form).toList();
    }

    private static String normalize(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        for (int i = 0; i < lower.length(); i++) {
            if (lower.charAt(i) >= 0x80) {
                return MARKS.matcher(Normalizer.normalize(lower, Normalizer.Form.NFD))
                        .replaceAll("");
            }
        }
        return lower;
    }

    boolean isNumber() {
        for (int i = 0; i < form.length(); i += Character.charCount(form.codePointAt(i))) {
            if (!Character.isDigit(form.codePointAt(i))) {
                return false;
            }
        }
        return true;
    }

    boolean isPunctuation() {
        return form.isEmpty() || !Character.isLetterOrDigit(form.codePointAt(0));
    }
}
