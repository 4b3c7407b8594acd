package org.plant4j.pretrain.vectors;

import org.bytedeco.pytorch.Tensor;

/** A matrix (R, C) given by its products with dense float64 matrices. */
interface LinearOperator {

    /** Number of columns C. */
    int columns();

    /** M X: (C, k) to (R, k). */
    Tensor multiply(Tensor dense);

    /** Mᵀ X: (R, k) to (C, k). */
    Tensor multiplyTransposed(Tensor dense);
}
