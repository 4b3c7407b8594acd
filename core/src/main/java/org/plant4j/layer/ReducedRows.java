package org.plant4j.layer;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.LabelSelection;

/**
 * The rows of a label parameter (L, H) in few dimensions, for approximate products that cost less: x · w ≈ (x V) · (w V). The
 * columns of V (H, D) are the first right singular vectors of the parameter: no other D directions approximate its rows better
 * in mean square.
 */
public final class ReducedRows implements AutoCloseable {

    /** Rows that are read at a time, which bounds the temporary memory. */
    private static final long MAX_ROWS = 65_536;

    private final Tensor directions; // V: (H, D)
    private final Tensor rows; // (L, D), in the precision of the parameter

    private ReducedRows(Tensor directions, Tensor rows) {
        this.directions = directions;
        this.rows = rows;
    }

    /** Reduces the rows of a parameter to {@code size} dimensions, or to its own number if it has fewer. */
    public static ReducedRows of(Tensor parameter, int size) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            long labels = parameter.size(0);
            long hidden = parameter.size(1);
            Tensor gram =
                    torch.zeros(new long[] {hidden, hidden}, rows(parameter, 0).options());
            for (long start = 0; start < labels; start += MAX_ROWS) {
                Tensor some = rows(parameter, start);
                gram.addmm_(some.t(), some);
            }
            long dimensions = Math.min(size, hidden);
            Tensor directions = torch.linalg_eigh(gram.cpu())
                    .get1() // eigenvectors by ascending eigenvalue
                    .narrow(1, hidden - dimensions, dimensions)
                    .contiguous()
                    .to(gram.device(), gram.scalar_type());
            Tensor reduced = torch.zeros(
                    new long[] {labels, dimensions}, parameter.detach().options());
            for (long start = 0; start < labels; start += MAX_ROWS) {
                Tensor product = torch.matmul(rows(parameter, start), directions);
                reduced.narrow(0, start, product.size(0)).copy_(product);
            }
            directions.retainReference();
            reduced.retainReference();
            return new ReducedRows(directions, reduced);
        }
    }

    private static Tensor rows(Tensor parameter, long start) {
        return parameter
                .detach()
                .narrow(0, start, Math.min(MAX_ROWS, parameter.size(0) - start))
                .to(torch.ScalarType.Float);
    }

    /** Approximate products of inputs (B, T, H) with the rows of the selected labels: (B, T, L). */
    public Tensor products(Tensor inputs, LabelSelection labels) {
        return torch.matmul(project(inputs), labels.select(rows).t());
    }

    /** Inputs (…, H) in the dimensions of the rows: (…, D). */
    public Tensor project(Tensor inputs) {
        return torch.matmul(inputs, directions);
    }

    /** The reduced rows (L, D). */
    public Tensor rows() {
        return rows;
    }

    @Override
    public void close() {
        directions.close();
        rows.close();
    }
}
