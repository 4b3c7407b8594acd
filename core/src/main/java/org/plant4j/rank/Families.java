package org.plant4j.rank;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.text.Examples;

/**
 * Codes that share their first {@code length} characters are a family: C50.1 and C50.9, 8140/3 and 8141/3. What speaks
 * for the family speaks, with {@code weight}, for each of them: a code with one training document cannot tell its own
 * words from the others in that document, its family often can. A length of 0 makes no families.
 */
public record Families(int length, double weight) {

    public static final Families NONE = new Families(0, 0);

    public Families {
        if (length < 0) {
            throw new IllegalArgumentException("length: " + length + " (expected: >= 0)");
        }
        if (!(weight >= 0)) {
            throw new IllegalArgumentException("weight: " + weight + " (expected: >= 0)");
        }
    }

    /** Each code's own relevance with that of its family; both are scaled to 1 for their best token before. */
    Relevance lend(
            MutualInformation information, Relevance own, Examples documents, int vocabulary, List<String> codes) {
        if (length == 0 || weight == 0) {
            return own;
        }
        Map<String, Integer> families = new HashMap<>();
        int[] familyOf = codes.stream()
                .mapToInt(code -> families.computeIfAbsent(prefix(code), any -> families.size()))
                .toArray();
        Relevance shared = information.of(new ByFamily(documents, familyOf), vocabulary, families.size());
        int[][] tokens = new int[codes.size()][];
        float[][] gains = new float[codes.size()][];
        float[] sums = new float[vocabulary];
        for (int label = 0; label < tokens.length; label++) {
            add(own, label, 1, sums);
            add(shared, familyOf[label], weight, sums);
            int[] both = union(own.tokens(label), shared.tokens(familyOf[label]));
            int[] best = Arrays.stream(both)
                    .boxed()
                    .sorted((a, b) -> sums[a] == sums[b] ? Integer.compare(a, b) : Float.compare(sums[b], sums[a]))
                    .limit(information.topK())
                    .mapToInt(token -> token)
                    .toArray();
            tokens[label] = best;
            gains[label] = new float[best.length];
            for (int i = 0; i < best.length; i++) {
                gains[label][i] = sums[best[i]];
            }
            for (int token : both) {
                sums[token] = 0;
            }
        }
        return new Relevance(tokens, gains);
    }

    private String prefix(String code) {
        return code.substring(0, Math.min(length, code.length()));
    }

    private static void add(Relevance relevance, int label, double weight, float[] sums) {
        int[] tokens = relevance.tokens(label);
        float[] gains = relevance.gains(label);
        for (int i = 0; i < tokens.length; i++) {
            sums[tokens[i]] += (float) (weight * gains[i] / gains[0]);
        }
    }

    private static int[] union(int[] some, int[] others) {
        return Arrays.stream(new int[][] {some, others})
                .flatMapToInt(Arrays::stream)
                .distinct()
                .toArray();
    }

    /** The same documents with their codes' families for labels. */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    private record ByFamily(Examples documents, int[] familyOf) implements Examples {

        @Override
        public int size() {
            return documents.size();
        }

        @Override
        public int[] tokens(int document) {
            return documents.tokens(document);
        }

        @Override
        public int[] labels(int document) {
            return Arrays.stream(documents.labels(document))
                    .filter(label -> label < familyOf.length)
                    .map(label -> familyOf[label])
                    .sorted()
                    .distinct()
                    .toArray();
        }
    }
}
