package org.plant4j.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.text.Dataset;

/**
 * The order in which documents are learned from: shuffled anew each epoch, then gathered by length so that little of a
 * batch is padding. A function of seed and epoch alone, so a resumed training meets the same batches.
 */
public final class Batches {

    /** Documents of this many batches are sorted together: enough to pair like lengths, few enough to stay random. */
    private static final int BATCHES_SORTED_TOGETHER = 32;

    private final Dataset examples;
    private final int maxDocuments;
    private final int maxTokens;
    private final long seed;

    /** At most {@code documents} documents and {@code tokens} padded tokens a batch; a longer document stands alone. */
    public Batches(Dataset examples, int documents, int tokens, long seed) {
        if (documents < 1 || tokens < 1) {
            throw new IllegalArgumentException(
                    "batch: " + documents + " documents, " + tokens + " tokens (expected: >= 1)");
        }
        this.examples = examples;
        this.maxDocuments = documents;
        this.maxTokens = tokens;
        this.seed = seed;
    }

    /** Positions of the documents of each batch of an epoch. */
    public List<int[]> epoch(int epoch) {
        Random random = new Random(new SplittableRandom(seed).split().nextLong() + 31L * epoch);
        List<Integer> order = new ArrayList<>(examples.size());
        for (int i = 0; i < examples.size(); i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        List<int[]> batches = new ArrayList<>();
        int together = maxDocuments * BATCHES_SORTED_TOGETHER;
        for (int from = 0; from < order.size(); from += together) {
            List<Integer> group = order.subList(from, Math.min(order.size(), from + together));
            group.sort(Comparator.comparingInt(examples::length));
            cut(group, batches);
        }
        Collections.shuffle(batches, random);
        return batches;
    }

    private void cut(List<Integer> sorted, List<int[]> batches) {
        int start = 0;
        for (int end = 1; end <= sorted.size(); end++) {
            // Sorted by length, so the newest document is the longest and sets the padding.
            boolean full = end == sorted.size()
                    || end - start == maxDocuments
                    || (long) (end + 1 - start) * examples.length(sorted.get(end)) > maxTokens;
            if (full) {
                batches.add(sorted.subList(start, end).stream().mapToInt(i -> i).toArray());
                start = end;
            }
        }
    }

    /** The documents of a batch as the network reads them, in segments for training. */
    public Segments load(int[] positions, UnaryOperator<int[]> reading, int segment, Compute compute) {
        return new Segments(
                Arrays.stream(positions).mapToObj(examples::tokens).map(reading).toList(), segment, true, compute);
    }

    /** (B, L): 1 for a document's labels; those beyond L are codes that training never saw, and cannot be learned. */
    public Tensor targets(int[] positions, int labels, Compute compute) {
        // Few of them are 1, so they are told by place: the whole would take longer to reach a GPU than to learn from.
        long[] ones = IntStream.range(0, positions.length)
                .boxed()
                .flatMapToLong(row -> IntStream.of(examples.labels(positions[row]))
                        .filter(label -> label < labels)
                        .mapToLong(label -> (long) row * labels + label))
                .toArray();
        Tensor targets = torch.zeros(new long[] {(long) positions.length * labels}, compute.floatOptions());
        if (ones.length > 0) {
            targets.index_fill_(0, compute.toDevice(Tensor.create(ones)), new Scalar(1f));
        }
        return targets.view(positions.length, labels);
    }
}
