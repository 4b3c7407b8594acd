package org.plant4j.domain;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.DoublePredicate;
import org.plant4j.text.Vocabulary;
import org.plant4j.text.WordBoundaries;

/**
 * A permutation test of the word order: compares the mean association of adjacent tokens with that of the same words in
 * random order. It does not depend on which words a text uses, so that a text by another author passes as long as its words
 * are in the order of a language.
 */
final class WordOrder {

    private static final int PERMUTATIONS = 32;

    private static final int FEW_PERMUTATIONS = 8;

    private static final double MARGIN = 2;

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
        Permutations permutations = new Permutations(tokens);
        permutations.shuffle(PERMUTATIONS);
        return permutations.score();
    }

    /**
     * Whether the score is sufficient. A few permutations decide if the score would be sufficient even with twice their
     * standard deviation, and with a mean that is {@link #MARGIN} standard deviations higher, as for most texts.
     */
    boolean isSufficient(int[] tokens, DoublePredicate sufficient) {
        Permutations permutations = new Permutations(tokens);
        permutations.shuffle(FEW_PERMUTATIONS);
        double few = permutations.score();
        if (sufficient.test(Math.min(few / 2, few - MARGIN))) {
            return true;
        }
        permutations.shuffle(PERMUTATIONS);
        return sufficient.test(permutations.score());
    }

    /** The mean associations of a text in its own and in random orders. */
    private final class Permutations {

        private final Words words;
        private final double inOrder;
        private final double[] shuffled = new double[PERMUTATIONS];
        private final Shuffler random = new Shuffler();
        private int count;

        Permutations(int[] tokens) {
            words = new Words(tokens, Math.min(tokens.length, MAX_TOKENS));
            inOrder = words.association();
        }

        /** Shuffles until there are so many orders. */
        void shuffle(int orders) {
            while (count < orders) {
                words.shuffle(random);
                shuffled[count++] = words.association();
            }
        }

        double score() {
            double mean = Arrays.stream(shuffled, 0, count).average().orElseThrow();
            double variance = Arrays.stream(shuffled, 0, count)
                    .map(value -> (value - mean) * (value - mean))
                    .average()
                    .orElseThrow();
            return (inOrder - mean) / Math.max(MIN_DEVIATION, Math.sqrt(variance));
        }
    }

    /** The numbers of {@link java.util.Random} for one thread, which need no atomic operations: half of the time of the test. */
    private static final class Shuffler {

        private static final long MULTIPLIER = 0x5DEECE66DL;
        private static final long MASK = (1L << 48) - 1;
        private static final long SEED = 1;

        private long state = (SEED ^ MULTIPLIER) & MASK;

        private int next31() {
            state = (state * MULTIPLIER + 0xBL) & MASK;
            return (int) (state >>> 17);
        }

        /** Uniform below the bound. */
        int nextInt(int bound) {
            int bits = next31();
            if ((bound & (bound - 1)) == 0) {
                return (int) ((bound * (long) bits) >> 31);
            }
            int value = bits % bound;
            while (bits - value + (bound - 1) < 0) { // overflows for the last, incomplete range of values
                bits = next31();
                value = bits % bound;
            }
            return value;
        }
    }

    /** The words of a text, each of one token or several subwords, in an order that changes. */
    private final class Words {

        private final int[] order;
        private final long[] firstTerms; // of the last token of each word, which is the first one of a pair
        private final long[] secondTerms; // of the first token of each word
        private final boolean[] startsKnown;
        private final boolean[] endsKnown;
        private int count;
        private int sumWithin; // the associations within words, which no order changes
        private int knownWithin;

        Words(int[] tokens, int length) {
            order = new int[length];
            firstTerms = new long[length];
            secondTerms = new long[length];
            startsKnown = new boolean[length];
            endsKnown = new boolean[length];
            for (int i = 0; i < length; i++) {
                if (i > 0 && continuations.get(tokens[i])) {
                    if (isKnown(tokens[i - 1]) && isKnown(tokens[i])) {
                        sumWithin += pairs.association(tokens[i - 1], tokens[i]);
                        knownWithin++;
                    }
                } else {
                    order[count] = count;
                    secondTerms[count] = TokenPairs.secondTerm(tokens[i]);
                    startsKnown[count++] = isKnown(tokens[i]);
                }
                firstTerms[count - 1] = TokenPairs.firstTerm(tokens[i]);
                endsKnown[count - 1] = isKnown(tokens[i]);
            }
        }

        void shuffle(Shuffler random) {
            for (int i = count; i > 1; i--) {
                int other = random.nextInt(i);
                int word = order[i - 1];
                order[i - 1] = order[other];
                order[other] = word;
            }
        }

        /** The mean association of adjacent known tokens, in nats. */
        double association() {
            int sum = sumWithin;
            int known = knownWithin;
            for (int i = 1; i < count; i++) {
                int one = order[i - 1];
                int other = order[i];
                if (endsKnown[one] && startsKnown[other]) {
                    sum += pairs.association(firstTerms[one] + secondTerms[other]);
                    known++;
                }
            }
            return TokenPairs.STEP * (known == 0 ? TokenPairs.UNSEEN : (double) sum / known);
        }

        private static boolean isKnown(int token) {
            return token > Vocabulary.UNKNOWN;
        }
    }
}
