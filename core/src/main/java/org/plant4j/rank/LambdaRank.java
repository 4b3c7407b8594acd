package org.plant4j.rank;

import java.util.Arrays;

/**
 * LambdaRank on one list (Burges 2010; paper, appendix A.2): what to change in its scores so that nDCG@k rises. The gain
 * of a grade g is 2^g − 1 and the discount of a rank r is 1 / log2(1 + r), none beyond k; of equal scores the earlier in
 * the list stands first.
 */
public record LambdaRank(int k, double sigma) {

    public LambdaRank {
        if (k < 1) {
            throw new IllegalArgumentException("k: " + k + " (expected: >= 1)");
        }
        if (!(sigma > 0 && sigma < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("sigma: " + sigma + " (expected: > 0 and finite)");
        }
    }

    /** nDCG@k of the list in the order of its scores; 1 where every grade is 0 and so no order is better. */
    public double ndcg(float[] scores, int[] grades) {
        double ideal = idealDcg(grades);
        int[] order = order(scores, grades);
        double dcg = 0;
        for (int rank = 0; rank < Math.min(k, order.length); rank++) {
            dcg += gain(grades[order[rank]]) * discount(rank);
        }
        return ideal == 0 ? 1 : dcg / ideal;
    }

    /**
     * The gradient of the loss by each score, below 0 where a score should rise: each pair with grades i over j gives −λ
     * to i and +λ to j, λ = σ |ΔnDCG@k| / (1 + exp(σ (s_i − s_j))). It sums to 0.
     */
    public float[] gradient(float[] scores, int[] grades) {
        double ideal = idealDcg(grades);
        int[] order = order(scores, grades);
        double[] gradient = new double[scores.length];
        // A swap of two beyond k changes nothing, so that one of each pair is looked for among the first k alone.
        for (int first = 0; first < Math.min(k, order.length); first++) {
            for (int second = first + 1; second < order.length; second++) {
                int a = order[first];
                int b = order[second];
                if (grades[a] == grades[b]) {
                    continue;
                }
                int better = grades[a] > grades[b] ? a : b;
                int worse = better == a ? b : a;
                double change =
                        (gain(grades[better]) - gain(grades[worse])) * (discount(first) - discount(second)) / ideal;
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

    /** Positions in the list by falling score. */
    private static int[] order(float[] scores, int[] grades) {
        if (scores.length != grades.length) {
            throw new IllegalArgumentException("grades: " + grades.length + " (expected: " + scores.length + ")");
        }
        long[] keys = new long[scores.length];
        for (int i = 0; i < scores.length; i++) {
            int bits = Float.floatToIntBits(scores[i] + 0f); // + 0f makes -0 and 0 the tie they are
            int rising = bits ^ ((bits >> 31) & Integer.MAX_VALUE); // the order of floats as an order of ints
            keys[i] = ((long) ~rising << 32) | i;
        }
        Arrays.sort(keys);
        return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
    }

    private static double gain(int grade) {
        return Math.scalb(1.0, grade) - 1;
    }

    /** For ranks from 0. */
    private double discount(int rank) {
        return rank < k ? Math.log(2) / Math.log(rank + 2) : 0;
    }
}
