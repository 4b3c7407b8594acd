package org.plant4j.rank;

import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;

/**
 * LambdaRank: nDCG@k of lists and the gradient by which their scores improve it (Burges 2010; paper, appendix A.2). The gain
 * of grade g is 2^g − 1, the discount of rank r is 1 / log2(1 + r) up to k and 0 beyond; ties in score keep the order of
 * the list.
 *
 * <p>The lists of a batch are the rows of (B, W). They are computed together on the device of their scores, so that a GPU does
 * not wait for the host. Shorter lists are padded with the grade {@link #PADDING}.
 */
record LambdaRank(int k, double sigma) {

    /** The grade of padding, which ranks last and has no gradient. */
    static final int PADDING = -1;

    LambdaRank {
        Arguments.atLeast(1, "k", k);
        Arguments.check(sigma > 0 && sigma < Double.POSITIVE_INFINITY, "sigma", sigma, "> 0 and finite");
    }

    /**
     * @param gradient of the loss with respect to each score: (B, W)
     * @param ndcg nDCG@k of each list sorted by score: (B)
     */
    record Result(Tensor gradient, Tensor ndcg) {}

    /**
     * Lists in the order of their scores.
     *
     * @param scores descending: (B, W)
     * @param positions of the scores in the list: (B, W)
     * @param gains in the same order: (B, W)
     * @param discounts of the ranks: (W)
     * @param ideal DCG@k of the best order: (B, 1)
     */
    private record Ranking(Tensor scores, Tensor positions, Tensor gains, Tensor discounts, Tensor ideal) {

        /** 1 if all grades are 0, since then every order is ideal. */
        Tensor ndcg() {
            Tensor dcg = torch.matmul(gains, discounts.unsqueeze(1));
            return dcg.div_(atLeastOne(ideal)).add_(ideal.eq(new Scalar(0))).squeeze(1);
        }
    }

    /** For divisions: an ideal DCG is 0 or at least 1, the gain of the lowest grade at the first rank. */
    private static Tensor atLeastOne(Tensor ideal) {
        return ideal.clamp_min(new Scalar(1));
    }

    /** nDCG@k of each list (B), from scores and grades (B, W). */
    Tensor ndcg(Tensor scores, Tensor grades, Compute compute) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            return rank(scores, grades, compute).ndcg();
        }
    }

    /**
     * nDCG@k and the gradient. Each pair whose grade is higher for i than for j adds −λ to i and +λ to j, with
     * λ = σ |ΔnDCG@k| / (1 + exp(σ (s_i − s_j))). The gradient of a list sums to 0.
     */
    Result compute(Tensor scores, Tensor grades, Compute compute) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Ranking ranking = rank(scores, grades, compute);
            // Swapping two items beyond rank k changes nothing, so the first item of each pair is among the first k.
            long first = Math.min(k, scores.size(1));
            Tensor gains = differences(ranking.gains, 1, first); // (B, K, W)
            Tensor lambdas = differences(ranking.scores, 1, first)
                    .mul_(gains.sign()) // s_i − s_j, whichever of them ranks first
                    .mul_(new Scalar(-sigma))
                    .sigmoid_()
                    .mul_(gains)
                    .mul_(differences(ranking.discounts, 0, first).clamp_min_(new Scalar(0))) // each pair once
                    .mul_(atLeastOne(ranking.ideal)
                            .reciprocal_()
                            .mul_(new Scalar(sigma))
                            .unsqueeze(2));
            Tensor sums = lambdas.sum(1L);
            sums.narrow(1, 0, first).sub_(lambdas.sum(2L));
            return new Result(torch.zeros_like(sums).scatter_(1, ranking.positions, sums), ranking.ndcg());
        }
    }

    /** The first values along a dimension minus all values: (…, W) to (…, K, W). */
    private static Tensor differences(Tensor values, int dimension, long first) {
        return values.narrow(dimension, 0, first).unsqueeze(-1).sub(values.unsqueeze(dimension));
    }

    private Ranking rank(Tensor scores, Tensor grades, Compute compute) {
        Arguments.check(scores.size(1) == grades.size(1), "grades", grades.size(1), String.valueOf(scores.size(1)));
        Tensor last = scores.masked_fill(grades.lt(new Scalar(0)), new Scalar(-Float.MAX_VALUE));
        T_TensorTensor_T sorted = torch.sort(last, new BoolOptional(true), 1, true);
        Tensor gains = torch.exp2(grades.clamp_min(new Scalar(0)).to(torch.ScalarType.Float))
                .sub_(new Scalar(1));
        Tensor discounts = compute.toDevice(Tensor.create(discounts((int) scores.size(1))));
        long first = Math.min(k, scores.size(1));
        Tensor ideal = torch.matmul(
                gains.topk(first, 1, true, true).get0(),
                discounts.narrow(0, 0, first).unsqueeze(1));
        return new Ranking(sorted.get0(), sorted.get1(), gains.gather(1, sorted.get1()), discounts, ideal);
    }

    /** The discounts of all ranks, counted from 0. */
    private float[] discounts(int ranks) {
        float[] discounts = new float[ranks];
        for (int rank = 0; rank < Math.min(k, ranks); rank++) {
            discounts[rank] = (float) (Math.log(2) / Math.log(rank + 2));
        }
        return discounts;
    }
}
