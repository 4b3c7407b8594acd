package org.plant4j.tensor;

import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** The labels to decode: all of them, a label range to bound memory, or a list of ids. */
public sealed interface LabelSelection {

    LabelSelection ALL = new All();

    /** The rows of these labels in a parameter (L, ·). */
    Tensor select(Tensor parameter);

    /** The number of labels selected from {@code all}. */
    int count(int all);

    record All() implements LabelSelection {
        @Override
        public Tensor select(Tensor parameter) {
            return parameter;
        }

        @Override
        public int count(int all) {
            return all;
        }
    }

    /** Labels by id: (L). */
    record Ids(Tensor ids) implements LabelSelection {
        @Override
        public Tensor select(Tensor parameter) {
            return parameter.index_select(0, ids);
        }

        @Override
        public int count(int all) {
            return Math.toIntExact(ids.size(0));
        }
    }

    /**
     * Label range: {@code count} labels from {@code first} on. In training their rows are leaf tensors whose gradient is
     * a view into the gradient of the parameter. Plain autograd would allocate a gradient of the whole parameter for
     * every range, which costs more than the products.
     */
    record Range(int first, int count) implements LabelSelection {
        @Override
        public int count(int all) {
            return count;
        }

        @Override
        public Tensor select(Tensor parameter) {
            if (!GradMode.is_enabled() || !parameter.requires_grad()) {
                return parameter.narrow(0, first, count);
            }
            try (NoGradGuard noGrad = new NoGradGuard()) {
                if (!parameter.grad().defined()) {
                    parameter.mutable_grad().put(torch.zeros_like(parameter));
                }
                Tensor rows = parameter.detach().narrow(0, first, count);
                rows.set_requires_grad(true);
                rows.mutable_grad().put(parameter.grad().narrow(0, first, count));
                return rows;
            }
        }
    }
}
