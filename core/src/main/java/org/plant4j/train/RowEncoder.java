package org.plant4j.train;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.TensorScope;

/**
 * Encodes rows of tokens, such as windows of documents or label descriptions, to a tensor with one entry per row. Training
 * uses gradient checkpointing for more than {@code checkpointTokens} padded tokens.
 */
public final class RowEncoder {

    /** The network: rows to (n, m, ·), with m the longest row, or to (n, ·). */
    @FunctionalInterface
    public interface Forward {
        Tensor apply(List<int[]> rows, boolean training);
    }

    private final Forward forward;
    private final int checkpointTokens;
    private final Compute compute;

    public RowEncoder(Forward forward, int checkpointTokens, Compute compute) {
        this.forward = forward;
        this.checkpointTokens = checkpointTokens;
        this.compute = compute;
    }

    public static Batch batch(List<int[]> rows, boolean training, Compute compute) {
        return training ? Batch.forTraining(rows, compute) : Batch.of(rows, compute);
    }

    /** Encodes all rows at once, with gradients if they are enabled. */
    public Tensor encode(List<int[]> rows, boolean training) {
        return forward.apply(rows, training);
    }

    /** Encodes rows with gradient checkpointing; empty if there are too few for it. */
    public Optional<GradientCheckpoint> checkpoint(List<int[]> rows, boolean training) {
        List<List<int[]>> chunks = chunks(rows);
        int width = width(rows);
        return chunks.size() == 1
                ? Optional.empty()
                : Optional.of(new GradientCheckpoint(
                        chunks.stream()
                                .<GradientCheckpoint.Chunk>map(chunk -> () -> pad(encode(chunk, training), width))
                                .toList(),
                        compute));
    }

    /** Encodes rows chunk by chunk, without gradients. */
    public Tensor encodeWithoutGradients(List<int[]> rows) {
        int width = width(rows);
        List<Tensor> encoded = new ArrayList<>();
        for (List<int[]> chunk : chunks(rows)) {
            encoded.add(TensorScope.run(() -> pad(encode(chunk, false), width)));
        }
        return torch.cat(new TensorVector(encoded.toArray(Tensor[]::new)), 0);
    }

    private List<List<int[]>> chunks(List<int[]> rows) {
        int rowsPerChunk = Math.max(1, checkpointTokens / width(rows));
        List<List<int[]>> chunks = new ArrayList<>();
        for (int first = 0; first < rows.size(); first += rowsPerChunk) {
            chunks.add(rows.subList(first, Math.min(rows.size(), first + rowsPerChunk)));
        }
        return chunks;
    }

    private static int width(List<int[]> rows) {
        return rows.stream().mapToInt(row -> row.length).max().orElse(1);
    }

    /** Pads (n, m, ·) to the width of the longest row of all chunks; (n, ·) stays as it is. */
    private static Tensor pad(Tensor rows, int width) {
        long missing = rows.dim() == 3 ? width - rows.size(1) : 0;
        return missing == 0 ? rows : torch.constant_pad_nd(rows, 0, 0, 0, missing);
    }
}
