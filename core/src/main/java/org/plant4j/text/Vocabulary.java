package org.plant4j.text;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import org.plant4j.UserError;

/**
 * Maps tokens to ids: the tokens of a corpus by descending count, then alphabetically, or the tokens of a pretrained
 * encoder in its order. Ids 0 and 1 are padding and unknown tokens.
 */
public final class Vocabulary implements Serializable {

    public static final int PADDING = 0;
    public static final int UNKNOWN = 1;

    /** The id of the first token after padding and unknown. */
    public static final int FIRST_TOKEN = 2;

    private static final long serialVersionUID = 1;
    private static final List<String> HEADER = List.of("token", "count");

    private final String[] tokens;
    private final long[] counts;
    private final HashMap<String, Integer> ids;

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
     * Builds a vocabulary from token counts, exactly and in bounded memory. Counts may be added in any order and any
     * grouping: those of the parts of a corpus give the vocabulary of the whole.
     */
    public static final class Builder implements AutoCloseable {

        /** The default number of distinct tokens in memory, about 100 MB; more are counted in temporary files. */
        public static final int CAPACITY = 1_000_000;

        private static final Comparator<Entry> BEST_FIRST =
                Comparator.comparingLong(Entry::count).reversed().thenComparing(Entry::token);

        private record Entry(String token, long count) {}

        private final TokenCounter counter;

        public Builder() {
            this(CAPACITY);
        }

        public Builder(int capacity) {
            counter = new TokenCounter(capacity);
        }

        public Builder add(TokenizedText text) {
            text.tokens().forEach(token -> counter.add(token, 1));
            return this;
        }

        /** Adds {@code count} occurrences of a token. */
        public Builder add(String token, long count) {
            counter.add(token, count);
            return this;
        }

        /** Passes on each distinct token with its count, in no particular order. */
        public void forEach(ObjLongConsumer<String> action) {
            counter.forEach(action);
        }

        /** Keeps tokens counted at least {@code minCount} times, and of these the {@code maxTokens} most frequent. */
        public Vocabulary build(int minCount, int maxTokens) {
            return build(minCount, maxTokens, Set.of());
        }

        /**
         * Keeps tokens counted at least {@code minCount} times and the further tokens, however often they were counted; of all
         * these the {@code maxTokens} most frequent.
         */
        public Vocabulary build(int minCount, int maxTokens, Set<String> further) {
            PriorityQueue<Entry> worstFirst = new PriorityQueue<>(BEST_FIRST.reversed());
            ObjLongConsumer<String> keep = (token, count) -> {
                worstFirst.add(new Entry(token, count));
                if (worstFirst.size() > maxTokens) {
                    worstFirst.remove();
                }
            };
            Set<String> notCounted = new HashSet<>(further);
            counter.forEach((token, count) -> {
                if (notCounted.remove(token) || count >= minCount) {
                    keep.accept(token, count);
                }
            });
            notCounted.forEach(token -> keep.accept(token, 0));
            int size = FIRST_TOKEN + worstFirst.size();
            String[] tokens = new String[size];
            long[] tokenCounts = new long[size];
            tokens[PADDING] = "<pad>";
            tokens[UNKNOWN] = "<unk>";
            for (int id = size - 1; id >= FIRST_TOKEN; id--) {
                Entry entry = worstFirst.remove();
                tokens[id] = entry.token();
                tokenCounts[id] = entry.count();
            }
            return vocabulary(tokens, tokenCounts);
        }

        /** A vocabulary of exactly these tokens with their counts; the first two are padding and unknown. */
        public Vocabulary build(List<String> tokens) {
            Map<String, Long> known = new HashMap<>();
            tokens.subList(Math.min(FIRST_TOKEN, tokens.size()), tokens.size()).forEach(token -> known.put(token, 0L));
            counter.forEach((token, count) -> known.computeIfPresent(token, (t, none) -> count));
            long[] tokenCounts = new long[tokens.size()];
            for (int id = FIRST_TOKEN; id < tokenCounts.length; id++) {
                tokenCounts[id] = known.getOrDefault(tokens.get(id), 0L);
            }
            return vocabulary(tokens.toArray(String[]::new), tokenCounts);
        }

        private Vocabulary vocabulary(String[] tokens, long[] tokenCounts) {
            tokenCounts[UNKNOWN] = counter.total() - Arrays.stream(tokenCounts).sum();
            return new Vocabulary(tokens, tokenCounts);
        }

        /** Deletes the temporary files. */
        @Override
        public void close() {
            counter.close();
        }
    }
}
