package org.plant4j.corpus.sample;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Distinct pronounceable words that mean nothing. */
final class PseudoWords {

    private static final List<String> ONSETS = List.of(
            "b", "br", "c", "cl", "d", "dr", "f", "g", "gl", "h", "l", "m", "n", "p", "pl", "pr", "r", "s", "st", "t",
            "tr", "v", "z");
    private static final List<String> VOWELS = List.of("a", "e", "i", "o", "u", "ae", "io");
    private static final List<String> CODAS = List.of("", "", "l", "m", "n", "r", "s", "x");

    private final SplittableRandom random;
    private final Set<String> used = new LinkedHashSet<>();

    PseudoWords(SplittableRandom random) {
        this.random = random;
    }

    /** A word that was not returned before. */
    String next(int minSyllables) {
        while (true) {
            StringBuilder word = new StringBuilder();
            for (int i = minSyllables + random.nextInt(2); i > 0; i--) {
                word.append(pick(ONSETS)).append(pick(VOWELS));
            }
            word.append(pick(CODAS));
            if (used.add(word.toString())) {
                return word.toString();
            }
        }
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
