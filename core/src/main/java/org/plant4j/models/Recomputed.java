package org.plant4j.models;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorArrayRefOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Engine;
import org.plant4j.nn.Scratch;

/**
 * A tensor whose rows are computed some at a time, and how they came about is forgotten; on the way back they are
 * computed once more, some at a time, from the same random numbers. Costs a second pass, and takes the memory of one part
 * instead of all.
 */
final class Recomputed {

    private final List<Part> parts;
    private final Compute compute;
    private final long seed;
    private final Tensor value;

    /** Some of the rows. */
    @FunctionalInterface
    interface Part {
        Tensor rows();
    }

    Recomputed(List<Part> parts, Compute compute) {
        this.parts = List.copyOf(parts);
        this.compute = compute;
        this.seed = torch.randint(Integer.MAX_VALUE, new long[] {1}).item_long();
        try (NoGradGuard noGrad = new NoGradGuard()) {
            List<Tensor> rows = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                Engine.seed(seed + i);
                rows.add(Scratch.result(parts.get(i)::rows));
            }
            this.value = torch.cat(new TensorVector(rows.toArray(Tensor[]::new)), 0);
        }
        value.set_requires_grad(true);
    }

    /** All rows, as a leaf. */
    Tensor value() {
        return value;
    }

    /** Carries the gradient that gathered at the value back to the parameters. */
    void backward() {
        if (!value.grad().defined()) {
            return;
        }
        long first = 0;
        for (int i = 0; i < parts.size(); i++) {
            try (PointerScope scope = new PointerScope()) {
                Engine.seed(seed + i);
                Tensor rows;
                try (Compute.Autocast autocast = compute.autocast()) {
                    rows = parts.get(i).rows();
                }
                if (!rows.requires_grad()) {
                    return; // all that made them is frozen
                }
                Tensor gradient = value.grad().narrow(0, first, rows.size(0));
                rows.backward(gradient, new BoolOptional(), false, new TensorArrayRefOptional());
                first += rows.size(0);
            }
        }
    }
}
