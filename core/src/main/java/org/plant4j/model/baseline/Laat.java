package org.plant4j.model.baseline;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BiLstm;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.Linear;
import org.plant4j.model.NetworkConfig;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/**
 * LAAT: a bidirectional LSTM, and label attention A = softmax(U tanh(W H)) over its hidden states.
 *
 * <p>Vu, Nguyen, Nguyen: A Label Attention Model for ICD Coding from Clinical Text, IJCAI 2020, equations 1 to 6; reference
 * implementation: <a href="https://github.com/aehrc/LAAT">LAAT</a>.
 */
public final class Laat extends LabelAttentionNetwork {

    /**
     * Sizes as in the paper.
     *
     * @param hidden u, the units per direction
     * @param projection d_a
     * @param nullTokens tokens with score and value 0 in the softmax; see {@link LabelAttention}
     * @param initialDeviation standard deviation of U and of the output weights at the start; the authors use 0.03, and a
     *     larger one helps with few documents, because attention then starts less uniform
     */
    public record Config(
            int embedding,
            int hidden,
            int projection,
            double dropout,
            int nullTokens,
            double initialDeviation,
            double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.atLeast(1, "projection", projection);
            Arguments.rate("dropout", dropout);
            Arguments.atLeast(0, "nullTokens", nullTokens);
            Arguments.atLeast(0.0, "initial_deviation", initialDeviation);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 8, 8, 0.1, 0, 0.03, -1);
        }

        @Override
        public boolean canStartFromRun() {
            return true;
        }

        @Override
        public Laat build(int vocabularySize, int labels, Compute compute) {
            return new Laat(this, vocabularySize, labels, compute);
        }
    }

    private final BiLstm lstm;
    private final Linear projection;
    private final Decoder decoder;

    Laat(Config config, int vocabularySize, int labels, Compute compute) {
        super(vocabularySize, config.embedding(), config.dropout(), labels, compute);
        int hiddenSize = 2 * config.hidden();
        lstm = submodule("lstm", new BiLstm(config.embedding(), config.hidden(), compute));
        projection = submodule("projection", new Linear(hiddenSize, config.projection(), false, compute));
        decoder = submodule(
                "",
                new Decoder(
                        labels,
                        config.projection(),
                        hiddenSize,
                        config.nullTokens(),
                        config.initialDeviation(),
                        config.initialBias(),
                        compute));
    }

    @Override
    Decoder decoder() {
        return decoder;
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor hiddenStates = batch.withoutUnknown(drop(lstm.forward(embed(batch), batch), batch)); // (B, T, 2u)
        return new Encoded(hiddenStates, Optional.of(torch.tanh(projection.forward(hiddenStates)))); // (B, T, d_a)
    }
}
