package org.plant4j.context;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.context.Term.Role;

/** Finds the terms of languages in a sequence of words. Terms do not overlap; the longest term at a position wins. */
final class TermMatcher {

    /** A term at the words {@code start} to {@code end}, exclusive. */
    record Match(Term term, int start, int end) {}

    private final Map<String, List<Term>> byFirstWord = new HashMap<>();

    TermMatcher(List<Language> languages) {
        for (Language language : languages) {
            for (Term term : language.terms()) {
                byFirstWord
                        .computeIfAbsent(term.words().get(0), word -> new ArrayList<>())
                        .add(term);
            }
        }
        byFirstWord
                .values()
                .forEach(terms -> terms.sort(
                        Comparator.comparingInt((Term term) -> term.words().size())
                                .reversed()));
    }

    List<Match> find(List<Word> words) {
        List<Match> matches = new ArrayList<>();
        int at = 0;
        while (at < words.size()) {
            int length = 0;
            for (Term term : byFirstWord.getOrDefault(words.get(at).form(), List.of())) {
                // A term with two roles, such as "se descarta" before or after the mention, matches twice.
                if (term.role() != Role.HEADING && term.words().size() >= length && startsAt(term, words, at)) {
                    length = term.words().size();
                    matches.add(new Match(term, at, at + length));
                }
            }
            at += Math.max(1, length);
        }
        return matches;
    }

    /** The terms that are the whole heading of a section. */
    List<Term> headings(List<String> heading) {
        return heading.isEmpty()
                ? List.of()
                : byFirstWord.getOrDefault(heading.get(0), List.of()).stream()
                        .filter(term ->
                                term.role() == Role.HEADING && term.words().equals(heading))
                        .toList();
    }

    private static boolean startsAt(Term term, List<Word> words, int at) {
        int length = term.words().size();
        if (at + length > words.size()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (!term.words().get(i).equals(words.get(at + i).form())) {
                return false;
            }
        }
        return true;
    }
}
