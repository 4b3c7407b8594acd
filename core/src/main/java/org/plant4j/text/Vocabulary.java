package org.plant4j.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.support.Arguments;
import org.plant4j.support.UserError;

/**
 * Maps tokens to ids: the tokens of a corpus by descending count, then alphabetically, or the tokens of a pretrained
 * encoder in its order. Ids 0 and 1 are padding and unknown tokens.
 */
public final class Vocabulary {

    public static final int PADDING = 0;
    public static final int UNKNOWN = 1;

    private static final int FIRST_TOKEN = 2;
    private static final List<String> HEADER = List.of("token", "count");

    private final String[] tokens;
    private final long[] counts;
    private final Map<String, Integer> ids;

    private Vocabulary(String[] tokens, long[] counts) {
        this.tokens = tokens;
        this.counts = counts;
        this.ids = new HashMap<>(2 * tokens.length);
        for (int id = FIRST_TOKEN; id < tokens.length; id++) {
            ids.put(tokens[id], id);
        }
    }

    /** The number of tokens, including padding and unknown. */
    public int size() {
        return tokens.length;
    }

    public int id(String token) {
        return ids.getOrDefault(token, UNKNOWN);
    }

    public int[] ids(TokenizedText text) {
        int[] result = new int[text.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = id(text.tokens().get(i));
        }
        return result;
    }

    /** The token of an id; {@code <pad>} and {@code <unk>} for the first two. */
    public String token(int id) {
        return tokens[id];
    }

    /** The number of occurrences in the training text; for the unknown id, of tokens that are not in the vocabulary. */
    public long count(int id) {
        return counts[id];
    }

    /** Writes the columns {@code token, count}; row n below the header, counted from 0, is id n. */
    public void write(Path file) {
        List<List<String>> rows = new ArrayList<>(tokens.length);
        for (int id = 0; id < tokens.length; id++) {
            rows.add(List.of(tokens[id], Long.toString(counts[id])));
        }
        TsvFile.write(file, HEADER, rows);
    }

    public static Vocabulary read(Path file) {
        List<String[]> rows = TsvFile.read(file, HEADER);
        String[] tokens = new String[rows.size()];
        long[] counts = new long[rows.size()];
        for (int id = 0; id < tokens.length; id++) {
            tokens[id] = rows.get(id)[0];
            counts[id] = TsvFile.number(file, id, rows.get(id)[1]);
        }
        Vocabulary vocabulary = new Vocabulary(tokens, counts);
        if (tokens.length < FIRST_TOKEN || vocabulary.ids.size() != tokens.length - FIRST_TOKEN) {
            throw new UserError(
                    "The vocabulary lacks its first two rows or has a duplicate token",
                    file.toString(),
                    "prepare the corpus again");
        }
        return vocabulary;
    }

    /**
     * Counts tokens in a stream of texts in bounded memory. Beyond {@code capacity} distinct tokens it drops the rarest,
     * as in lossy counting: first those counted once, then twice, until half of the capacity is free. Counts are then too
     * low by at most {@link #error()}, which is 0 except for very large corpora.
     */
    public static final class Builder {

        /** The default capacity, about 100 MB of counts. */
        public static final int CAPACITY = 1_000_000;

        private final int capacity;
        private final Map<String, long[]> counts = new HashMap<>();
        private long total;
        private long error;

        public Builder() {
            this(CAPACITY);
        }

        public Builder(int capacity) {
            this.capacity = Arguments.atLeast(1, "capacity", capacity);
        }

        public Builder add(TokenizedText text) {
            for (String token : text.tokens()) {
                counts.computeIfAbsent(token, t -> new long[1])[0]++;
            }
            total += text.size();
            for (long rare = 1; counts.size() > (rare == 1 ? capacity : capacity / 2); rare++) {
                long limit = rare;
                counts.values().removeIf(count -> count[0] <= limit);
                error++;
            }
            return this;
        }

        /** The maximal error of a count. */
        public long error() {
            return error;
        }

        /** Keeps tokens counted at least {@code minCount} times, and of these the {@code maxTokens} most frequent. */
        public Vocabulary build(int minCount, int maxTokens) {
            List<Map.Entry<String, long[]>> kept = new ArrayList<>(counts.entrySet());
            kept.removeIf(entry -> entry.getValue()[0] < minCount);
            kept.sort(Comparator.comparingLong((Map.Entry<String, long[]> entry) -> -entry.getValue()[0])
                    .thenComparing(Map.Entry::getKey));
            int size = FIRST_TOKEN + Math.min(kept.size(), maxTokens);
            String[] tokens = new String[size];
            long[] tokenCounts = new long[size];
            tokens[PADDING] = "<pad>";
            tokens[UNKNOWN] = "<unk>";
            for (int id = FIRST_TOKEN; id < size; id++) {
                tokens[id] = kept.get(id - FIRST_TOKEN).getKey();
                tokenCounts[id] = kept.get(id - FIRST_TOKEN).getValue()[0];
            }
            tokenCounts[UNKNOWN] = total - Arrays.stream(tokenCounts).sum();
            return new Vocabulary(tokens, tokenCounts);
        }

        /** A vocabulary of exactly these tokens with their counts; the first two are padding and unknown. */
        public Vocabulary build(List<String> tokens) {
            long[] tokenCounts = new long[tokens.size()];
            for (int id = FIRST_TOKEN; id < tokenCounts.length; id++) {
                tokenCounts[id] = counts.getOrDefault(tokens.get(id), new long[1])[0];
            }
            tokenCounts[UNKNOWN] = total - Arrays.stream(tokenCounts).sum();
            return new Vocabulary(tokens.toArray(String[]::new), tokenCounts);
        }
    }
}
