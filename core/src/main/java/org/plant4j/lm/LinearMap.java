package org.plant4j.lm;

/** A matrix too large to write out, known by its products with tall dense ones. */
interface LinearMap {

    int columns();

    double[][] times(double[][] dense);

    double[][] transposedTimes(double[][] dense);
}
