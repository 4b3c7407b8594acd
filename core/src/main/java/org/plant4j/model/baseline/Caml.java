package org.plant4j.model.baseline;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Convolution;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.model.EncodedDocuments;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * CAML: a convolution over the words whose outputs each label weighs by its own attention, A = softmax(Hᵀ u).
 *
 * <p>Mullenbach, Wiegreffe, Duke, Sun, Eisenstein: Explainable Prediction of Medical Codes from Clinical Text, NAACL
 * 2018, equations 1 to 5. The convolution keeps one output a token, so that evidence needs no realignment.
 */
public final class Caml extends LabelNetwork<EncodedDocuments> {

    public record Config(int embedding, int filters, int kernel, double dropout, double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "filters", filters);
            Arguments.atLeast(1, "kernel", kernel);
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 16, 4, 0.1, -1);
        }

        @Override
        public Caml build(int vocabulary, int labels, Compute compute) {
            return new Caml(this, vocabulary, labels, compute);
        }
    }

    private final Embedding embedding;
    private final Dropout dropout;
    private final Convolution convolution;
    private final LabelAttention attention;
    private final LabelHead head;

    Caml(Config config, int vocabulary, int labels, Compute compute) {
        super(labels, compute);
        // Xavier for a (labels, filters) matrix would shrink with the label count; this keeps scores of order one.
        double deviation = 1 / Math.sqrt(config.filters());
        embedding = submodule("embedding", new Embedding(vocabulary, config.embedding(), compute));
        dropout = new Dropout(config.dropout());
        convolution = submodule(
                "convolution", new Convolution(config.embedding(), config.filters(), config.kernel(), compute));
        attention = submodule("attention", new LabelAttention(labels, config.filters(), deviation, compute));
        head = submodule("head", new LabelHead(labels, config.filters(), deviation, config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public EncodedDocuments encode(Batch batch, EncoderState before) {
        Tensor embedded = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        return new EncodedDocuments(torch.tanh(convolution.forward(embedded))); // (B, T, filters)
    }

    @Override
    public Tensor decode(Batch batch, EncodedDocuments encoding, LabelSelection some) {
        return head.forward(encoding.hiddenStates(), evidenceWeights(batch, encoding, some), some);
    }

    @Override
    public Tensor evidenceWeights(Batch batch, EncodedDocuments encoding, LabelSelection some) {
        return attention.forward(encoding.hiddenStates(), batch.mask(), some); // (B, T, L)
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
