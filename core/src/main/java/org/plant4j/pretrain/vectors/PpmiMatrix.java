package org.plant4j.pretrain.vectors;

/**
 * Positive pointwise mutual information of words (rows) and contexts (columns), the contexts' distribution smoothed:
 * max(0, log(p(w, c) / (p(w) p'(c)))) with p'(c) ~ n(c)^smoothing (Levy, Goldberg and Dagan 2015, section 3.1).
 *
 * <p>Counts are symmetric and smoothing alone is not, so one list of pairs with the logarithms of their counts serves
 * the matrix and its transpose: each row of either product is gathered by one thread, in one order.
 */
final class PpmiMatrix implements LinearOperator {

    private final int[] starts; // by row
    private final int[] columns;
    private final float[] logCounts;
    private final double[] logWords;
    private final double[] logContexts;

    PpmiMatrix(CooccurrenceCounter counts, double smoothing) {
        int size = counts.vocabularySize();
        logWords = new double[size];
        logContexts = new double[size];
        double sum = 0;
        for (int word = 0; word < size; word++) {
            logWords[word] = log(counts.total(word));
            sum += Math.exp(smoothing * logWords[word]);
        }
        for (int context = 0; context < size; context++) {
            logContexts[context] = smoothing * logWords[context] - Math.log(sum);
        }
        starts = new int[size + 1];
        for (int pair = 0; pair < counts.size(); pair++) {
            if (positive(counts, pair)) {
                int first = counts.first(pair);
                int second = counts.second(pair);
                starts[first + 1]++;
                starts[second + 1] += first == second ? 0 : 1;
            }
        }
        for (int row = 0; row < size; row++) {
            starts[row + 1] += starts[row];
        }
        columns = new int[starts[size]];
        logCounts = new float[starts[size]];
        int[] ends = starts.clone();
        for (int pair = 0; pair < counts.size(); pair++) {
            if (positive(counts, pair)) {
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

    /** Whether either word, as the other's context, is more than chance. */
    private boolean positive(CooccurrenceCounter counts, int pair) {
        int first = counts.first(pair);
        int second = counts.second(pair);
        return log(counts.weight(pair))
                > Math.min(logWords[first] + logContexts[second], logWords[second] + logContexts[first]);
    }

    private static double log(long count) {
        return Math.log((double) count); // minus infinity for a word without a pair, whose row and column are empty
    }

    private void put(int at, int column, float logCount) {
        columns[at] = column;
        logCounts[at] = logCount;
    }

    @Override
    public int columns() {
        return logWords.length;
    }

    @Override
    public double[][] multiply(double[][] dense) {
        return product(logWords, logContexts, dense);
    }

    @Override
    public double[][] multiplyTransposed(double[][] dense) {
        return product(logContexts, logWords, dense);
    }

    private double[][] product(double[] logRows, double[] logColumns, double[][] dense) {
        double[][] product = new double[columns()][dense[0].length];
        DenseRows.each(columns(), row -> {
            for (int at = starts[row]; at < starts[row + 1]; at++) {
                double value = logCounts[at] - logRows[row] - logColumns[columns[at]];
                if (value > 0) {
                    DenseRows.add(product[row], value, dense[columns[at]]);
                }
            }
        });
        return product;
    }
}
