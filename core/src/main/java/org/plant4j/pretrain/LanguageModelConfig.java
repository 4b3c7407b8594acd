package org.plant4j.pretrain;

import java.util.Optional;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.support.Arguments;
import org.plant4j.train.TrainerConfig;

/**
 * A language model and its training, the {@code language_model} section of an experiment file.
 *
 * @param embedding size of a token embedding, and units of the last layer
 * @param hidden units of the other layers
 * @param dropoutMultiplier scales all five dropout rates
 * @param alpha weight of activation regularization (AR)
 * @param beta weight of temporal activation regularization (TAR)
 * @param learningRate peak of the one-cycle schedule
 * @param warmupRatio fraction of the steps in which the rate rises
 * @param maxGradNorm largest norm of the gradient
 * @param bptt mean number of tokens per window, through which gradients flow
 * @param batchSize token streams encoded in parallel
 * @param heldOut fraction of the documents on which perplexity is measured
 * @param start a pretrained language model to start from
 */
public record LanguageModelConfig(
        int embedding,
        int hidden,
        int layers,
        double embeddingDropout,
        double inputDropout,
        double hiddenDropout,
        double outputDropout,
        double weightDropout,
        double dropoutMultiplier,
        double alpha,
        double beta,
        int epochs,
        double learningRate,
        double weightDecay,
        double warmupRatio,
        double maxGradNorm,
        int bptt,
        int batchSize,
        double heldOut,
        Optional<PretrainedWeights> start) {

    /**
     * A checkpoint with PyTorch's or fastai's parameter names and its vocabulary: a JSON list ({@code .json}), a
     * vocabulary of Plant4j ({@code .tsv}), or one token per line.
     */
    public record PretrainedWeights(String weights, String vocabulary) {}

    public LanguageModelConfig {
        new AwdLstm.Config(
                embedding,
                hidden,
                layers,
                embeddingDropout,
                inputDropout,
                hiddenDropout,
                weightDropout,
                dropoutMultiplier); // checks its arguments
        AwdLstm.Config.checkRate("outputDropout", outputDropout, dropoutMultiplier);
        new TrainerConfig(epochs, warmupRatio, maxGradNorm, 0, 0, epochs);
        Arguments.atLeast(1, "bptt", bptt);
        Arguments.atLeast(1, "batch_size", batchSize);
        Arguments.atLeast(0.0, "alpha", alpha);
        Arguments.atLeast(0.0, "beta", beta);
        Arguments.positive("learning_rate", learningRate);
        Arguments.atLeast(0.0, "weight_decay", weightDecay);
        Arguments.rate("held_out", heldOut);
    }

    AwdLstm.Config encoder() {
        return new AwdLstm.Config(
                embedding,
                hidden,
                layers,
                embeddingDropout,
                inputDropout,
                hiddenDropout,
                weightDropout,
                dropoutMultiplier);
    }

    /** Trainer settings; held-out perplexity selects the epoch to keep, but there is no early stopping. */
    public TrainerConfig trainer() {
        return new TrainerConfig(epochs, warmupRatio, maxGradNorm, 0.9, 0.99, epochs);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Builds a config by name. Dropout, regularization, warm-up and held-out documents are off unless set. */
    public static final class Builder {

        private int embedding = 1;
        private int hidden = 1;
        private int layers = 1;
        private double embeddingDropout;
        private double inputDropout;
        private double hiddenDropout;
        private double outputDropout;
        private double weightDropout;
        private double dropoutMultiplier = 1;
        private double alpha;
        private double beta;
        private int epochs = 1;
        private double learningRate = 0.003;
        private double weightDecay;
        private double warmupRatio;
        private double maxGradNorm = 1;
        private int bptt = 1;
        private int batchSize = 1;
        private double heldOut;
        private Optional<PretrainedWeights> start = Optional.empty();

        private Builder() {}

        public Builder embedding(int value) {
            embedding = value;
            return this;
        }

        public Builder hidden(int value) {
            hidden = value;
            return this;
        }

        public Builder layers(int value) {
            layers = value;
            return this;
        }

        public Builder embeddingDropout(double value) {
            embeddingDropout = value;
            return this;
        }

        public Builder inputDropout(double value) {
            inputDropout = value;
            return this;
        }

        public Builder hiddenDropout(double value) {
            hiddenDropout = value;
            return this;
        }

        public Builder outputDropout(double value) {
            outputDropout = value;
            return this;
        }

        public Builder weightDropout(double value) {
            weightDropout = value;
            return this;
        }

        public Builder dropoutMultiplier(double value) {
            dropoutMultiplier = value;
            return this;
        }

        public Builder alpha(double value) {
            alpha = value;
            return this;
        }

        public Builder beta(double value) {
            beta = value;
            return this;
        }

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

        public Builder bptt(int value) {
            bptt = value;
            return this;
        }

        public Builder batchSize(int value) {
            batchSize = value;
            return this;
        }

        public Builder heldOut(double value) {
            heldOut = value;
            return this;
        }

        public Builder start(Optional<PretrainedWeights> value) {
            start = value;
            return this;
        }

        public LanguageModelConfig build() {
            return new LanguageModelConfig(
                    embedding,
                    hidden,
                    layers,
                    embeddingDropout,
                    inputDropout,
                    hiddenDropout,
                    outputDropout,
                    weightDropout,
                    dropoutMultiplier,
                    alpha,
                    beta,
                    epochs,
                    learningRate,
                    weightDecay,
                    warmupRatio,
                    maxGradNorm,
                    bptt,
                    batchSize,
                    heldOut,
                    start);
        }
    }
}
