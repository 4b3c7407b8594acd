package org.plant4j.domain;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.support.Arguments;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * The association of adjacent tokens in the training documents: the pointwise mutual information of the most frequent
 * pairs, and a constant for all others. Shuffled words consist mostly of pairs that never occur.
 *
 * <p>A pair takes four bytes: 24 bits of its hash and 8 bits of its association. Of 65,536 pairs, 1 in 256 unseen ones is
 * mistaken for a stored one, which hardly changes a mean.
 */
final class TokenPairs {

    static final int MAX_PAIRS = 1 << 16;

    /** The resolution of an association in nats, so that 8 bits range from -12.8 to 12.7. */
    static final double STEP = 0.1;

    /** The association of a pair that is not stored, in steps: below that of most stored ones. */
    static final int UNSEEN = -10;

    private static final int ASSOCIATION_BITS = 8;
    private static final int HASH_BITS = Integer.SIZE - ASSOCIATION_BITS;

    /** The leading bits of a hash that select a bucket, which holds one of 65,536 pairs on average. */
    private static final int BUCKET_BITS = 16;

    /** Sorted; the sign bit is flipped, so that signed order is that of hashes, then associations. */
    private final int[] entries;

    /** The leading bits of a hash that select a bit of {@link #present}: 128 KB, of which most stays in the cache. */
    private static final int PRESENT_BITS = 20;

    /** The first entry of each bucket, and the number of entries. */
    private final int[] buckets = new int[(1 << BUCKET_BITS) + 1];

    /** Whether a stored hash begins with these bits. Most pairs of shuffled words are not stored, and need no search. */
    private final long[] present = new long[(1 << PRESENT_BITS) / Long.SIZE];

