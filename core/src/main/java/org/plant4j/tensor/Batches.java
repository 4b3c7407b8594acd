package org.plant4j.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.support.Arguments;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenEvidence;

/**
 * Training batches of a dataset: shuffled in each epoch, with documents of similar length together to limit padding. They
 * depend on seed and epoch only, so that a resumed training sees the same batches.
 */
public final class Batches {

    /** Number of batches whose documents are sorted together: enough to match lengths, few enough to stay random. */
    private static final int SORTED_BATCHES = 32;

    private final Dataset dataset;
    private final int maxDocuments;
    private final int maxTokens;
    private final long seed;

    /** At most this many documents and padded tokens per batch; a longer document gets a batch to itself. */
    public Batches(Dataset dataset, int maxDocuments, int maxTokens, long seed) {
        this.dataset = dataset;
        this.maxDocuments = Arguments.atLeast(1, "maxDocuments", maxDocuments);
        this.maxTokens = Arguments.atLeast(1, "maxTokens", maxTokens);
        this.seed = seed;
    }

    /** The batches of an epoch, each as document indices. */
    public List<int[]> epoch(int epoch) {
        Random random = new Random(new SplittableRandom(seed).split().nextLong() + 31L * epoch);
        List<Integer> order = new ArrayList<>(dataset.size());
        for (int i = 0; i < dataset.size(); i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        List<int[]> batches = new ArrayList<>();
        int together = maxDocuments * SORTED_BATCHES;
        for (int from = 0; from < order.size(); from += together) {
            List<Integer> group = order.subList(from, Math.min(order.size(), from + together));
            group.sort(Comparator.comparingInt(dataset::length));
            cut(group, batches);
        }
        Collections.shuffle(batches, random);
        return batches;
    }

    private void cut(List<Integer> sorted, List<int[]> batches) {
        int start = 0;
        for (int end = 1; end <= sorted.size(); end++) {
            // Documents are sorted by length, so the next one is the longest and determines the padding.
            boolean full = end == sorted.size()
                    || end - start == maxDocuments
                    || (long) (end + 1 - start) * dataset.length(sorted.get(end)) > maxTokens;
            if (full) {
                batches.add(sorted.subList(start, end).stream().mapToInt(i -> i).toArray());
                start = end;
            }
        }
    }

    /**
     * Loads the documents of a batch for training, in segments; {@code order} arranges the tokens of a document in the
     * order in which they are encoded.
     */
    public Segments load(int[] positions, UnaryOperator<int[]> order, int segment, Compute compute) {
        return new Segments(tokens(positions, order), segment, true, compute);
    }

    /** The tokens of the documents of a batch, in the order in which a model reads them. */
    public List<int[]> tokens(int[] positions, UnaryOperator<int[]> order) {
        return Arrays.stream(positions).mapToObj(dataset::tokens).map(order).toList();
    }

    /** The gold evidence of the documents of a batch. */
    public List<List<TokenEvidence>> evidence(int[] positions) {
        return Arrays.stream(positions).mapToObj(dataset::evidence).toList();
    }

    /** The labels of the documents of a batch. */
    public List<int[]> labels(int[] positions) {
        return Arrays.stream(positions).mapToObj(dataset::labels).toList();
    }

    /** Targets (B, S) of some labels, given in ascending order. */
    public Tensor targets(int[] positions, int[] labels, Compute compute) {
        return targets(positions, labels.length, label -> Arrays.binarySearch(labels, label), compute);
    }

    /**
     * Targets (B, L), 1 for the labels of a document; label ids from L on, which have no training documents, are ignored.
     */
    public Tensor targets(int[] positions, int labels, Compute compute) {
        return targets(positions, labels, label -> label < labels ? label : -1, compute);
    }

    /** {@code column} of a label, negative if it has none. */
    private Tensor targets(int[] positions, int columns, IntUnaryOperator column, Compute compute) {
        // Copy only the positions of the few ones: copying the dense matrix to a GPU would take longer than the step.
        long[] ones = IntStream.range(0, positions.length)
                .boxed()
                .flatMapToLong(row -> IntStream.of(dataset.labels(positions[row]))
                        .map(column)
                        .filter(target -> target >= 0)
                        .mapToLong(target -> (long) row * columns + target))
                .toArray();
        Tensor targets = torch.zeros(new long[] {(long) positions.length * columns}, compute.floatOptions());
        if (ones.length > 0) {
            targets.index_fill_(0, compute.toDevice(Tensor.create(ones)), new Scalar(1f));
        }
        return targets.view(positions.length, columns);
    }
}
