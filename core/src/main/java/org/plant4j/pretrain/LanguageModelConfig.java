package org.plant4j.pretrain;

import java.util.Optional;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.support.Arguments;
import org.plant4j.train.TrainerConfig;

/**
 * A language model and how it learns.
 *
 * @param embedding numbers a word, and units of the last layer
 * @param hidden units of the layers before it
 * @param dropoutMultiplier scales all five dropouts
 * @param alpha weight of the squared dropped states (AR)
 * @param beta weight of the squared steps from state to state (TAR)
 * @param learningRate the peak
 * @param warmup share of the steps on the way up
 * @param clip the gradient's largest norm
 * @param bptt tokens a window, on average, through which gradients flow
 * @param batch columns read side by side
 * @param heldOut share of the texts on which perplexity is measured
 * @param start a language model to start from
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
        double warmup,
        double clip,
        int bptt,
        int batch,
        double heldOut,
        Optional<PretrainedWeights> start) {

    /**
     * A checkpoint with PyTorch's or fastai's names, and its words: {@code .json} is a list, {@code .tsv} a vocabulary of
     * ours, any other file has one word a line.
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
                dropoutMultiplier); // holds its own bounds
        AwdLstm.Config.checkRate("outputDropout", outputDropout, dropoutMultiplier);
        new TrainerConfig(epochs, warmup, clip, 0, 0, epochs);
        Arguments.atLeast(1, "bptt", bptt);
        Arguments.atLeast(1, "batch", batch);
        require(alpha >= 0, "alpha", alpha, ">= 0");
        require(beta >= 0, "beta", beta, ">= 0");
        require(learningRate > 0, "learningRate", learningRate, "> 0");
        require(weightDecay >= 0, "weightDecay", weightDecay, ">= 0");
        require(heldOut >= 0 && heldOut < 1, "heldOut", heldOut, ">= 0 and < 1");
    }

    private static void require(boolean holds, String setting, double value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(setting + ": " + value + " (expected: " + expected + ")");
        }
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

    /** What the trainer is to be told; held-out perplexity chooses the epoch that is kept, but ends nothing early. */
    public TrainerConfig trainer() {
        return new TrainerConfig(epochs, warmup, clip, 0.9, 0.99, epochs);
    }
}
