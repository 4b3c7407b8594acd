package org.plant4j.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.LayoutOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/** The labels to decode: all of them, a label range to bound memory, a list of ids, or a shortlist, possibly padded. */
public sealed interface LabelSelection {

    LabelSelection ALL = new All();

    /** The rows of these labels in a parameter (L, ·), in float32. */
    Tensor select(Tensor parameter);

    /** The number of labels selected from {@code all}. */
    int count(int all);

    /** The columns of these labels in the logits (B, L) of all labels, or of all labels of the shortlist. */
    Tensor columns(Tensor logits);

    /** Labels with padding if products are faster with it. */
    static LabelSelection padded(LabelSelection labels, int all, Compute compute) {
        int padding = compute.padding(labels.count(all));
        return padding == 0 ? labels : new Padded(labels, padding);
    }

    private static Tensor inFloat(Tensor rows) {
        return rows.element_size() == Short.BYTES ? rows.to(torch.ScalarType.Float) : rows; // bfloat16
    }

    record All() implements LabelSelection {
        @Override
        public Tensor select(Tensor parameter) {
            return inFloat(parameter);
        }

        @Override
        public int count(int all) {
            return all;
        }

        @Override
        public Tensor columns(Tensor logits) {
            return logits;
        }
    }

    /** Labels by id: (L). */
    record Ids(Tensor ids) implements LabelSelection {
        @Override
        public Tensor select(Tensor parameter) {
            return inFloat(parameter.index_select(0, ids));
        }

        @Override
        public int count(int all) {
            return Math.toIntExact(ids.size(0));
        }

        @Override
        public Tensor columns(Tensor logits) {
            return logits;
        }
    }

    /**
     * Label range: {@code count} labels from {@code first} on. In training their rows are leaf tensors whose gradient is
     * a view into the gradient of the parameter. Plain autograd would allocate a gradient of the whole parameter for
     * every range, which costs more than the products.
     */
    record Range(int first, int count) implements LabelSelection {
        /** Labels as a range of {@code all}; empty if they are not one. */
        public static Optional<Range> of(LabelSelection labels, int all) {
            return labels instanceof Range range
                    ? Optional.of(range)
                    : labels instanceof All ? Optional.of(new Range(0, all)) : Optional.empty();
        }

        @Override
        public int count(int all) {
            return count;
        }

        @Override
        public Tensor select(Tensor parameter) {
            if (!GradMode.is_enabled() || !parameter.requires_grad()) {
                return inFloat(parameter.narrow(0, first, count));
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

        @Override
        public Tensor columns(Tensor logits) {
            return logits.narrow(1, first, count);
        }
    }

    /**
     * A shortlist of labels, or {@code count} of its labels from position {@code first} on. In training the gradient of a
     * parameter is a sparse tensor with the rows of the whole shortlist, and the selected rows are leaf tensors whose gradient
     * is a view into it. So a step takes memory and time for the shortlist only.
     *
     * @param labels the ids of the whole shortlist, ascending
     * @param ids the same as a tensor (S)
     */
    @SuppressWarnings("ArrayRecordComponent") // lives for one step, never compared
    record Shortlisted(int[] labels, Tensor ids, int first, int count) implements LabelSelection {

        /** A whole shortlist, in ascending order. */
        public static Shortlisted of(int[] labels, Compute compute) {
            Tensor ids = Tensor.create(Arrays.stream(labels).asLongStream().toArray());
            return new Shortlisted(labels, compute.toDevice(ids), 0, labels.length);
        }

        /** Parts of at most this many labels. */
        public List<LabelSelection> ranges(int size) {
            List<LabelSelection> ranges = new ArrayList<>();
            for (int start = 0; start < count; start += size) {
                ranges.add(new Shortlisted(labels, ids, first + start, Math.min(size, count - start)));
            }
            return ranges;
        }

        @Override
        public int count(int all) {
            return count;
        }

        /** The ids of the selected labels. */
        public int[] selected() {
            return Arrays.copyOfRange(labels, first, first + count);
        }

        @Override
        public Tensor select(Tensor parameter) {
            Tensor chosen = ids.narrow(0, first, count);
            if (!GradMode.is_enabled() || !parameter.requires_grad()) {
                return inFloat(parameter.index_select(0, chosen));
            }
            try (NoGradGuard noGrad = new NoGradGuard()) {
                if (!parameter.grad().defined()) {
                    parameter.mutable_grad().put(emptyGradient(parameter));
                }
                Tensor rows = inFloat(parameter.detach().index_select(0, chosen));
                rows.set_requires_grad(true);
                rows.mutable_grad().put(parameter.grad()._values().narrow(0, first, count));
                return rows;
            }
        }

        private Tensor emptyGradient(Tensor parameter) {
            long[] shape = parameter.shape().clone();
            shape[0] = ids.numel();
            TensorOptions options = parameter
                    .options()
                    .dtype(new ScalarTypeOptional(torch.ScalarType.Float))
                    .requires_grad(new BoolOptional(false));
            return torch.sparse_coo_tensor(
                    ids.unsqueeze(0),
                    torch.zeros(shape, options),
                    parameter.shape(),
                    options.layout(new LayoutOptional(torch.Layout.Sparse)),
                    new BoolOptional(true));
        }

        @Override
        public Tensor columns(Tensor logits) {
            return logits.narrow(1, first, count);
        }
    }

    /** Labels followed by {@code padding} labels that do not exist: their rows are zero and their logits are ignored. */
    record Padded(LabelSelection labels, int padding) implements LabelSelection {
        @Override
        public Tensor select(Tensor parameter) {
            Tensor rows = labels.select(parameter);
            return rows.dim() == 1
                    ? torch.constant_pad_nd(rows, 0, padding)
                    : torch.constant_pad_nd(rows, 0, 0, 0, padding);
        }

        @Override
        public int count(int all) {
            return labels.count(all) + padding;
        }

        @Override
        public Tensor columns(Tensor logits) {
            return labels.columns(logits);
        }
    }
}
