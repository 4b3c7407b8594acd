package org.plant4j.rank;

import java.util.Arrays;
import org.plant4j.support.Arguments;

/**
 * LambdaRank: nDCG@k of a list and the gradient by which its scores improve it (Burges 2010; paper, appendix A.2). The gain
 * of grade g is 2^g − 1, the discount of rank r is 1 / log2(1 + r) up to k and 0 beyond; ties in score keep the order of
 * the list.
 */
record LambdaRank(int k, double sigma) {

    LambdaRank {
        Arguments.atLeast(1, "k", k);
        Arguments.check(sigma > 0 && sigma < Double.POSITIVE_INFINITY, "sigma", sigma, "> 0 and finite");
    }

    /** nDCG@k of the list sorted by score; 1 if all grades are 0, since then every order is ideal. */
    double ndcg(float[] scores, int[] grades) {
        double ideal = idealDcg(grades);
        int[] order = order(scores, grades);
        double dcg = 0;
        for (int rank = 0; rank < Math.min(k, order.length); rank++) {
            dcg += gain(grades[order[rank]]) * discount(rank);
        }
        return ideal == 0 ? 1 : dcg / ideal;
    }

    /**
     * Gradient of the loss with respect to each score. Each pair whose grade is higher for i than for j adds −λ to i and
     * +λ to j, with λ = σ |ΔnDCG@k| / (1 + exp(σ (s_i − s_j))). The gradient sums to 0.
     */
    float[] gradient(float[] scores, int[] grades) {
        double ideal = idealDcg(grades);
        int[] order = order(scores, grades);
        double[] gradient = new double[scores.length];
        double[] gains = gains(grades);
        double[] discounts = discounts(scores.length);
        // Swapping two items beyond rank k changes nothing, so one item of each pair is among the first k.
        for (int first = 0; first < Math.min(k, order.length); first++) {
            for (int second = first + 1; second < order.length; second++) {
                int a = order[first];
                int b = order[second];
                if (grades[a] == grades[b]) {
                    continue;
                }
                int better = grades[a] > grades[b] ? a : b;
                int worse = better == a ? b : a;
                double change = (gains[better] - gains[worse]) * (discounts[first] - discounts[second]) / ideal;
                double lambda = sigma * change / (1 + Math.exp(sigma * ((double) scores[better] - scores[worse])));
                gradient[better] -= lambda;
                gradient[worse] += lambda;
            }
        }
        float[] rounded = new float[gradient.length];
        for (int i = 0; i < gradient.length; i++) {
            rounded[i] = (float) gradient[i];
        }
        return rounded;
    }

    private double idealDcg(int[] grades) {
        int[] rising = grades.clone();
        Arrays.sort(rising);
        double dcg = 0;
        for (int rank = 0; rank < Math.min(k, rising.length); rank++) {
            dcg += gain(rising[rising.length - 1 - rank]) * discount(rank);
        }
        return dcg;
    }

    /** Positions in the list by descending score. */
    private static int[] order(float[] scores, int[] grades) {
        Arguments.check(scores.length == grades.length, "grades", grades.length, "" + scores.length);
        long[] keys = new long[scores.length];
        for (int i = 0; i < scores.length; i++) {
            int bits = Float.floatToIntBits(scores[i] + 0f); // + 0f turns -0 into 0, so that they tie
            int rising = bits ^ ((bits >> 31) & Integer.MAX_VALUE); // orders ints like the floats
            keys[i] = ((long) ~rising << 32) | i;
        }
        Arrays.sort(keys);
        return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
    }

    private static double gain(int grade) {
        return Math.scalb(1.0, grade) - 1;
    }

    private static double[] gains(int[] grades) {
        return Arrays.stream(grades).mapToDouble(LambdaRank::gain).toArray();
    }

    /** Discount of a rank, counted from 0. */
    private static double discount(int rank) {
        return Math.log(2) / Math.log(rank + 2);
    }

    /** The discounts of ranks below {@code size}; logarithms take longer than the rest of a pair. */
    private double[] discounts(int size) {
        double[] discounts = new double[size];
        for (int rank = 0; rank < Math.min(k, size); rank++) {
            discounts[rank] = discount(rank);
        }
        return discounts;
    }
}
