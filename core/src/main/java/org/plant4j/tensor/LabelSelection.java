package org.plant4j.tensor;

import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** The labels that are decoded at a time: all, a range of them where all would not fit into memory, or those asked for. */
public sealed interface LabelSelection {

    LabelSelection ALL = new All();

    /** These labels' rows of a parameter (L, ·). */
    Tensor select(Tensor parameter);

    record All() implements LabelSelection {
        @Override
        public Tensor select(Tensor parameter) {
            return parameter;
        }
    }

    record Ids(Tensor ids) implements LabelSelection {
        @Override
        public Tensor select(Tensor parameter) {
            return parameter.index_select(0, ids);
        }
    }

    /**
     * {@code count} labels from {@code first} on. While training their rows are leaves whose gradient is a window into
     * the parameter's own: autograd's way, a gradient of the whole parameter for every range, would cost more than the
     * products.
     */
    record Range(int first, int count) implements LabelSelection {
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
