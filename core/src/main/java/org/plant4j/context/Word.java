package org.plant4j.context;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.Span;

/**
 * A run of letters and digits of a text, or one other character that is not a space.
 *
 * @param form the word in lower case, without accents
 */
record Word(String form, Span span) {

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}\\p{N}]+|[^\\s\\p{L}\\p{M}\\p{N}]");
    private static final Pattern MARKS = Pattern.compile("\\p{M}+");

    /** The words of a text between two positions. */
    static List<Word> split(String text, int start, int end) {
        List<Word> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text).region(start, end);
        while (matcher.find()) {
            words.add(new Word(normalize(matcher.group()), new Span(matcher.start(), matcher.end())));
        }
        return words;
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
        return form.codePoints().allMatch(Character::isDigit);
    }

    boolean isPunctuation() {
        return form.isEmpty() || !Character.isLetterOrDigit(form.codePointAt(0));
    }
}
