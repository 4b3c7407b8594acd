package org.plant4j.pretrain.vectors;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.pytorch.Tensor;

/**
 * Positive pointwise mutual information of tokens (rows) and contexts (columns) with a smoothed context distribution:
 * max(0, log(p(w, c) / (p(w) p'(c)))) with p'(c) ~ n(c)^smoothing (Levy, Goldberg and Dagan 2015, section 3.1).
 *
 * <p>Counts are symmetric, only the smoothing is not. So one compressed sparse row structure with log counts, 8 bytes per
 * entry, serves both the matrix and its transpose. A libtorch sparse tensor would need its own values for each and 64-bit
 * sums, which is why the sparse product is in Java.
 */
final class PpmiMatrix implements LinearOperator {

    /** Rows are distributed over this many tasks in turn, since frequent tokens, which have long rows, come first. */
    private static final int TASKS = 64;

    private final int[] starts; // of each row in the arrays below, and their length
    private final int[] columns;
    private final float[] logCounts;
    private final double[] logTokens; // log n(w)
    private final double[] logContexts; // log p'(c)

    PpmiMatrix(CooccurrenceCounter counts, double smoothing) {
        int size = counts.vocabularySize();
        logTokens = new double[size];
        Arrays.setAll(logTokens, token -> log(counts.total(token)));
        double sum = 0;
        for (double logToken : logTokens) {
            sum += Math.exp(smoothing * logToken);
        }
        double logSum = Math.log(sum);
        logContexts = new double[size];
        Arrays.setAll(logContexts, context -> smoothing * logTokens[context] - logSum);
        starts = rowStarts(counts);
        columns = new int[starts[size]];
        logCounts = new float[starts[size]];
        fill(counts);
    }

    private int[] rowStarts(CooccurrenceCounter counts) {
        int[] rowStarts = new int[counts.vocabularySize() + 1];
        for (int pair = 0; pair < counts.size(); pair++) {
            if (isPositive(counts, pair)) {
                int first = counts.first(pair);
                int second = counts.second(pair);
                rowStarts[first + 1]++;
                rowStarts[second + 1] += first == second ? 0 : 1;
            }
        }
        Arrays.parallelPrefix(rowStarts, Math::addExact);
        return rowStarts;
    }

    private void fill(CooccurrenceCounter counts) {
        int[] ends = starts.clone();
        for (int pair = 0; pair < counts.size(); pair++) {
            if (isPositive(counts, pair)) {
                int first = counts.first(pair);
                int second = counts.second(pair);
                float logCount = (float) log(counts.weight(pair));
                put(ends[first]++, second, logCount);
                if (first != second) {
                    put(ends[second]++, first, logCount);
                }
            }
        }
    }

    /** Whether the pair has a positive value in the matrix or in its transpose. */
    private boolean isPositive(CooccurrenceCounter counts, int pair) {
        int first = counts.first(pair);
        int second = counts.second(pair);
        return log(counts.weight(pair))
                > Math.min(logTokens[first] + logContexts[second], logTokens[second] + logContexts[first]);
    }

    /** Minus infinity for a token without pairs, whose row and column are empty. */
    private static double log(long count) {
        return Math.log((double) count);
    }

    private void put(int at, int column, float logCount) {
        columns[at] = column;
        logCounts[at] = logCount;
    }

    @Override
    public int columns() {
        return logTokens.length;
    }

    @Override
    public Tensor multiply(Tensor dense) {
        return product(logTokens, logContexts, dense);
    }

    @Override
    public Tensor multiplyTransposed(Tensor dense) {
        return product(logContexts, logTokens, dense);
    }

    /** Each row of the product is summed by one task in a fixed order, so the result does not depend on the threads. */
    private Tensor product(double[] logRows, double[] logColumns, Tensor dense) {
        int width = Math.toIntExact(dense.size(1));
        double[] factors = new double[Math.multiplyExact(columns(), width)]; // (V, k)
        new DoublePointer(dense.contiguous().data_ptr_double()).get(factors);
        double[] product = new double[factors.length];
        IntStream.range(0, TASKS).parallel().forEach(task -> {
            for (int row = task; row < columns(); row += TASKS) {
                for (int at = starts[row]; at < starts[row + 1]; at++) {
                    double value = logCounts[at] - logRows[row] - logColumns[columns[at]];
                    if (value > 0) {
                        addRow(product, row * width, value, factors, columns[at] * width, width);
                    }
                }
            }
        });
        return Tensor.create(product, columns(), width);
    }

    private static void addRow(double[] sum, int to, double factor, double[] values, int from, int width) {
        for (int i = 0; i < width; i++) {
            sum[to + i] += factor * values[from + i];
        }
    }
}
