package org.plant4j.domain;

import java.util.Arrays;
import java.util.BitSet;
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
        Words words = new Words(tokens, Math.min(tokens.length, MAX_TOKENS));
        double inOrder = words.association();
        double[] shuffled = new double[PERMUTATIONS];
        Random random = new Random(1);
        for (int i = 0; i < PERMUTATIONS; i++) {
            words.shuffle(random);
            shuffled[i] = words.association();
        }
        double mean = Arrays.stream(shuffled).average().orElseThrow();
        double variance = Arrays.stream(shuffled)
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElseThrow();
        return (inOrder - mean) / Math.max(MIN_DEVIATION, Math.sqrt(variance));
    }

    /** The words of a text, each of one token or several subwords, in an order that changes. */
    private final class Words {

        private final int[] first; // the first token of each word
        private final int[] last;
        private int count;
        private int sumWithin; // the associations within words, which no order changes
        private int knownWithin;

        Words(int[] tokens, int length) {
            first = new int[length];
            last = new int[length];
            for (int i = 0; i < length; i++) {
                if (i > 0 && continuations.get(tokens[i])) {
                    if (isKnown(tokens[i - 1], tokens[i])) {
                        sumWithin += pairs.association(tokens[i - 1], tokens[i]);
                        knownWithin++;
                    }
                } else {
                    first[count++] = tokens[i];
                }
                last[count - 1] = tokens[i];
            }
        }

        void shuffle(Random random) {
            for (int i = count; i > 1; i--) {
                int other = random.nextInt(i);
                swap(first, i - 1, other);
                swap(last, i - 1, other);
            }
        }

        private static void swap(int[] values, int i, int j) {
            int value = values[i];
            values[i] = values[j];
            values[j] = value;
        }

        /** The mean association of adjacent known tokens, in nats. */
        double association() {
            int sum = sumWithin;
            int known = knownWithin;
            for (int i = 1; i < count; i++) {
                if (isKnown(last[i - 1], first[i])) {
                    sum += pairs.association(last[i - 1], first[i]);
                    known++;
                }
            }
            return TokenPairs.STEP * (known == 0 ? TokenPairs.UNSEEN : (double) sum / known);
        }

        private static boolean isKnown(int one, int other) {
            return one > Vocabulary.UNKNOWN && other > Vocabulary.UNKNOWN;
        }
    }
}
