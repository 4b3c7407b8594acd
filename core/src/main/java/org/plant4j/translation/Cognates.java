package org.plant4j.translation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the word of another language that an English word is spelt like, if both are of Latin or Greek origin. */
final class Cognates {

    private static final int PREFIX = 3; // letters in common
    private static final int MIN_LENGTH = 4;
    private static final double LEAST_SIMILARITY = 0.84;

    private record Word(String word, String spelling) {}

    private final Map<String, List<Word>> byPrefix = new HashMap<>();

    Cognates(Collection<String> words) {
        for (String word : new TreeSet<>(words)) {
            String spelling = Spelling.of(word);
            if (spelling.length() >= MIN_LENGTH && spelling.codePoints().allMatch(Character::isLetter)) {
                byPrefix.computeIfAbsent(spelling.substring(0, PREFIX), prefix -> new ArrayList<>())
                        .add(new Word(word, spelling));
            }
        }
    }

    /** The most similar word, of equal ones the first in alphabetical order. */
    Optional<String> of(String english) {
        String spelling = Spelling.ofEnglish(english);
        if (spelling.length() < MIN_LENGTH) {
            return Optional.empty();
        }
        Word best = null;
        double highest = 0;
        for (Word word : byPrefix.getOrDefault(spelling.substring(0, PREFIX), List.of())) {
            double similarity = Spelling.similarity(spelling, word.spelling);
            if (similarity >= LEAST_SIMILARITY && similarity > highest) {
                best = word;
                highest = similarity;
            }
        }
        return Optional.ofNullable(best).map(Word::word);
    }
}
