package org.plant4j.pretrain.vectors;

import java.util.Random;
import java.util.function.UnaryOperator;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.StringViewOptional;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Progress;
import org.plant4j.tensor.TensorScope;

/**
 * The largest singular values of a large matrix in descending order, and their left singular vectors as columns, by
 * randomized subspace iteration (Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.1). libtorch has this method in
 * Python only ({@code torch.svd_lowrank}); its QR and SVD do the dense part here.
 */
final class TruncatedSvd {

    /** Extra directions of the subspace, which make the last of the requested ones accurate. */
    private static final int OVERSAMPLING = 10;

    private final double[][] left;
    private final double[] values;

    private TruncatedSvd(double[][] left, double[] values) {
        this.left = left;
        this.values = values;
    }

    /** (R, rank). */
    double[][] left() {
        return left;
    }

    /** (rank). */
    double[] values() {
        return values;
    }

    /** Computes 2 + 2 × {@code passes} products with the matrix; the rank is at most the number of columns. */
    static TruncatedSvd of(LinearOperator matrix, int rank, int passes, long seed, Progress.Task progress) {
        int width = Math.min(rank + OVERSAMPLING, matrix.columns());
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor subspace = advance(gaussian(matrix.columns(), width, seed), matrix::multiply, progress);
            for (int pass = 0; pass < passes; pass++) {
                subspace = advance(subspace, before -> matrix.multiplyTransposed(orthonormalize(before)), progress);
                subspace = advance(subspace, before -> matrix.multiply(orthonormalize(before)), progress);
            }
            Tensor basis = orthonormalize(subspace); // (R, width)
            Tensor projected = matrix.multiplyTransposed(basis); // (C, width)
            progress.advance(1);
            // M ≈ Q Qᵀ M = Q (Mᵀ Q)ᵀ, and Mᵀ Q = U S Vᵀ: the left singular vectors of M are Q V.
            T_TensorTensorTensor_T svd = torch.linalg_svd(projected, false, new StringViewOptional());
            int found = Math.min(rank, width);
            Tensor left = torch.matmul(basis, svd.get2().narrow(0, 0, found).t()); // (R, found)
            return new TruncatedSvd(rows(flipSigns(left)), values(svd.get1().narrow(0, 0, found)));
        }
    }

    /** One step of the iteration, which frees the subspace before it. */
    private static Tensor advance(Tensor before, UnaryOperator<Tensor> product, Progress.Task progress) {
        Tensor after = TensorScope.run(() -> product.apply(before));
        before.close();
        progress.advance(1);
        return after;
    }

    private static Tensor gaussian(int rows, int columns, long seed) {
        Random random = new Random(seed);
        double[] values = new double[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextGaussian();
        }
        return Tensor.create(values, rows, columns);
    }

    /** An orthonormal basis of the columns; rows of zeros stay exactly zero, which QR only guarantees up to rounding. */
    private static Tensor orthonormalize(Tensor columns) {
        Tensor q = torch.linalg_qr(columns).get0();
        return q.mul(columns.ne(new Scalar(0)).any(1, true));
    }

    /** Makes the largest component of each column positive, since an SVD leaves the signs of singular vectors open. */
    private static Tensor flipSigns(Tensor columns) {
        Tensor largest = columns.gather(0, columns.abs().argmax(new LongOptional(0), true)); // (1, found)
        return columns.mul(largest.sign());
    }

    private static double[][] rows(Tensor matrix) {
        double[] flat = values(matrix);
        int columns = Math.toIntExact(matrix.size(1));
        double[][] rows = new double[Math.toIntExact(matrix.size(0))][columns];
        for (int row = 0; row < rows.length; row++) {
            System.arraycopy(flat, row * columns, rows[row], 0, columns);
        }
        return rows;
    }

    private static double[] values(Tensor tensor) {
        Tensor contiguous = tensor.contiguous();
        double[] values = new double[Math.toIntExact(contiguous.numel())];
        new DoublePointer(contiguous.data_ptr_double()).get(values);
        return values;
    }
}
