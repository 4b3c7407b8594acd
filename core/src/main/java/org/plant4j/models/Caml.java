package org.plant4j.models;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Convolution;
import org.plant4j.nn.Dropout;
import org.plant4j.nn.Embedding;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.LabelBias;
import org.plant4j.nn.LabelHead;
import org.plant4j.nn.Memory;
import org.plant4j.nn.SomeLabels;

/**
 * CAML: a convolution over the words whose outputs each label weighs by its own attention, A = softmax(Hᵀ u).
 *
 * <p>Mullenbach, Wiegreffe, Duke, Sun, Eisenstein: Explainable Prediction of Medical Codes from Clinical Text, NAACL
 * 2018, equations 1 to 5. The convolution keeps one output a token, so that evidence needs no realignment.
 */
public final class Caml extends LabelNetwork {

    public record Config(int embedding, int filters, int kernel, double dropout, double initialBias)
            implements NetworkConfig {
        public Config {
            NetworkConfig.positive("embedding", embedding);
            NetworkConfig.positive("filters", filters);
            NetworkConfig.positive("kernel", kernel);
            NetworkConfig.dropout(dropout);
        }

        @Override
        public Caml build(int vocabulary, int labels, Compute compute) {
            return new Caml(this, vocabulary, labels, compute);
        }
    }

    private final Embedding words;
    private final Dropout dropout;
    private final Convolution convolution;
    private final LabelAttention attention;
    private final LabelHead head;

    Caml(Config config, int vocabulary, int labels, Compute compute) {
        super(labels, compute);
        // Xavier for a (labels, filters) matrix would shrink with the label count; this keeps scores of order one.
        double deviation = 1 / Math.sqrt(config.filters());
        words = part("embedding", new Embedding(vocabulary, config.embedding(), compute));
        dropout = new Dropout(config.dropout());
        convolution =
                part("convolution", new Convolution(config.embedding(), config.filters(), config.kernel(), compute));
        attention = part("attention", new LabelAttention(labels, config.filters(), deviation, compute));
        head = part("head", new LabelHead(labels, config.filters(), deviation, config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return words;
    }

    @Override
    Encoding encode(Batch batch, Memory before) {
        Tensor embedded = dropout.forward(words.forward(batch.tokens()), batch); // (B, T, E)
        return Encoding.of(torch.tanh(convolution.forward(embedded))); // (B, T, filters)
    }

    @Override
    Tensor decode(Batch batch, Encoding encoding, SomeLabels some) {
        return head.forward(encoding.part(0), attend(batch, encoding, some), some);
    }

    @Override
    Tensor attend(Batch batch, Encoding encoding, SomeLabels some) {
        return attention.forward(encoding.part(0), batch.mask(), some); // (B, T, L)
    }

    @Override
    LabelBias bias() {
        return head;
    }
}
