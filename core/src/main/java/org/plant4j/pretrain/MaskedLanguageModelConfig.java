package org.plant4j.pretrain;

import org.plant4j.train.TrainerConfig;

/**
 * How a pretrained encoder goes on learning from text by guessing hidden words.
 *
 * @param learningRate the peak
 * @param weightDecay of matrices; biases and norms keep what they have
 * @param warmup share of the steps on the way up
 * @param clip the gradient's largest norm
 * @param batch rows a step
 * @param window pieces a row, at most
 * @param maskRate of the pieces that are to be guessed
 * @param wholeWords whether the pieces of a word are hidden together
 * @param heldOut share of the texts on which perplexity is measured
 */
public record MaskedLanguageModelConfig(
        int epochs,
        double learningRate,
        double weightDecay,
        double warmup,
        double clip,
        int batch,
        int window,
        double maskRate,
        boolean wholeWords,
        double heldOut) {

    public MaskedLanguageModelConfig {
        new TrainerConfig(epochs, warmup, clip, 0, 0, epochs); // holds its own bounds
        require(learningRate > 0, "learningRate", learningRate, "> 0");
        require(weightDecay >= 0, "weightDecay", weightDecay, ">= 0");
        require(batch >= 1, "batch", batch, ">= 1");
        require(window >= 1, "window", window, ">= 1");
        require(maskRate > 0 && maskRate < 1, "share", maskRate, "> 0 and < 1");
        require(heldOut >= 0 && heldOut < 1, "heldOut", heldOut, ">= 0 and < 1");
    }

    private static void require(boolean holds, String setting, Number value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(setting + ": " + value + " (expected: " + expected + ")");
        }
    }

    /** What the trainer is to be told; held-out perplexity chooses the epoch that is kept, but ends nothing early. */
    public TrainerConfig trainer() {
        return new TrainerConfig(epochs, warmup, clip, 0.9, 0.999, epochs);
    }
}
