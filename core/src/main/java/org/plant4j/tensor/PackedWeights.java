package org.plant4j.tensor;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.support.Arguments;

/**
 * Weights in a quarter of their size: matrices as int8 with one float32 scale per row, everything else as float32. {@link
 * Checkpoint} restores float32 when it reads them, with an error of at most half a scale: with 8 bits 1/254 of the largest weight
 * of the row. Weights of fewer bits take as many bytes, but fewer of their values occur, so that they compress better.
 */
public final class PackedWeights {

    private static final String SCALES = "@scales";

    /** Bits of a packed weight. */
    public static final int BITS = 8;

    /** The fewest bits of a packed weight. */
    public static final int LEAST_BITS = 4;

    private PackedWeights() {}

    /** Rewrites a safetensors file in packed form, with weights of so many bits. */
    public static void pack(Path file, int bits) {
        Arguments.check(bits >= LEAST_BITS && bits <= BITS, "bits", bits, LEAST_BITS + " to " + BITS);
        int largest = (1 << (bits - 1)) - 1;
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> packed = new LinkedHashMap<>();
            Checkpoint.readMatching(file, name -> true).forEach((name, tensor) -> {
                if (tensor.dim() < 2 || tensor.numel() == 0) {
                    packed.put(name, tensor);
                } else {
                    Tensor scales = scales(tensor, largest);
                    packed.put(name, rounded(tensor, scales));
                    packed.put(scales(name), scales);
                }
            });
            Checkpoint.write(file, packed);
        }
    }

    private static Tensor rows(Tensor tensor) {
        return tensor.view(tensor.size(0), -1);
    }

    /** One per row (N); rows of zeros have a small one, so that nothing is divided by 0. */
    private static Tensor scales(Tensor tensor, int largest) {
        return rows(tensor.abs())
                .amax(new long[] {1}, false)
                .div(new Scalar(largest))
                .clamp_min(new Scalar(Float.MIN_NORMAL));
    }

    private static Tensor rounded(Tensor tensor, Tensor scales) {
        return rows(tensor)
                .div(scales.unsqueeze(1))
                .round()
                .to(torch.ScalarType.Char)
                .view(tensor.shape());
    }

    static Tensor restored(Tensor int8, Tensor scales) {
        return rows(int8.to(torch.ScalarType.Float)).mul_(scales.unsqueeze(1)).view(int8.shape());
    }

    /** The name of the tensor with the scales of a packed one. */
    static String scales(String name) {
        return name + SCALES;
    }

    /** The names of the tensors in a file, without those of scales. */
    static Set<String> tensorNames(SafetensorsHeader header) {
        Set<String> names = new TreeSet<>(header.tensors().keySet());
        names.removeIf(name -> name.endsWith(SCALES));
        return names;
    }
}
