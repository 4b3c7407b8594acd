package org.plant4j.pretrain;

import org.plant4j.support.Arguments;
import org.plant4j.train.TrainerConfig;

/**
 * Further pretraining of an encoder by masked language modelling, the {@code masked_language_model} section of an
 * experiment file.
 *
 * @param learningRate peak of the one-cycle schedule
 * @param weightDecay of matrices; biases and norms have none
 * @param warmupRatio fraction of the steps in which the rate rises
 * @param maxGradNorm largest norm of the gradient
 * @param batchSize rows per step
 * @param window most tokens per row
 * @param maskRate fraction of the tokens to predict
 * @param wholeWords whether the tokens of a word are masked together
 * @param heldOut fraction of the documents on which perplexity is measured
 */
public record MaskedLanguageModelConfig(
        int epochs,
        double learningRate,
        double weightDecay,
        double warmupRatio,
        double maxGradNorm,
        int batchSize,
        int window,
        double maskRate,
        boolean wholeWords,
        double heldOut) {

    public MaskedLanguageModelConfig {
        new TrainerConfig(epochs, warmupRatio, maxGradNorm, 0, 0, epochs); // checks its arguments
        Arguments.positive("learning_rate", learningRate);
        Arguments.atLeast(0.0, "weight_decay", weightDecay);
        Arguments.atLeast(1, "batch_size", batchSize);
        Arguments.atLeast(1, "window", window);
        Arguments.check(maskRate > 0 && maskRate < 1, "mask_rate", maskRate, "> 0 and < 1");
        Arguments.rate("held_out", heldOut);
    }

    /** Trainer settings; held-out perplexity selects the epoch to keep, but there is no early stopping. */
    public TrainerConfig trainer() {
        return new TrainerConfig(epochs, warmupRatio, maxGradNorm, 0.9, 0.999, epochs);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Builds a config by name. Weight decay, warm-up, whole words and held-out documents are off unless set. */
    public static final class Builder {

        private int epochs = 1;
        private double learningRate = 0.00005;
        private double weightDecay;
        private double warmupRatio;
        private double maxGradNorm = 1;
        private int batchSize = 1;
        private int window = 1;
        private double maskRate = 0.15;
        private boolean wholeWords;
        private double heldOut;

        private Builder() {}

        public Builder epochs(int value) {
            epochs = value;
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

        public Builder warmupRatio(double value) {
            warmupRatio = value;
            return this;
        }

        public Builder maxGradNorm(double value) {
            maxGradNorm = value;
            return this;
        }

        public Builder batchSize(int value) {
            batchSize = value;
            return this;
        }

        public Builder window(int value) {
            window = value;
            return this;
        }

        public Builder maskRate(double value) {
            maskRate = value;
            return this;
        }

        public Builder wholeWords(boolean value) {
            wholeWords = value;
            return this;
        }

        public Builder heldOut(double value) {
            heldOut = value;
            return this;
        }

        public MaskedLanguageModelConfig build() {
            return new MaskedLanguageModelConfig(
                    epochs,
                    learningRate,
                    weightDecay,
                    warmupRatio,
                    maxGradNorm,
                    batchSize,
                    window,
                    maskRate,
                    wholeWords,
                    heldOut);
        }
    }
}
