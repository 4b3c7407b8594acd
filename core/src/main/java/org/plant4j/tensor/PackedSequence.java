package org.plant4j.tensor;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The real tokens of a padded batch in the order cuDNN expects: the first tokens of all documents, longest document first,
 * then the second tokens, and so on.
 *
 * @param positions flat positions (N) in the padded batch
 * @param batchSizes number of documents that have a t-th token (T), on the CPU
 */
public record PackedSequence(Tensor positions, Tensor batchSizes) {

    static PackedSequence of(int[] lengths, int width, Compute compute) {
        int[] longestFirst = IntStream.range(0, lengths.length)
                .boxed()
                .sorted(Comparator.comparingInt((Integer row) -> -lengths[row]))
                .mapToInt(row -> row)
                .toArray();
        long[] positions = new long[IntStream.of(lengths).sum()];
        long[] sizes = new long[width];
        int next = 0;
        for (int t = 0; t < width; t++) {
            for (int row : longestFirst) {
                if (lengths[row] <= t) {
                    break;
                }
                positions[next++] = (long) row * width + t;
                sizes[t]++;
            }
        }
        return new PackedSequence(
                compute.toDevice(Tensor.create(positions)), Tensor.create(sizes)); // sizes stay on the CPU
    }

    /** (B, T, F) to (N, F). */
    public Tensor pack(Tensor padded) {
        return padded.reshape(-1, padded.size(2)).index_select(0, positions);
    }

    /** (N, F) back to (B, T, F), with zeros at padding. */
    public Tensor unpack(Tensor packed, long rows, long width) {
        Tensor flat = torch.zeros(new long[] {rows * width, packed.size(1)}, packed.options());
        return flat.index_copy(0, positions, packed).view(rows, width, packed.size(1));
    }
}
