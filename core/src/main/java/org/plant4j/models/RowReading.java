package org.plant4j.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Scratch;

/**
 * Reads rows of tokens, be they windows of notes or descriptions of labels, into a tensor with a row for each. Of more
 * than {@code held} padded tokens it does not hold all at once what it takes to go back from them.
 */
record RowReading(Reading reading, int held, Compute compute) {

    /** Of rows (n, m, ·), m the longest, or (n, ·). */
    @FunctionalInterface
    interface Reading {
        Tensor read(List<int[]> rows, boolean training);
    }

    static Batch batch(List<int[]> rows, boolean training, Compute compute) {
        return training ? Batch.forTraining(rows, compute) : Batch.of(rows, compute);
    }

    /** All at once, with all that gradients need. */
    Tensor read(List<int[]> rows, boolean training) {
        return reading.read(rows, training);
    }

    /** Rows to learn from that are too many to be held; nothing where they are not. */
    Optional<Recomputed> recomputed(List<int[]> rows, boolean training) {
        List<List<int[]>> runs = runs(rows);
        int width = width(rows);
        return runs.size() == 1
                ? Optional.empty()
                : Optional.of(new Recomputed(
                        runs.stream()
                                .<Recomputed.Part>map(run -> () -> padded(read(run, training), width))
                                .toList(),
                        compute));
    }

    /** Without gradients. */
    Tensor glance(List<int[]> rows) {
        int width = width(rows);
        List<Tensor> read = new ArrayList<>();
        for (List<int[]> run : runs(rows)) {
            read.add(Scratch.result(() -> padded(read(run, false), width)));
        }
        return torch.cat(new TensorVector(read.toArray(Tensor[]::new)), 0);
    }

    private List<List<int[]>> runs(List<int[]> rows) {
        int together = Math.max(1, held / width(rows));
        List<List<int[]>> runs = new ArrayList<>();
        for (int first = 0; first < rows.size(); first += together) {
            runs.add(rows.subList(first, Math.min(rows.size(), first + together)));
        }
        return runs;
    }

    private static int width(List<int[]> rows) {
        return rows.stream().mapToInt(row -> row.length).max().orElse(1);
    }

    /** Rows (n, m, ·) of a run as wide as those of all; what has no tokens any more (n, ·) stays as it is. */
    private static Tensor padded(Tensor rows, int width) {
        long missing = rows.dim() == 3 ? width - rows.size(1) : 0;
        return missing == 0 ? rows : torch.constant_pad_nd(rows, 0, 0, 0, missing);
    }
}