    private TokenPairs(int[] entries) {
        this.entries = entries;
        int entry = 0;
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            while (entry < entries.length && hash(entries[entry]) >>> (HASH_BITS - BUCKET_BITS) < bucket) {
                entry++;
            }
            buckets[bucket] = entry;
        }
        for (int each : entries) {
            int bit = hash(each) >>> (HASH_BITS - PRESENT_BITS);
            present[bit / Long.SIZE] |= 1L << bit;
        }
    }

    /** Counts the pairs of known tokens in bounded memory. */
    static TokenPairs of(Dataset documents) {
        Counts counts = new Counts(Counts.CAPACITY);
        for (int d = 0; d < documents.size(); d++) {
            counts.add(documents.tokens(d));
        }
        return counts.build();
    }

    /** The association of two adjacent tokens, in steps. */
    int association(int first, int second) {
        return association(firstTerm(first) + secondTerm(second));
    }

    /** The association of two adjacent tokens, from the sum of their terms. */
    int association(long terms) {
        int hash = hash(terms);
        int bit = hash >>> (HASH_BITS - PRESENT_BITS);
        if ((present[bit / Long.SIZE] & 1L << bit) == 0) {
            return UNSEEN;
        }
        int bucket = hash >>> (HASH_BITS - BUCKET_BITS);
        for (int entry = buckets[bucket]; entry < buckets[bucket + 1]; entry++) {
            if (hash(entries[entry]) == hash) {
                return (entries[entry] & 0xFF) - 128;
            }
        }
        return UNSEEN;
    }

    /** The hash of a stored pair. */
    private static int hash(int entry) {
        return (entry ^ Integer.MIN_VALUE) >>> ASSOCIATION_BITS;
    }

    int size() {
        return entries.length;
    }

    @JsonValue
    byte[] toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(entries.length * Integer.BYTES);
        bytes.asIntBuffer().put(entries);
        return bytes.array();
    }

    @JsonCreator
    static TokenPairs ofBytes(byte[] bytes) {
        Arguments.check(bytes.length % Integer.BYTES == 0, "bytes", bytes.length, "a multiple of " + Integer.BYTES);
        IntBuffer ints = ByteBuffer.wrap(bytes).asIntBuffer();
        int[] entries = new int[ints.remaining()];
        ints.get(entries);
        for (int i = 1; i < entries.length; i++) {
            Arguments.check(entries[i - 1] < entries[i], "entry " + i, entries[i], "in ascending order");
        }
        return new TokenPairs(entries);
    }

    /** What a token adds to the hash of a pair as its first one: who looks many pairs up can store it. */
    static long firstTerm(int token) {
        return ((long) token << Integer.SIZE) * 0x9E3779B97F4A7C15L;
    }

    /** The same as the second one. */
    static long secondTerm(int token) {
        return token * 0x9E3779B97F4A7C15L;
    }

    private static int hash(int first, int second) {
        return hash(firstTerm(first) + secondTerm(second));
    }

    private static int hash(long terms) {
        long mixed = (terms ^ (terms >>> 29)) * 0xBF58476D1CE4E5B9L;
        return (int) (mixed >>> (Long.SIZE - HASH_BITS));
    }

    /** Counts of pairs; beyond the capacity the rarest are dropped, as in {@link Vocabulary.Builder}. */
    static final class Counts {

        static final int CAPACITY = 1_000_000;

        private final int capacity;
        private final Map<Long, int[]> pairs = new HashMap<>();
        private final Map<Integer, int[]> seconds = new HashMap<>();
        private final Map<Integer, int[]> firsts = new HashMap<>();
        private long total;

        Counts(int capacity) {
            this.capacity = capacity;
        }

        Counts add(int[] tokens) {
            for (int i = 1; i < tokens.length; i++) {
                if (tokens[i - 1] > Vocabulary.UNKNOWN && tokens[i] > Vocabulary.UNKNOWN) {
                    pairs.computeIfAbsent(((long) tokens[i - 1] << Integer.SIZE) | tokens[i], p -> new int[1])[0]++;
                    firsts.computeIfAbsent(tokens[i - 1], t -> new int[1])[0]++;
                    seconds.computeIfAbsent(tokens[i], t -> new int[1])[0]++;
                    total++;
                }
            }
            for (int rare = 1; pairs.size() > (rare == 1 ? capacity : capacity / 2); rare++) {
                int limit = rare;
                pairs.values().removeIf(count -> count[0] <= limit);
            }
            return this;
        }

        TokenPairs build() {
            Map<Integer, Integer> successors = new HashMap<>();
            pairs.keySet().forEach(pair -> successors.merge(first(pair), 1, Integer::sum));
            List<Map.Entry<Long, int[]>> frequent = pairs.entrySet().stream()
                    .sorted(Comparator.comparingInt((Map.Entry<Long, int[]> entry) -> -entry.getValue()[0])
                            .thenComparing(Map.Entry::getKey))
                    .limit(MAX_PAIRS)
                    .toList();
            Map<Integer, Integer> byHash = new HashMap<>();
            for (Map.Entry<Long, int[]> entry : frequent) {
                long pair = entry.getKey();
                double association = association(pair, entry.getValue()[0], successors.getOrDefault(first(pair), 0));
                byHash.putIfAbsent(hash(first(pair), second(pair)), quantized(association));
            }
            return new TokenPairs(byHash.entrySet().stream()
                    .mapToInt(e -> ((e.getKey() << ASSOCIATION_BITS) | e.getValue()) ^ Integer.MIN_VALUE)
                    .sorted()
                    .toArray());
        }

        /** The logarithm of P(second | first) / P(second), with Witten-Bell discounting for rare first tokens. */
        private double association(long pair, int count, int successors) {
            double conditional = (double) count / (firsts.getOrDefault(first(pair), new int[1])[0] + successors);
            return Math.log(conditional * total / seconds.getOrDefault(second(pair), new int[1])[0]);
        }

        private static int first(long pair) {
            return (int) (pair >>> Integer.SIZE);
        }

        private static int second(long pair) {
            return (int) pair;
        }

        private static int quantized(double association) {
            return (int) Math.max(0, Math.min(255, Math.round(association / STEP) + 128));
        }
    }
}
