package org.plant4j.model.ensemble;

import java.util.List;
import org.plant4j.model.linear.PairRegression;
import org.plant4j.model.linear.PairRegression.Pair;
import org.plant4j.support.Arguments;

/**
 * Combines the scores that several models, the members, give a label into the probability that the label is gold: a logistic
 * regression on the scores, their logits, the label's number of training documents, and products of these. So a member can count
 * more for rare labels and another for frequent ones, and a member that alone knows a label is not outvoted. (Wolpert: Stacked
 * Generalization, Neural Networks 5, 1992.)
 */
public record MergeRegression(PairRegression regression) {

    private static final double LEAST_SCORE = 1e-5; // lower ones count alike in a logit

    public MergeRegression {
        int features = regression.mean().length;
        Arguments.check(features >= 4 && features % 2 == 0, "features", features, "two for each member, and two");
    }

    /** Fits pairs of a document and a label; see {@link #pair}. */
    public static MergeRegression fit(List<Pair> pairs) {
        return new MergeRegression(PairRegression.fit(pairs));
    }

    /** A label with its score by each member and ln(1 + f) of its training documents f. */
    public static Pair pair(double[] scores, double logFrequency, boolean gold) {
        return new Pair(features(scores, logFrequency), gold);
    }

    /** The number of models. */
    public int members() {
        return (regression.mean().length - 2) / 2;
    }

    static float[] features(double[] scores, double logFrequency) {
        float[] features = new float[2 * scores.length + 2];
        for (int member = 0; member < scores.length; member++) {
            double bounded = Math.max(LEAST_SCORE, Math.min(1 - LEAST_SCORE, scores[member]));
            features[2 * member] = (float) scores[member];
            features[2 * member + 1] = (float) Math.log(bounded / (1 - bounded));
        }
        features[2 * scores.length] = (float) logFrequency;
        features[2 * scores.length + 1] = logFrequency == 0 ? 1 : 0;
        return features;
    }

    /** The probability of a label with these scores by the members and ln(1 + f) of its training documents f. */
    public double probability(double[] scores, double logFrequency) {
        Arguments.check(scores.length == members(), "rankings", scores.length, "" + members());
        return regression.probability(features(scores, logFrequency));
    }
}
