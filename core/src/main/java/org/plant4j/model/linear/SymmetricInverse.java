package org.plant4j.model.linear;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Inverts a symmetric positive definite matrix in place by the sweep operator (Goodnight, A Tutorial on the SWEEP Operator,
 * The American Statistician 33, 1979), a block of pivots at a time. It takes n³ floating-point operations, divided between all
 * cores.
 */
final class SymmetricInverse {

    private static final int BLOCK = 64; // so many rows of the matrix fit into the cache

    private SymmetricInverse() {}

    /** Replaces the lower triangle of a matrix, whose row i has i + 1 entries, by that of its inverse. */
    static void invert(double[][] lower) {
        for (int start = 0; start < lower.length; start += BLOCK) {
            sweep(lower, start, Math.min(lower.length, start + BLOCK));
        }
        for (double[] row : lower) {
            for (int i = 0; i < row.length; i++) {
                row[i] = -row[i];
            }
        }
    }

    /**
     * With the pivots P and the other rows R: A_RR − A_RP A_PP⁻¹ A_PR, A_RP A_PP⁻¹ and −A_PP⁻¹ take the place of A_RR, A_RP and
     * A_PP.
     */
    private static void sweep(double[][] lower, int start, int end) {
        int size = end - start;
        double[][] pivots = new double[size][lower.length]; // A_P, whole rows
        for (int k = 0; k < size; k++) {
            for (int i = 0; i < lower.length; i++) {
                pivots[k][i] = i > start + k ? lower[i][start + k] : lower[start + k][i];
            }
        }
        double[][] block = new double[size][];
        for (int k = 0; k < size; k++) {
            block[k] = Arrays.copyOfRange(pivots[k], start, end);
        }
        invertBlock(block);
        IntStream.range(0, lower.length)
                .parallel()
                .filter(row -> row < start || row >= end)
                .forEach(row -> {
                    double[] scaled = new double[size]; // row of A_RP A_PP⁻¹
                    for (int k = 0; k < size; k++) {
                        for (int other = 0; other < size; other++) {
                            scaled[k] += pivots[other][row] * block[other][k];
                        }
                    }
                    subtract(lower[row], scaled, pivots);
                    for (int k = 0; k < size; k++) {
                        if (row < start) {
                            lower[start + k][row] = scaled[k];
                        } else {
                            lower[row][start + k] = scaled[k];
                        }
                    }
                });
        for (int k = 0; k < size; k++) {
            for (int other = 0; other <= k; other++) {
                lower[start + k][start + other] = -block[k][other];
            }
        }
    }

    /** Subtracts the combination of the pivots' rows with the given factors from a row. */
    private static void subtract(double[] row, double[] factors, double[][] pivots) {
        int k = 0;
        for (; k + 3 < factors.length; k += 4) { // four at a time, since loads and stores of the row take longest
            double a = factors[k];
            double b = factors[k + 1];
            double c = factors[k + 2];
            double d = factors[k + 3];
            double[] pivotA = pivots[k];
            double[] pivotB = pivots[k + 1];
            double[] pivotC = pivots[k + 2];
            double[] pivotD = pivots[k + 3];
            for (int i = 0; i < row.length; i++) {
                row[i] -= a * pivotA[i] + b * pivotB[i] + c * pivotC[i] + d * pivotD[i];
            }
        }
        for (; k < factors.length; k++) {
            for (int i = 0; i < row.length; i++) {
                row[i] -= factors[k] * pivots[k][i];
            }
        }
    }

    /** Inverts a small matrix, given whole, in place. */
    private static void invertBlock(double[][] block) {
        for (int pivot = 0; pivot < block.length; pivot++) {
            double inverse = 1 / block[pivot][pivot];
            block[pivot][pivot] = 1;
            for (int i = 0; i < block.length; i++) {
                block[pivot][i] *= inverse;
            }
            for (int row = 0; row < block.length; row++) {
                if (row != pivot) {
                    double factor = block[row][pivot];
                    block[row][pivot] = 0;
                    for (int i = 0; i < block.length; i++) {
                        block[row][i] -= factor * block[pivot][i];
                    }
                }
            }
        }
    }
}
