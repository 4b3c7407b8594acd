package org.plant4j.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.support.UserError;

/**
 * The words a run knows, by falling count and then alphabetically, or the pieces of a pretrained encoder in its own order;
 * ids 0 and 1 stand for padding and unknown words.
 */
public final class Vocabulary {

    public static final int PADDING = 0;
    public static final int UNKNOWN = 1;

    private static final int FIRST_TOKEN = 2;
    private static final List<String> HEADER = List.of("word", "count");

    private final String[] words;
    private final long[] counts;
    private final Map<String, Integer> ids;

    private Vocabulary(String[] words, long[] counts) {
        this.words = words;
        this.counts = counts;
        this.ids = new HashMap<>(2 * words.length);
        for (int id = FIRST_TOKEN; id < words.length; id++) {
            ids.put(words[id], id);
        }
    }

    /** Padding, unknown and all words. */
    public int size() {
        return words.length;
    }

    public int id(String word) {
        return ids.getOrDefault(word, UNKNOWN);
    }

    public int[] ids(TokenizedText tokens) {
        int[] result = new int[tokens.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = id(tokens.tokens().get(i));
        }
        return result;
    }

    /** The word of an id; {@code <pad>} and {@code <unk>} for the first two. */
    public String token(int id) {
        return words[id];
    }

    /** How often the word stood in the training text; for unknown, how many tokens had no place here. */
    public long count(int id) {
        return counts[id];
    }

    /** Writes a table {@code word⇥count} whose row n, counted from 0 below the header, is id n. */
    public void write(Path file) {
        List<List<String>> rows = new ArrayList<>(words.length);
        for (int id = 0; id < words.length; id++) {
            rows.add(List.of(words[id], Long.toString(counts[id])));
        }
        TsvFile.write(file, HEADER, rows);
    }

    public static Vocabulary read(Path file) {
        List<String[]> rows = TsvFile.read(file, HEADER);
        String[] words = new String[rows.size()];
        long[] counts = new long[rows.size()];
        for (int id = 0; id < words.length; id++) {
            words[id] = rows.get(id)[0];
            counts[id] = TsvFile.number(file, id, rows.get(id)[1]);
        }
        Vocabulary vocabulary = new Vocabulary(words, counts);
        if (words.length < FIRST_TOKEN || vocabulary.ids.size() != words.length - FIRST_TOKEN) {
            throw new UserError(
                    "The vocabulary lacks its first two rows or names a word twice",
                    file.toString(),
                    "prepare the corpus again");
        }
        return vocabulary;
    }

    /**
     * Counts words in a stream of texts of any length, in bounded memory. Past {@code capacity} distinct words it
     * forgets the rarest, as lossy counting does: singletons first, then words counted twice, until half the room is
     * free. A count is then too low by at most {@link #error()}, which stays 0 for all but huge corpora.
     */
    public static final class Builder {

        /** About 100 MB of counts. */
        public static final int CAPACITY = 1_000_000;

        private final int capacity;
        private final Map<String, long[]> counts = new HashMap<>();
        private long tokens;
        private long error;

        public Builder() {
            this(CAPACITY);
        }

        public Builder(int capacity) {
            if (capacity < 1) {
                throw new IllegalArgumentException("capacity: " + capacity + " (expected: >= 1)");
            }
            this.capacity = capacity;
        }

        public Builder add(TokenizedText text) {
            for (String word : text.tokens()) {
                counts.computeIfAbsent(word, w -> new long[1])[0]++;
            }
            tokens += text.size();
            for (long rare = 1; counts.size() > (rare == 1 ? capacity : capacity / 2); rare++) {
                long limit = rare;
                counts.values().removeIf(count -> count[0] <= limit);
                error++;
            }
            return this;
        }

        public long error() {
            return error;
        }

        /** Keeps words counted at least {@code minCount} times, and of these the {@code maxWords} most frequent. */
        public Vocabulary build(int minCount, int maxWords) {
            List<Map.Entry<String, long[]>> kept = new ArrayList<>(counts.entrySet());
            kept.removeIf(entry -> entry.getValue()[0] < minCount);
            kept.sort(Comparator.comparingLong((Map.Entry<String, long[]> entry) -> -entry.getValue()[0])
                    .thenComparing(Map.Entry::getKey));
            int size = FIRST_TOKEN + Math.min(kept.size(), maxWords);
            String[] words = new String[size];
            long[] numbers = new long[size];
            words[PADDING] = "<pad>";
            words[UNKNOWN] = "<unk>";
            for (int id = FIRST_TOKEN; id < size; id++) {
                words[id] = kept.get(id - FIRST_TOKEN).getKey();
                numbers[id] = kept.get(id - FIRST_TOKEN).getValue()[0];
            }
            numbers[UNKNOWN] = tokens - Arrays.stream(numbers).sum();
            return new Vocabulary(words, numbers);
        }

        /** Exactly these pieces, the first two for padding and unknown ones, each with its count or 0. */
        public Vocabulary build(List<String> pieces) {
            long[] numbers = new long[pieces.size()];
            for (int id = FIRST_TOKEN; id < numbers.length; id++) {
                numbers[id] = counts.getOrDefault(pieces.get(id), new long[1])[0];
            }
            numbers[UNKNOWN] = tokens - Arrays.stream(numbers).sum();
            return new Vocabulary(pieces.toArray(String[]::new), numbers);
        }
    }
}
