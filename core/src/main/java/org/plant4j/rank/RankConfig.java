package org.plant4j.rank;

/**
 * How the ranker is taught, as the {@code rank} section of an experiment file says; its sizes are the model's.
 *
 * @param start what token embeddings start from
 * @param batchLabels labels, and so lists, learned from at a time
 * @param topTokens how many of a label's most informative tokens are in its list
 * @param sampledTokens how many other tokens are
 * @param samplingPower these are drawn by their frequency to this power; 0 draws all words alike
 * @param k how far down a list nDCG@k looks
 * @param sigma steepness of LambdaRank's pairwise loss
 * @param maxGrade grade of a label's first token, see {@link RelevanceGrades}
 * @param heldOutEvery every so many-th token of a label is held out from training to measure on; 0 holds none out
 */
public record RankConfig(
        Start start,
        int epochs,
        double warmup,
        double learningRate,
        double weightDecay,
        int batchLabels,
        int topTokens,
        int sampledTokens,
        double samplingPower,
        int k,
        double sigma,
        int maxGrade,
        int heldOutEvery) {

    /** Where token embeddings come from. */
    public enum Start {
        /** They are drawn. */
        NONE,
        /** The experiment's word vectors. */
        VECTORS
    }

    public RankConfig {
        check(epochs >= 1, "epochs", epochs, ">= 1");
        check(warmup >= 0 && warmup < 1, "warmup", warmup, ">= 0 and < 1");
        check(learningRate > 0, "learningRate", learningRate, "> 0");
        check(weightDecay >= 0, "weightDecay", weightDecay, ">= 0");
        check(batchLabels >= 1, "batchLabels", batchLabels, ">= 1");
        check(topTokens >= 1, "listed", topTokens, ">= 1");
        check(sampledTokens >= 1, "sampled", sampledTokens, ">= 1");
        check(samplingPower >= 0 && samplingPower <= 1, "samplingPower", samplingPower, "0 to 1");
        check(heldOutEvery == 0 || heldOutEvery >= 2, "heldOut", heldOutEvery, "0, or >= 2");
        new LambdaRank(k, sigma); // checks both
        new RelevanceGrades(maxGrade);
    }

    private static void check(boolean holds, String name, Number value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
        }
    }

    LambdaRank lambdaRank() {
        return new LambdaRank(k, sigma);
    }
}
