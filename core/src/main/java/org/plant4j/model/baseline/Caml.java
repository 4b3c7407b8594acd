package org.plant4j.model.baseline;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Convolution;
import org.plant4j.layer.LabelAttention;
import org.plant4j.model.NetworkConfig;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/**
 * CAML: a convolution over the tokens, and label attention a_l = softmax(H u_l) over its outputs.
 *
 * <p>Mullenbach, Wiegreffe, Duke, Sun, Eisenstein: Explainable Prediction of Medical Codes from Clinical Text, NAACL 2018,
 * equations 1 to 5; reference implementation: <a href="https://github.com/jamesmullenbach/caml-mimic">caml-mimic</a>. The
 * convolution is padded to one output per token, so that evidence needs no realignment.
 */
public final class Caml extends LabelAttentionNetwork {

    /** {@code nullTokens} have score and value 0 in the softmax; see {@link LabelAttention}. */
    public record Config(int embedding, int filters, int kernel, double dropout, int nullTokens, double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "filters", filters);
            Arguments.atLeast(1, "kernel", kernel);
            Arguments.rate("dropout", dropout);
            Arguments.atLeast(0, "nullTokens", nullTokens);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 16, 4, 0.1, 0, -1);
        }

        @Override
        public boolean canStartFromRun() {
            return true;
        }

        @Override
        public Caml build(int vocabularySize, int labels, Compute compute) {
            return new Caml(this, vocabularySize, labels, compute);
        }
    }

    private final Convolution convolution;
    private final Decoder decoder;

    Caml(Config config, int vocabularySize, int labels, Compute compute) {
        super(vocabularySize, config.embedding(), config.dropout(), labels, compute);
        int filters = config.filters();
        convolution = submodule("convolution", new Convolution(config.embedding(), filters, config.kernel(), compute));
        // Xavier for a (labels, filters) matrix would shrink with the number of labels; this keeps scores of order one.
        double standardDeviation = 1 / Math.sqrt(filters);
        decoder = submodule(
                "",
                new Decoder(
                        labels,
                        filters,
                        filters,
                        config.nullTokens(),
                        standardDeviation,
                        config.initialBias(),
                        compute));
    }

    @Override
    Decoder decoder() {
        return decoder;
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor hiddenStates = batch.withoutUnknown(torch.tanh(convolution.forward(embed(batch)))); // (B, T, filters)
        return new Encoded(hiddenStates, Optional.empty());
    }
}
