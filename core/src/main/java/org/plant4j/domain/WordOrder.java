package org.plant4j.domain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.plant4j.text.Vocabulary;
import org.plant4j.text.WordBoundaries;

/**
 * A permutation test of the word order: compares the mean association of adjacent tokens with that of the same words in
 * random order. It does not depend on which words a text uses, so that a text by another author passes as long as its words
 * are in the order of a language.
 */
final class WordOrder {

    private static final int PERMUTATIONS = 32;

    /** Longer texts are judged by their first tokens, which bounds the time. */
    private static final int MAX_TOKENS = 2048;

    /** Avoids a division by zero for texts that repeat one word. */
    private static final double MIN_DEVIATION = 1e-3;

    private final TokenPairs pairs;
    private final BitSet continuations;

    WordOrder(Vocabulary vocabulary, TokenPairs pairs) {
        this.pairs = pairs;
        this.continuations = WordBoundaries.continuationTokens(vocabulary);
    }

    /**
     * How many standard deviations the mean association is above that of random orders: about 0 for shuffled words. The
     * same text always has the same value.
     */
    double score(int[] tokens) {
        int[] start = Arrays.copyOf(tokens, Math.min(tokens.length, MAX_TOKENS));
        double[] shuffled = new double[PERMUTATIONS];
        List<int[]> words = words(start);
        Random random = new Random(1);
        for (int i = 0; i < PERMUTATIONS; i++) {
            shuffled[i] = association(shuffled(words, start.length, random));
        }
        double mean = Arrays.stream(shuffled).average().orElseThrow();
        double variance = Arrays.stream(shuffled)
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElseThrow();
        return (association(start) - mean) / Math.max(MIN_DEVIATION, Math.sqrt(variance));
    }

    /** The mean association of adjacent known tokens. */
    private double association(int[] tokens) {
        double sum = 0;
        int known = 0;
        for (int i = 1; i < tokens.length; i++) {
            if (tokens[i - 1] > Vocabulary.UNKNOWN && tokens[i] > Vocabulary.UNKNOWN) {
                sum += pairs.association(tokens[i - 1], tokens[i]);
                known++;
            }
        }
        return known == 0 ? TokenPairs.UNSEEN : sum / known;
    }

    /** The tokens of each word: one, or several subwords. */
    private List<int[]> words(int[] tokens) {
        List<int[]> words = new ArrayList<>();
        int start = 0;
        for (int i = 1; i <= tokens.length; i++) {
            if (i == tokens.length || !continuations.get(tokens[i])) {
                words.add(Arrays.copyOfRange(tokens, start, i));
                start = i;
            }
        }
        return words;
    }

    /** Shuffles the list in place and concatenates it. */
    private static int[] shuffled(List<int[]> words, int length, Random random) {
        Collections.shuffle(words, random);
        int[] tokens = new int[length];
        int at = 0;
        for (int[] word : words) {
            System.arraycopy(word, 0, tokens, at, word.length);
            at += word.length;
        }
        return tokens;
    }
}
