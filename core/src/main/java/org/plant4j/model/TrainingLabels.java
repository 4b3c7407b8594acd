package org.plant4j.model;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.support.Arguments;

/**
 * The labels that a training step trains: all, or the gold labels of its documents with the negatives that the network's
 * {@link Shortlist} proposes for them and random ones, which keep down labels that no document lists.
 *
 * @param shortlist labels proposed for each document; 0 trains all labels
 * @param random further labels of a step
 */
public record TrainingLabels(int shortlist, int random) {

    public static final TrainingLabels ALL = new TrainingLabels(0, 0);

    public TrainingLabels {
        Arguments.atLeast(0, "shortlist", shortlist);
        Arguments.atLeast(0, "random_labels", random);
    }

    public boolean areAll() {
        return shortlist == 0;
    }

    /** The labels of a step in ascending order. */
    int[] choose(LabelNetwork<?> network, List<int[]> documents, List<int[]> gold, long seed) {
        Shortlist proposals =
                network.proposals().orElseThrow(() -> new IllegalArgumentException("the network proposes no labels"));
        int labels = network.trainedLabels();
        List<int[]> proposed = documents.parallelStream()
                .map(document -> proposals.labels(document, shortlist))
                .toList();
        int[] sampled = new SplittableRandom(seed).ints(random, 0, labels).toArray();
        return Stream.of(proposed.stream(), gold.stream(), Stream.of(sampled))
                .flatMap(Function.identity())
                .flatMapToInt(Arrays::stream)
                .filter(label -> label < labels)
                .sorted()
                .distinct()
                .toArray();
    }
}
