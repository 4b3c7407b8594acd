package org.plant4j.translation;

import java.text.Normalizer;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Spells words of Latin and Greek origin alike in different languages, so that cognates can be compared by their letters:
 * pneumonia and neumonía both become neumon.
 */
final class Spelling {

    private static final Pattern ACCENTS = Pattern.compile("\\p{M}+");
    private static final Pattern DOUBLE = Pattern.compile("(.)\\1");
    private static final Pattern SILENT = Pattern.compile("^e(?=s[cfglmnprtv])|^p(?=[ns])"); // esquizofrenia, psoriasis

    private static final List<String> LETTERS = List.of(
            "ph", "f", "th", "t", "ch", "c", "rh", "r", "qu", "c", "k", "c", "y", "i", "ae", "e", "oe", "e", "h", "",
            "z", "c", "w", "v", "ct", "t", "x", "s", "gn", "n");

    /** Endings of English words and what they are in languages that descend from Latin. */
    private static final List<String> ENDINGS = List.of(
            "tions", "cion", "tion", "cion", "ities", "idad", "ity", "idad", "ically", "ic", "ical", "ic", "ics", "ic",
            "ous", "os", "ing", "", "ies", "i", "y", "i", "ed", "ad");

    private static final int MIN_LENGTH = 4; // that is left without the last vowels

    private Spelling() {}

    /** The letters of a word. */
    static String of(String word) {
        String letters =
                ACCENTS.matcher(Normalizer.normalize(word, Normalizer.Form.NFD)).replaceAll("");
        for (int i = 0; i < LETTERS.size(); i += 2) {
            letters = letters.replace(LETTERS.get(i), LETTERS.get(i + 1));
        }
        letters = DOUBLE.matcher(letters).replaceAll("$1");
        letters = SILENT.matcher(letters).replaceFirst("");
        int end = letters.length();
        while (end > MIN_LENGTH && "aeio".indexOf(letters.charAt(end - 1)) >= 0) {
            end--;
        }
        return letters.substring(0, end);
    }

    /** The letters that a word of English would have in a language that descends from Latin. */
    static String ofEnglish(String word) {
        for (int i = 0; i < ENDINGS.size(); i += 2) {
            String ending = ENDINGS.get(i);
            if (word.endsWith(ending) && word.length() > ending.length() + 2) {
                return of(word.substring(0, word.length() - ending.length()) + ENDINGS.get(i + 1));
            }
        }
        return of(word);
    }

    /** Twice the length of the longest common subsequence of two words, divided by their lengths. */
    static double similarity(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int i = 0; i < a.length(); i++) {
            int[] row = new int[b.length() + 1];
            for (int j = 0; j < b.length(); j++) {
                row[j + 1] = a.charAt(i) == b.charAt(j) ? before[j] + 1 : Math.max(before[j + 1], row[j]);
            }
            before = row;
        }
        return a.isEmpty() && b.isEmpty() ? 1 : 2.0 * before[b.length()] / (a.length() + b.length());
    }
}
