package org.plant4j.models;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.BiLstm;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Dropout;
import org.plant4j.nn.Embedding;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.LabelBias;
import org.plant4j.nn.LabelHead;
import org.plant4j.nn.Linear;
import org.plant4j.nn.Memory;
import org.plant4j.nn.SomeLabels;

/**
 * LAAT: a bidirectional LSTM whose states each label weighs by its own attention, A = softmax(U tanh(W H)).
 *
 * <p>Vu, Nguyen, Nguyen: A Label Attention Model for ICD Coding from Clinical Text, IJCAI 2020, equations 1 to 6.
 */
public final class Laat extends LabelNetwork {

    /**
     * Sizes as the paper names them: {@code hidden} is u, in each direction; {@code projection} is d_a. The authors draw U
     * and the output weights with a deviation of 0.03; the fewer the documents, the more a larger one helps attention to
     * leave its even start.
     */
    public record Config(
            int embedding, int hidden, int projection, double dropout, double initialDeviation, double initialBias)
            implements NetworkConfig {
        public Config {
            NetworkConfig.positive("embedding", embedding);
            NetworkConfig.positive("hidden", hidden);
            NetworkConfig.positive("projection", projection);
            NetworkConfig.dropout(dropout);
            if (!(initialDeviation >= 0)) {
                throw new IllegalArgumentException("initialDeviation: " + initialDeviation + " (expected: >= 0)");
            }
        }

        @Override
        public Laat build(int vocabulary, int labels, Compute compute) {
            return new Laat(this, vocabulary, labels, compute);
        }
    }

    private final Embedding words;
    private final Dropout dropout;
    private final BiLstm lstm;
    private final Linear projection;
    private final LabelAttention attention;
    private final LabelHead head;

    Laat(Config config, int vocabulary, int labels, Compute compute) {
        super(labels, compute);
        int states = 2 * config.hidden();
        words = part("embedding", new Embedding(vocabulary, config.embedding(), compute));
        dropout = new Dropout(config.dropout());
        lstm = part("lstm", new BiLstm(config.embedding(), config.hidden(), compute));
        projection = part("projection", new Linear(states, config.projection(), false, compute));
        attention =
                part("attention", new LabelAttention(labels, config.projection(), config.initialDeviation(), compute));
        head = part("head", new LabelHead(labels, states, config.initialDeviation(), config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return words;
    }

    @Override
    Encoding encode(Batch batch, Memory before) {
        Tensor embedded = dropout.forward(words.forward(batch.tokens()), batch); // (B, T, E)
        Tensor states = dropout.forward(lstm.forward(embedded, batch), batch); // (B, T, 2u)
        return Encoding.of(states, torch.tanh(projection.forward(states))); // and (B, T, d_a)
    }

    @Override
    Tensor decode(Batch batch, Encoding encoding, SomeLabels some) {
        return head.forward(encoding.part(0), attend(batch, encoding, some), some);
    }

    @Override
    Tensor attend(Batch batch, Encoding encoding, SomeLabels some) {
        return attention.forward(encoding.part(1), batch.mask(), some); // (B, T, L)
    }

    @Override
    LabelBias bias() {
        return head;
    }
}
