package org.plant4j.rank;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.plant4j.text.Vocabulary;

/**
 * Training and validation lists of a ranker: the top tokens of a label by mutual information with their grades, among other
 * tokens sampled at random. Tokens that tie with the last top token are not sampled.
 *
 * <p>A pair of label and token is used either for training or for validation. Every {@code heldOutEvery}-th top token of a
 * label is held out, never the first ones, which matter most; of the other tokens the same fraction, chosen by a hash of
 * the pair. If nothing is held out, validation uses the same top tokens among newly sampled others.
 */
final class RankingLists {

    /** Tokens in random order, so that ties in score favour none, with their grades. */
    @SuppressWarnings("ArrayRecordComponent")
    // lives for one step, never compared
    record GradedList(int[] tokens, int[] grades) {}

    private static final int ATTEMPTS = 20; // per token to sample: small vocabularies run out

    private final RankConfig config;
    private final Relevance relevance;
    private final RelevanceGrades grades;
    private final double[] cumulative; // sampling weights of all tokens up to and including this one

    /** {@code frequencies} of all tokens determine how often each is sampled. */
    RankingLists(RankConfig config, Relevance relevance, long[] frequencies) {
        this.config = config;
        this.relevance = relevance;
        this.grades = new RelevanceGrades(config.maxGrade());
        cumulative = new double[frequencies.length];
        double sum = 0;
        for (int token = 0; token < cumulative.length; token++) {
            boolean real = token > Vocabulary.UNKNOWN;
            sum += real ? Math.pow((double) Math.max(1, frequencies[token]), config.samplingPower()) : 0;
            cumulative[token] = sum;
        }
    }

    GradedList training(int label, long seed) {
        return list(label, false, seed);
    }

    /** Empty if the label has too few tokens to hold one out. */
    GradedList heldOut(int label, long seed) {
        return list(label, true, seed);
    }

    private GradedList list(int label, boolean held, long seed) {
        int[] best = relevance.tokens(label);
        float[] gains = relevance.gains(label);
        int count = Math.min(config.topTokens(), best.length);
        int[] tokens = new int[count + config.sampledTokens()];
        int[] graded = new int[tokens.length];
        BitSet used = new BitSet(cumulative.length);
        int size = 0;
        int rank = 1;
        for (int i = 0; i < count; i++) {
            used.set(best[i]);
            rank = i > 0 && gains[i] == gains[i - 1] ? rank : i + 1; // equal gains have equal grades
            boolean heldHere = config.heldOutEvery() > 0 && (i + 1) % config.heldOutEvery() == 0;
            if (config.heldOutEvery() == 0 || held == heldHere) {
                tokens[size] = best[i];
                graded[size++] = grades.atRank(rank);
            }
        }
        for (int i = count; i > 0 && i < best.length && gains[i] == gains[i - 1]; i++) {
            used.set(best[i]); // ties with the last top token: neither graded nor sampled
        }
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + label);
        int sampled = size == 0 ? 0 : sample(label, held, random, used, tokens, size);
        return shuffle(tokens, graded, size + sampled, random);
    }

    /** Adds unused tokens from index {@code from} on; returns how many were found. */
    private int sample(int label, boolean held, SplittableRandom random, BitSet used, int[] tokens, int from) {
        int sampled = 0;
        double total = cumulative[cumulative.length - 1];
        for (int attempts = config.sampledTokens() * ATTEMPTS * Math.max(1, held ? config.heldOutEvery() : 1);
                sampled < config.sampledTokens() && attempts > 0 && total > 0;
                attempts--) {
            int token = find(random.nextDouble(total));
            if (!used.get(token) && (config.heldOutEvery() == 0 || held == isHeldOut(label, token))) {
                used.set(token);
                tokens[from + sampled++] = token;
            }
        }
        return sampled;
    }

    /** The token whose interval of the cumulative weights contains the point. */
    private int find(double point) {
        int found = Arrays.binarySearch(cumulative, point);
        int first = found < 0 ? -found - 1 : found + 1;
        return Math.min(first, cumulative.length - 1);
    }

    private boolean isHeldOut(int label, int token) {
        long mixed = ((long) label << 32 | token) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
        return Long.remainderUnsigned(mixed ^ mixed >>> 32, config.heldOutEvery()) == 0;
    }

    private static GradedList shuffle(int[] tokens, int[] grades, int size, SplittableRandom random) {
        for (int i = size - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            swap(tokens, i, j);
            swap(grades, i, j);
        }
        return new GradedList(Arrays.copyOf(tokens, size), Arrays.copyOf(grades, size));
    }

    private static void swap(int[] values, int i, int j) {
        int value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}
