package org.plant4j.rank;

/**
 * How the ranker is taught, as the {@code rank} section of an experiment file says; its sizes are the model's.
 *
 * @param start what token embeddings start from
 * @param batchLabels labels, and so lists, learned from at a time
 * @param listed how many of a label's most informative tokens are in its list
 * @param sampled how many other tokens are
 * @param samplingPower these are drawn by their frequency to this power; 0 draws all words alike
 * @param k how far down a list nDCG@k looks
 * @param sigma steepness of LambdaRank's pairwise loss
 * @param grades grade of a label's first token, see {@link RelevanceGrades}
 * @param heldOut every so many-th token of a label is held out from training to measure on; 0 holds none out
 */
public record RankConfig(
        Start start,
        int epochs,
        double warmup,
        double learningRate,
        double weightDecay,
        int batchLabels,
        int listed,
        int sampled,
        double samplingPower,
        int k,
        double sigma,
        int grades,
        int heldOut) {

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
        check(listed >= 1, "listed", listed, ">= 1");
        check(sampled >= 1, "sampled", sampled, ">= 1");
        check(samplingPower >= 0 && samplingPower <= 1, "samplingPower", samplingPower, "0 to 1");
        check(heldOut == 0 || heldOut >= 2, "heldOut", heldOut, "0, or >= 2");
        new LambdaRank(k, sigma); // checks both
        new RelevanceGrades(grades);
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
