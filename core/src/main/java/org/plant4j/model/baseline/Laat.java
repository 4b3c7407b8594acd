package org.plant4j.model.baseline;

import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BiLstm;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Linear;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * LAAT: a bidirectional LSTM whose states each label weighs by its own attention, A = softmax(U tanh(W H)).
 *
 * <p>Vu, Nguyen, Nguyen: A Label Attention Model for ICD Coding from Clinical Text, IJCAI 2020, equations 1 to 6.
 */
public final class Laat extends LabelNetwork<Laat.Encoded> {

    /**
     * Sizes as the paper names them: {@code hidden} is u, in each direction; {@code projection} is d_a. The authors draw U
     * and the output weights with a deviation of 0.03; the fewer the documents, the more a larger one helps attention to
     * leave its even start.
     */
    public record Config(
            int embedding, int hidden, int projection, double dropout, double initialDeviation, double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.atLeast(1, "projection", projection);
            Arguments.rate("dropout", dropout);
            if (!(initialDeviation >= 0)) {
                throw new IllegalArgumentException("initialDeviation: " + initialDeviation + " (expected: >= 0)");
            }
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 8, 8, 0.1, 0.03, -1);
        }

        @Override
        public Laat build(int vocabulary, int labels, Compute compute) {
            return new Laat(this, vocabulary, labels, compute);
        }
    }

    private final Embedding embedding;
    private final Dropout dropout;
    private final BiLstm lstm;
    private final Linear projection;
    private final LabelAttention attention;
    private final LabelHead head;

    Laat(Config config, int vocabulary, int labels, Compute compute) {
        super(labels, compute);
        int states = 2 * config.hidden();
        embedding = submodule("embedding", new Embedding(vocabulary, config.embedding(), compute));
        dropout = new Dropout(config.dropout());
        lstm = submodule("lstm", new BiLstm(config.embedding(), config.hidden(), compute));
        projection = submodule("projection", new Linear(states, config.projection(), false, compute));
        attention = submodule(
                "attention", new LabelAttention(labels, config.projection(), config.initialDeviation(), compute));
        head = submodule(
                "head", new LabelHead(labels, states, config.initialDeviation(), config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    /** Hidden states (B, T, H) and their projection for attention, (B, T, d_a). */
    public record Encoded(Tensor hiddenStates, Tensor projected) implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(hiddenStates), function.apply(projected));
        }
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor embedded = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        Tensor states = dropout.forward(lstm.forward(embedded, batch), batch); // (B, T, 2u)
        return new Encoded(states, torch.tanh(projection.forward(states)));
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection some) {
        return head.forward(encoding.hiddenStates(), evidenceWeights(batch, encoding, some), some);
    }

    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection some) {
        return attention.forward(encoding.projected(), batch.mask(), some); // (B, T, L)
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
