package org.plant4j.server.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.report.Html;

/** Abbreviations and everyday names of conditions, with the words of descriptions that they stand for. */
final class Abbreviations {

    private static final String FILE = "abbreviations.tsv";

    private final Map<String, List<String>> expansions = new HashMap<>();
    private int longest;

    private Abbreviations() {}

    static Abbreviations read() {
        Abbreviations abbreviations = new Abbreviations();
        Html.resource(Abbreviations.class, FILE).lines().forEach(line -> {
            String[] columns = line.split("\t", -1);
            abbreviations.expansions.put(columns[0], List.of(columns[1].split(" ", -1)));
            abbreviations.longest = Math.max(abbreviations.longest, columns[0].split(" ", -1).length);
        });
        return abbreviations;
    }

    /** The words with each abbreviation replaced by what it stands for, the longest first. */
    List<String> expand(List<String> words) {
        List<String> expanded = new ArrayList<>();
        for (int start = 0; start < words.size(); ) {
            int length = Math.min(longest, words.size() - start);
            while (length > 0 && !expansions.containsKey(phrase(words, start, length))) {
                length--;
            }
            expanded.addAll(length == 0 ? List.of(words.get(start)) : expansions.get(phrase(words, start, length)));
            start += Math.max(1, length);
        }
        return expanded;
    }

    private static String phrase(List<String> words, int start, int length) {
        return String.join(" ", words.subList(start, start + length));
    }
}
