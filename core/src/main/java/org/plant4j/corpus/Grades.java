package org.plant4j.corpus;

import java.util.HashMap;
import java.util.Map;

/**
 * The words for a tumour's grade, learnt from a book's own entries so that they are in its language: what the description
 * of {@code 8140/34} adds to that of {@code 8140/3} belongs to grade 4.
 */
final class Grades {

    private final Map<Character, String> words;

    private Grades(Map<Character, String> words) {
        this.words = words;
    }

    static Grades of(Map<String, CodeBook.Entry> entries) {
        Map<Character, String> words = new HashMap<>();
        for (CodeBook.Entry entry : entries.values()) {
            String code = entry.code();
            if (graded(code)) {
                CodeBook.Entry ungraded = entries.get(code.substring(0, code.length() - 1));
                if (ungraded != null && entry.description().startsWith(ungraded.description())) {
                    String added =
                            entry.description().substring(ungraded.description().length());
                    words.putIfAbsent(code.charAt(code.length() - 1), added);
                }
            }
        }
        return new Grades(Map.copyOf(words));
    }

    /** What to put after an ancestor's description so that it tells the code's grade. */
    String after(CodeBook.Entry ancestor, String code) {
        String bare = code.endsWith("/H") ? code.substring(0, code.length() - 2) : code;
        return graded(bare) && !graded(ancestor.code()) ? words.getOrDefault(bare.charAt(bare.length() - 1), "") : "";
    }

    private static boolean graded(String code) {
        return code.length() == 7 && code.indexOf('/') == 4;
    }
}
