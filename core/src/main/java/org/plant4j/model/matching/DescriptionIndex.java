package org.plant4j.model.matching;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * Finds the names of labels in documents: their descriptions and synonyms. Words are compared by their stems, and a stem counts
 * by its inverse document frequency in the training documents, ln((1 + n) / (1 + df)) + 1.
 */
final class DescriptionIndex {

    /** A stem of no token: that of unknown tokens, which match nothing. */
    static final int UNKNOWN = -1;

    private final int[] stemOf; // by token
    private final double[] idf; // by stem
    private final LabelNames names;
    private final int[][] namesOf; // by stem, ascending
    private final double[] total; // idf of the distinct stems of each name
    private final double unknownIdf;

    DescriptionIndex(int[] stemOf, double[] idf, LabelNames names, double unknownIdf) {
        this.stemOf = stemOf;
        this.idf = idf;
        this.names = names;
        this.unknownIdf = unknownIdf;
        this.total = new double[names.size()];
        int[] sizes = new int[idf.length];
        for (int name = 0; name < total.length; name++) {
            for (int stem : distinct(names.stems(name))) {
                total[name] += idf(stem);
                if (stem != UNKNOWN) {
                    sizes[stem]++;
                }
            }
        }
        this.namesOf = Arrays.stream(sizes).mapToObj(int[]::new).toArray(int[][]::new);
        for (int name = total.length - 1; name >= 0; name--) {
            for (int stem : distinct(names.stems(name))) {
                if (stem != UNKNOWN) {
                    namesOf[stem][--sizes[stem]] = name;
                }
            }
        }
    }

    /** Indexes descriptions and synonyms of the labels, given as token ids. */
    static DescriptionIndex of(
            Vocabulary vocabulary, Dataset documents, List<int[]> descriptions, List<List<int[]>> synonyms) {
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
                stems.byToken(), idf, LabelNames.of(stems.byToken(), descriptions, synonyms), idf(documents.size(), 0));
    }

    private static double idf(int documents, int withStem) {
        return Math.log((1.0 + documents) / (1.0 + withStem)) + 1;
    }

    private double idf(int stem) {
        return stem == UNKNOWN ? unknownIdf : idf[stem];
    }

    static int[] stems(int[] stemOf, int[] tokens) {
        return Arrays.stream(tokens).map(token -> stemOf[token]).toArray();
    }

    private static int[] distinct(int[] stems) {
        return Arrays.stream(stems).sorted().distinct().toArray();
    }

    LabelNames names() {
        return names;
    }

    int[] stemOf() {
        return stemOf;
    }

    double[] idf() {
        return idf;
    }

    /** A token of each stem of the descriptions, in order; unknown tokens are left out. */
    List<int[]> descriptionTokens() {
        int[] tokenOf = new int[idf.length];
        for (int token = stemOf.length - 1; token >= 0; token--) {
            if (stemOf[token] != UNKNOWN) {
                tokenOf[stemOf[token]] = token;
            }
        }
        return IntStream.range(0, names.labels())
                .mapToObj(label -> Arrays.stream(names.stems(label))
                        .filter(stem -> stem != UNKNOWN)
                        .map(stem -> tokenOf[stem])
                        .toArray())
                .toList();
    }

    double unknownIdf() {
        return unknownIdf;
    }

    /**
     * The labels with a name that has at least the given share of its idf in the document, in ascending order, with how the name
     * with the highest share matches; of equal ones the one with the highest idf, and then the first.
     */
    List<DescriptionMatch> matches(int[] document, double minShare) {
        int[] stems = stems(stemOf, document);
        Map<Integer, int[]> positions = positions(stems);
        double[] found = new double[total.length];
        positions.keySet().forEach(stem -> {
            for (int name : namesOf[stem]) {
                found[name] += idf[stem];
            }
        });
        Map<Integer, Integer> bestOf = new TreeMap<>();
        for (int name = 0; name < found.length; name++) {
            if (found[name] > 0 && found[name] >= minShare * total[name]) {
                bestOf.merge(names.label(name), name, (best, other) -> isBetter(other, best, found) ? other : best);
            }
        }
        return bestOf.entrySet().stream()
                .map(entry -> DescriptionMatch.of(
                        entry.getKey(),
                        names.stems(entry.getValue()),
                        stems,
                        positions,
                        found[entry.getValue()],
                        total[entry.getValue()]))
                .toList();
    }

    private boolean isBetter(int name, int than, double[] found) {
        int byShare = Double.compare(share(name, found), share(than, found));
        return byShare > 0 || (byShare == 0 && found[name] > found[than]);
    }

    private double share(int name, double[] found) {
        return found[name] == 0 ? 0 : found[name] / total[name]; // an empty name has no idf
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
     * The share of its name's idf that each token of the document adds: that of its stem, divided equally between the
     * occurrences. Of several names it is the one that matches best, as in {@link #matches}.
     */
    float[] shares(int[] document, int label) {
        int[] stems = stems(stemOf, document);
        double[] found = new double[total.length];
        int best = label; // the description
        for (int name : names.of(label)) {
            found[name] = idfOfCommon(stems, names.stems(name));
            if (isBetter(name, best, found)) {
                best = name;
            }
        }
        return shares(stems, names.stems(best), total[best]);
    }

    private double idfOfCommon(int[] document, int[] name) {
        int[] present = distinct(document);
        return Arrays.stream(distinct(name))
                .filter(stem -> stem != UNKNOWN && Arrays.binarySearch(present, stem) >= 0)
                .mapToDouble(this::idf)
                .sum();
    }

    /** The share of its idf that each token of a description has if the document has it too, otherwise 0. */
    float[] descriptionShares(int[] document, int label) {
        return shares(names.stems(label), stems(stemOf, document), total[label]);
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
