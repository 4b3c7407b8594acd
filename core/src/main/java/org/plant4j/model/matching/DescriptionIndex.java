package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * Finds the descriptions of labels in documents. Words are compared by their stems, and a stem counts by its inverse document
 * frequency in the training documents, ln((1 + n) / (1 + df)) + 1.
 */
final class DescriptionIndex {

    /** A stem of no token: that of unknown tokens, which match nothing. */
    static final int UNKNOWN = -1;

    private final int[] stemOf; // by token
    private final double[] idf; // by stem
    private final int[][] descriptions; // stems of each label's description, in order
    private final int[][] labelsOf; // by stem, ascending
    private final double[] total; // idf of the distinct stems of each description
    private final double unknownIdf;

    DescriptionIndex(int[] stemOf, double[] idf, int[][] descriptions, double unknownIdf) {
        this.stemOf = stemOf;
        this.idf = idf;
        this.descriptions = descriptions;
        this.unknownIdf = unknownIdf;
        this.total = new double[descriptions.length];
        int[] sizes = new int[idf.length];
        for (int label = 0; label < total.length; label++) {
            for (int stem : distinct(descriptions[label])) {
                total[label] += idf(stem);
                if (stem != UNKNOWN) {
                    sizes[stem]++;
                }
            }
        }
        this.labelsOf = Arrays.stream(sizes).mapToObj(int[]::new).toArray(int[][]::new);
        for (int label = total.length - 1; label >= 0; label--) {
            for (int stem : distinct(descriptions[label])) {
                if (stem != UNKNOWN) {
                    labelsOf[stem][--sizes[stem]] = label;
                }
            }
        }
    }

    /** Indexes descriptions, given as token ids. */
    static DescriptionIndex of(Vocabulary vocabulary, Dataset documents, List<int[]> descriptions) {
        Stems stems = Stems.of(vocabulary);
        int[] documentsOf = new int[stems.count()];
        for (int document = 0; document < documents.size(); document++) {
            for (int stem : distinct(stems(stems.byToken(), documents.tokens(document)))) {
                if (stem != UNKNOWN) {
                    documentsOf[stem]++;
                }
            }
        }
        double[] idf = Arrays.stream(documentsOf)
                .mapToDouble(count -> idf(documents.size(), count))
                .toArray();
        return new DescriptionIndex(
                stems.byToken(),
                idf,
                descriptions.stream()
                        .map(tokens -> stems(stems.byToken(), tokens))
                        .toArray(int[][]::new),
                idf(documents.size(), 0));
    }

    private static double idf(int documents, int withStem) {
        return Math.log((1.0 + documents) / (1.0 + withStem)) + 1;
    }

    private double idf(int stem) {
        return stem == UNKNOWN ? unknownIdf : idf[stem];
    }

    private static int[] stems(int[] stemOf, int[] tokens) {
        return Arrays.stream(tokens).map(token -> stemOf[token]).toArray();
    }

    private static int[] distinct(int[] stems) {
        return Arrays.stream(stems).sorted().distinct().toArray();
    }

    int labels() {
        return descriptions.length;
    }

    int[] stemOf() {
        return stemOf;
    }

    double[] idf() {
        return idf;
    }

    int[][] descriptions() {
        return descriptions;
    }

    /** A token of each stem of the descriptions, in order; unknown tokens are left out. */
    List<int[]> descriptionTokens() {
        int[] tokenOf = new int[idf.length];
        for (int token = stemOf.length - 1; token >= 0; token--) {
            if (stemOf[token] != UNKNOWN) {
                tokenOf[stemOf[token]] = token;
            }
        }
        return Arrays.stream(descriptions)
                .map(stems -> Arrays.stream(stems)
                        .filter(stem -> stem != UNKNOWN)
                        .map(stem -> tokenOf[stem])
                        .toArray())
                .toList();
    }

    double unknownIdf() {
        return unknownIdf;
    }

    /**
     * The labels whose description has at least the given share of its idf in the document, in ascending order, with how they
     * match.
     */
    List<DescriptionMatch> matches(int[] document, double minShare) {
        int[] stems = stems(stemOf, document);
        Map<Integer, int[]> positions = positions(stems);
        double[] found = new double[descriptions.length];
        positions.keySet().forEach(stem -> {
            for (int label : labelsOf[stem]) {
                found[label] += idf[stem];
            }
        });
        List<DescriptionMatch> matches = new ArrayList<>();
        for (int label = 0; label < found.length; label++) {
            if (found[label] > 0 && found[label] >= minShare * total[label]) {
                matches.add(
                        DescriptionMatch.of(label, descriptions[label], stems, positions, found[label], total[label]));
            }
        }
        return matches;
    }

    /** The positions of each known stem, ascending. */
    private static Map<Integer, int[]> positions(int[] stems) {
        Map<Integer, IntStream.Builder> builders = new TreeMap<>();
        for (int position = 0; position < stems.length; position++) {
            if (stems[position] != UNKNOWN) {
                builders.computeIfAbsent(stems[position], stem -> IntStream.builder())
                        .add(position);
            }
        }
        Map<Integer, int[]> positions = new TreeMap<>();
        builders.forEach((stem, builder) -> positions.put(stem, builder.build().toArray()));
        return positions;
    }

    /**
     * The share of a description's idf that each token of the document adds: that of its stem, divided equally between the
     * occurrences.
     */
    float[] shares(int[] document, int label) {
        return shares(stems(stemOf, document), descriptions[label], total[label]);
    }

    /** The share of its idf that each token of a description has if the document has it too, otherwise 0. */
    float[] descriptionShares(int[] document, int label) {
        return shares(descriptions[label], stems(stemOf, document), total[label]);
    }

    private float[] shares(int[] stems, int[] others, double sum) {
        int[] wanted = distinct(others);
        int[] counts = new int[wanted.length];
        int[] at = Arrays.stream(stems)
                .map(stem -> stem == UNKNOWN ? -1 : Arrays.binarySearch(wanted, stem))
                .toArray();
        Arrays.stream(at).filter(i -> i >= 0).forEach(i -> counts[i]++);
        float[] shares = new float[stems.length];
        for (int position = 0; position < shares.length; position++) {
            if (at[position] >= 0) {
                shares[position] = (float) (idf(stems[position]) / counts[at[position]] / sum);
            }
        }
        return shares;
    }
}
