package org.plant4j.pretrain.vectors;

/** A matrix too large to write out, known by its products with tall dense ones. */
interface LinearOperator {

    int columns();

    double[][] multiply(double[][] dense);

    double[][] multiplyTransposed(double[][] dense);
}
