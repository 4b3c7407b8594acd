package org.plant4j.translation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Translates English names word by word. The translation of a word is the one that {@link IbmModel1} finds most probable in
 * both directions, and for a word without a probable one its cognate. Words that phrases seldom express, such as unspecified,
 * are left out.
 */
public final class Lexicon {

    private static final double PROBABLE = 0.15; // score of a translation that is preferred to a cognate
    private static final double LEAST_ALTERNATIVE = 0.12;
    private static final double ALTERNATIVE = 0.4; // score of an alternative, relative to that of the best translation
    private static final int MAX_ALTERNATIVES = 2; // of a word
    private static final int MAX_TRANSLATIONS = 6; // of a name
    private static final int PREFIX = 4; // words with the same one are found anyway
    private static final double LEAST_EXPRESSED = 0.15;

    /** A word and the geometric mean of its probability given the English word and the reverse. */
    record Translation(String word, double score) {}

    private final Map<String, List<Translation>> translations; // by English word, best first
    private final Map<String, Double> expressed; // share of the names with a word in which phrases express it
    private final Cognates cognates;

    Lexicon(Map<String, List<Translation>> translations, Map<String, Double> expressed, Cognates cognates) {
        this.translations = translations;
        this.expressed = expressed;
        this.cognates = cognates;
    }

    /** How often phrases express a word of a name; 0.5 if that is unknown. */
    double expressed(String word) {
        return expressed.getOrDefault(word, 0.5);
    }

    /** The translations of a word, best first; the word itself if there are none. */
    List<String> translate(String word) {
        List<Translation> learned = translations.getOrDefault(word, List.of());
        if (learned.isEmpty() || learned.get(0).score < PROBABLE) {
            String best = learned.isEmpty() ? word : learned.get(0).word;
            return List.of(cognates.of(word).orElse(best));
        }
        Translation best = learned.get(0);
        List<String> words = new ArrayList<>(List.of(best.word));
        learned.stream()
                .skip(1)
                .filter(other -> other.score >= Math.max(LEAST_ALTERNATIVE, ALTERNATIVE * best.score))
                .filter(other -> !prefix(other.word).equals(prefix(best.word)))
                .limit(MAX_ALTERNATIVES)
                .forEach(other -> words.add(other.word));
        return words;
    }

    private static String prefix(String word) {
        return word.substring(0, Math.min(PREFIX, word.length()));
    }

    /**
     * Translations of a name, each as its distinct words: first that by the best translation of each word, then those with an
     * alternative of one word, and last that with alternatives of all words that have some.
     */
    public List<List<String>> translate(List<String> name) {
        List<String> words =
                name.stream().filter(word -> expressed(word) >= LEAST_EXPRESSED).toList();
        List<List<String>> choices =
                (words.isEmpty() ? name : words).stream().map(this::translate).toList();
        List<String> best = choices.stream().map(choice -> choice.get(0)).toList();
        List<List<String>> names = new ArrayList<>(List.of(best));
        for (int i = 0; i < best.size(); i++) {
            for (String alternative : choices.get(i).subList(1, choices.get(i).size())) {
                List<String> other = new ArrayList<>(best);
                other.set(i, alternative);
                names.add(other);
            }
        }
        names.add(choices.stream()
                .map(choice -> choice.get(Math.min(1, choice.size() - 1)))
                .toList());
        Set<List<String>> distinct = new LinkedHashSet<>();
        names.forEach(other -> distinct.add(other.stream().distinct().toList()));
        return distinct.stream().limit(MAX_TRANSLATIONS).toList();
    }
}
