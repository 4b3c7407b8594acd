package org.plant4j.rank;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.plant4j.text.Vocabulary;

/**
 * The lists that a ranker learns from and is measured on: a label's best tokens by mutual information, graded, among
 * others drawn at random.
 *
 * <p>A pair of label and token is either learned from or measured on. Of a label's best tokens every {@code heldOut}-th
 * is held out (so that the very first, which a document hangs on, are learned), and of the others a share as large, which
 * a hash of the pair tells. Where none is held out, the same best tokens are measured on among freshly drawn others.
 */
public final class RankingLists {

    /** Tokens in no telling order, so that ties in score favour none, with their grades. */
    @SuppressWarnings("ArrayRecordComponent")
    public // made for one step, never compared
    record GradedList(int[] tokens, int[] grades) {}

    private static final int TRIES = 20; // for each token to be drawn: small vocabularies run out

    private final RankConfig config;
    private final Relevance relevance;
    private final RelevanceGrades grades;
    private final double[] shares; // of the words up to and with each, rising

    /** {@code frequencies} is by token and says how likely each is drawn. */
    RankingLists(RankConfig config, Relevance relevance, long[] frequencies) {
        this.config = config;
        this.relevance = relevance;
        this.grades = new RelevanceGrades(config.maxGrade());
        shares = new double[frequencies.length];
        double sum = 0;
        for (int token = 0; token < shares.length; token++) {
            boolean word = token > Vocabulary.UNKNOWN;
            sum += word ? Math.pow((double) Math.max(1, frequencies[token]), config.samplingPower()) : 0;
            shares[token] = sum;
        }
    }

    GradedList training(int label, long seed) {
        return list(label, false, seed);
    }

    /** Empty where the label has too few tokens to hold one out. */
    GradedList heldOut(int label, long seed) {
        return list(label, true, seed);
    }

    private GradedList list(int label, boolean held, long seed) {
        int[] best = relevance.tokens(label);
        float[] gains = relevance.gains(label);
        int count = Math.min(config.topTokens(), best.length);
        int[] tokens = new int[count + config.sampledTokens()];
        int[] graded = new int[tokens.length];
        BitSet taken = new BitSet(shares.length);
        int size = 0;
        int rank = 1;
        for (int i = 0; i < count; i++) {
            taken.set(best[i]);
            rank = i > 0 && gains[i] == gains[i - 1] ? rank : i + 1; // equal gains share a grade
            boolean heldHere = config.heldOutEvery() > 0 && (i + 1) % config.heldOutEvery() == 0;
            if (config.heldOutEvery() == 0 || held == heldHere) {
                tokens[size] = best[i];
                graded[size++] = grades.atRank(rank);
            }
        }
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + label);
        int drawn = size == 0 ? 0 : draw(label, held, random, taken, tokens, size);
        return shuffled(tokens, graded, size + drawn, random);
    }

    /** Adds tokens that are not taken; returns how many there were to be found. */
    private int draw(int label, boolean held, SplittableRandom random, BitSet taken, int[] tokens, int from) {
        int drawn = 0;
        double all = shares[shares.length - 1];
        for (int tries = config.sampledTokens() * TRIES * Math.max(1, held ? config.heldOutEvery() : 1);
                drawn < config.sampledTokens() && tries > 0 && all > 0;
                tries--) {
            int token = find(random.nextDouble(all));
            if (!taken.get(token) && (config.heldOutEvery() == 0 || held == isHeldOut(label, token))) {
                taken.set(token);
                tokens[from + drawn++] = token;
            }
        }
        return drawn;
    }

    /** The token whose share the number falls into. */
    private int find(double point) {
        int found = Arrays.binarySearch(shares, point);
        int first = found < 0 ? -found - 1 : found + 1;
        return Math.min(first, shares.length - 1);
    }

    private boolean isHeldOut(int label, int token) {
        long mixed = ((long) label << 32 | token) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
        return Long.remainderUnsigned(mixed ^ mixed >>> 32, config.heldOutEvery()) == 0;
    }

    private static GradedList shuffled(int[] tokens, int[] grades, int size, SplittableRandom random) {
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
