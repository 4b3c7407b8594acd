package org.plant4j.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.TensorScope;
import org.plant4j.train.GradientCheckpoint;

/**
 * Reads rows of tokens, be they windows of notes or descriptions of labels, into a tensor with a row for each. Of more
 * than {@code held} padded tokens it does not hold all at once what it takes to go back from them.
 */
public record RowEncoder(Forward forward, int checkpointTokens, Compute compute) {

    /** Of rows (n, m, ·), m the longest, or (n, ·). */
    @FunctionalInterface
    public interface Forward {
        Tensor apply(List<int[]> rows, boolean training);
    }

    public static Batch batch(List<int[]> rows, boolean training, Compute compute) {
        return training ? Batch.forTraining(rows, compute) : Batch.of(rows, compute);
    }

    /** All at once, with all that gradients need. */
    public Tensor encode(List<int[]> rows, boolean training) {
        return forward.apply(rows, training);
    }

    /** Rows to learn from that are too many to be held; nothing where they are not. */
    public Optional<GradientCheckpoint> checkpoint(List<int[]> rows, boolean training) {
        List<List<int[]>> runs = chunks(rows);
        int width = width(rows);
        return runs.size() == 1
                ? Optional.empty()
                : Optional.of(new GradientCheckpoint(
                        runs.stream()
                                .<GradientCheckpoint.Chunk>map(run -> () -> pad(encode(run, training), width))
                                .toList(),
                        compute));
    }

    /** Without gradients. */
    public Tensor encodeWithoutGradients(List<int[]> rows) {
        int width = width(rows);
        List<Tensor> read = new ArrayList<>();
        for (List<int[]> run : chunks(rows)) {
            read.add(TensorScope.run(() -> pad(encode(run, false), width)));
        }
        return torch.cat(new TensorVector(read.toArray(Tensor[]::new)), 0);
    }

    private List<List<int[]>> chunks(List<int[]> rows) {
        int together = Math.max(1, checkpointTokens / width(rows));
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
    private static Tensor pad(Tensor rows, int width) {
        long missing = rows.dim() == 3 ? width - rows.size(1) : 0;
        return missing == 0 ? rows : torch.constant_pad_nd(rows, 0, 0, 0, missing);
    }
}
