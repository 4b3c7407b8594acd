package org.plant4j.translation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;

/**
 * Estimates {@link IbmModel1} from pairs of texts by expectation maximization, starting from equal probabilities. The pairs are
 * indexed once, so that it can be trained on several selections of them.
 */
final class IbmModel1Trainer {

    private static final double LEAST = 1e-3; // lower probabilities are dropped at the end

    /** Words and their ids. */
    private static final class Words {

        private final Map<String, Integer> ids = new HashMap<>();
        private final List<String> words = new ArrayList<>();

        int id(String word) {
            return ids.computeIfAbsent(word, first -> {
                words.add(first);
                return words.size() - 1;
            });
        }
    }

    private final Words sources = new Words();
    private final Words targets = new Words();
    private final int nullId = sources.id(IbmModel1.NULL);
    private final long[] links; // pairs of a source and a target word that occur in a pair of texts, ascending
    private final int[][][] alternatives; // by pair and target word: the links to the words of the source text

    IbmModel1Trainer(List<TextPair> pairs) {
        long[][][] found = pairs.stream().map(this::links).toArray(long[][][]::new);
        links = Arrays.stream(found)
                .flatMap(Arrays::stream)
                .flatMapToLong(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
        alternatives = Arrays.stream(found)
                .map(pair -> Arrays.stream(pair).map(this::indices).toArray(int[][]::new))
                .toArray(int[][][]::new);
    }

    private long[][] links(TextPair pair) {
        int[] from = pair.source().stream().mapToInt(sources::id).toArray();
        return pair.target().stream()
                .mapToInt(targets::id)
                .mapToObj(target -> LongStream.concat(
                                LongStream.of(link(nullId, target)),
                                Arrays.stream(from).mapToLong(source -> link(source, target)))
                        .toArray())
                .toArray(long[][]::new);
    }

    private static long link(int source, int target) {
        return (long) source << Integer.SIZE | target;
    }

    private static int source(long link) {
        return (int) (link >> Integer.SIZE);
    }

    private int[] indices(long[] found) {
        return Arrays.stream(found)
                .mapToInt(link -> Arrays.binarySearch(links, link))
                .toArray();
    }

    /** Trains on the selected pairs. */
    IbmModel1 train(IntPredicate selected, int iterations) {
        double[] probabilities = new double[links.length];
        Arrays.fill(probabilities, 1);
        for (int iteration = 0; iteration < iterations; iteration++) {
            probabilities = normalized(expectedCounts(selected, probabilities));
        }
        Map<String, Map<String, Double>> table = new HashMap<>();
        for (int i = 0; i < links.length; i++) {
            if (probabilities[i] >= LEAST) {
                table.computeIfAbsent(sources.words.get(source(links[i])), word -> new HashMap<>())
                        .put(targets.words.get((int) links[i]), probabilities[i]);
            }
        }
        return new IbmModel1(table);
    }

    /** How often each link is expected to be a translation: a target word is divided among its alternatives. */
    private double[] expectedCounts(IntPredicate selected, double[] probabilities) {
        double[] counts = new double[links.length];
        for (int pair = 0; pair < alternatives.length; pair++) {
            if (selected.test(pair)) {
                for (int[] word : alternatives[pair]) {
                    double sum = 0;
                    for (int link : word) {
                        sum += probabilities[link];
                    }
                    for (int link : word) {
                        counts[link] += probabilities[link] / sum;
                    }
                }
            }
        }
        return counts;
    }

    /** Counts divided by their sums over the links of a source word. */
    private double[] normalized(double[] counts) {
        double[] sums = new double[sources.words.size()];
        for (int i = 0; i < counts.length; i++) {
            sums[source(links[i])] += counts[i];
        }
        double[] normalized = new double[counts.length];
        for (int i = 0; i < counts.length; i++) {
            normalized[i] = counts[i] == 0 ? 0 : counts[i] / sums[source(links[i])];
        }
        return normalized;
    }
}
