package org.plant4j.rank;

import org.plant4j.support.Arguments;

/**
 * Training of the ranker, the {@code ranker} section of an experiment file; the sizes of the ranker are settings of the
 * model.
 *
 * @param start initial token embeddings
 * @param batchLabels labels per step, each with one list
 * @param topTokens number of a label's most informative tokens in its list
 * @param sampledTokens number of other tokens in the list
 * @param samplingPower other tokens are sampled by their frequency to this power; 0 samples uniformly
 * @param k cutoff of nDCG@k
 * @param sigma steepness of LambdaRank's pairwise loss
 * @param maxGrade grade of a label's best token, see {@link RelevanceGrades}
 * @param heldOutEvery every n-th token of a label is held out for validation; 0 holds none out
 */
public record RankConfig(
        Start start,
        int epochs,
        double warmupRatio,
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

    /** Initial token embeddings. */
    public enum Start {
        /** Random. */
        NONE,
        /** The word vectors of the experiment. */
        VECTORS
    }

    public RankConfig {
        Arguments.atLeast(1, "epochs", epochs);
        Arguments.rate("warmup_ratio", warmupRatio);
        Arguments.positive("learning_rate", learningRate);
        Arguments.atLeast(0.0, "weight_decay", weightDecay);
        Arguments.atLeast(1, "batch_labels", batchLabels);
        Arguments.atLeast(1, "top_tokens", topTokens);
        Arguments.atLeast(1, "sampled_tokens", sampledTokens);
        Arguments.fraction("sampling_power", samplingPower);
        Arguments.check(heldOutEvery == 0 || heldOutEvery >= 2, "held_out_every", heldOutEvery, "0, or >= 2");
        new LambdaRank(k, sigma); // checks both
        Arguments.between(1, RelevanceGrades.LIMIT, "max_grade", maxGrade);
    }

    LambdaRank lambdaRank() {
        return new LambdaRank(k, sigma);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Builds a config by name; settings that are not set have their smallest valid value. */
    public static final class Builder {

        private Start start = Start.NONE;
        private int epochs = 1;
        private double warmupRatio;
        private double learningRate = 0.01;
        private double weightDecay;
        private int batchLabels = 1;
        private int topTokens = 1;
        private int sampledTokens = 1;
        private double samplingPower;
        private int k = 1;
        private double sigma = 1;
        private int maxGrade = 1;
        private int heldOutEvery;

        private Builder() {}

        public Builder start(Start value) {
            start = value;
            return this;
        }

        public Builder epochs(int value) {
            epochs = value;
            return this;
        }

        public Builder warmupRatio(double value) {
            warmupRatio = value;
            return this;
        }

        public Builder learningRate(double value) {
            learningRate = value;
            return this;
        }

        public Builder weightDecay(double value) {
            weightDecay = value;
            return this;
        }

        public Builder batchLabels(int value) {
            batchLabels = value;
            return this;
        }

        public Builder topTokens(int value) {
            topTokens = value;
            return this;
        }

        public Builder sampledTokens(int value) {
            sampledTokens = value;
            return this;
        }

        public Builder samplingPower(double value) {
            samplingPower = value;
            return this;
        }

        public Builder k(int value) {
            k = value;
            return this;
        }

        public Builder sigma(double value) {
            sigma = value;
            return this;
        }

        public Builder maxGrade(int value) {
            maxGrade = value;
            return this;
        }

        public Builder heldOutEvery(int value) {
            heldOutEvery = value;
            return this;
        }

        public RankConfig build() {
            return new RankConfig(
                    start,
                    epochs,
                    warmupRatio,
                    learningRate,
                    weightDecay,
                    batchLabels,
                    topTokens,
                    sampledTokens,
                    samplingPower,
                    k,
                    sigma,
                    maxGrade,
                    heldOutEvery);
        }
    }
}
