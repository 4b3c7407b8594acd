package org.plant4j.train;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorArrayRefOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.TensorScope;

/**
 * Gradient checkpointing over the rows of a tensor: chunks of rows are computed without gradients, and again with
 * gradients in the backward pass, with the same random numbers. This costs a second forward pass and needs the
 * activations of one chunk instead of all.
 */
public final class GradientCheckpoint {

    private final List<Chunk> chunks;
    private final Compute compute;
    private final long seed;
    private final Tensor value;

    /** Computes a chunk of the rows. */
    @FunctionalInterface
    public interface Chunk {
        Tensor compute();
    }

    public GradientCheckpoint(List<Chunk> chunks, Compute compute) {
        this.chunks = List.copyOf(chunks);
        this.compute = compute;
        this.seed = torch.randint(Integer.MAX_VALUE, new long[] {1}).item_long();
        try (NoGradGuard noGrad = new NoGradGuard()) {
            List<Tensor> rows = new ArrayList<>();
            for (int i = 0; i < chunks.size(); i++) {
                Engine.setSeed(seed + i);
                rows.add(TensorScope.run(chunks.get(i)::compute));
            }
            this.value = torch.cat(new TensorVector(rows.toArray(Tensor[]::new)), 0);
        }
        value.set_requires_grad(true);
    }

    /** All rows, as a leaf of the autograd graph. */
    public Tensor value() {
        return value;
    }

    /** Backpropagates the gradient of {@link #value} to the parameters. */
    public void backward() {
        if (!value.grad().defined()) {
            return;
        }
        long first = 0;
        for (int i = 0; i < chunks.size(); i++) {
            try (PointerScope scope = new PointerScope()) {
                Engine.setSeed(seed + i);
                Tensor rows;
                try (Compute.Autocast autocast = compute.autocast()) {
                    rows = chunks.get(i).compute();
                }
                if (!rows.requires_grad()) {
                    return; // every parameter is frozen
                }
                Tensor gradient = value.grad().narrow(0, first, rows.size(0));
                rows.backward(gradient, new BoolOptional(), false, new TensorArrayRefOptional());
                first += rows.size(0);
            }
        }
    }
}
