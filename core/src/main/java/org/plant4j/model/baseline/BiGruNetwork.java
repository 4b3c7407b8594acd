package org.plant4j.model.baseline;

import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BiGru;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Bi-GRU: the last hidden states of both directions of a GRU, and a linear layer: y = W [h→_T; h←_1] + b.
 *
 * <p>The recurrent baseline of Mullenbach et al., NAACL 2018; reference implementation: {@code VanillaRNN} of <a
 * href="https://github.com/jamesmullenbach/caml-mimic">caml-mimic</a>. There the forward state runs on over the padding;
 * here it is the state at the last token, without the changes by unknown tokens, which are no evidence.
 */
public final class BiGruNetwork extends LabelNetwork<BiGruNetwork.Encoded> {

    /**
     * Sizes of the network.
     *
     * @param hidden units per direction
     * @param dropout applied to the embedded tokens and to the last states; the reference implementation has none
     */
    public record Config(int embedding, int hidden, double dropout, double initialBias) implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 12, 0, -1);
        }

        @Override
        public BiGruNetwork build(int vocabularySize, int labels, Compute compute) {
            return new BiGruNetwork(this, vocabularySize, labels, compute);
        }
    }

    /** The last states (B, 2H), and how much each token changes them (B, T, 2H). */
    public record Encoded(Tensor lastStates, Tensor changes) implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(lastStates), function.apply(changes));
        }
    }

    private final Embedding embedding;
    private final BiGru gru;
    private final Dropout dropout;
    private final LabelHead head;

    BiGruNetwork(Config config, int vocabularySize, int labels, Compute compute) {
        super(labels, compute);
        int size = 2 * config.hidden();
        embedding = submodule("embedding", new Embedding(vocabularySize, config.embedding(), compute));
        gru = submodule("gru", new BiGru(config.embedding(), config.hidden(), compute));
        dropout = new Dropout(config.dropout());
        head = submodule("head", new LabelHead(labels, size, 1 / Math.sqrt(size), config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor embedded = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        BiGru.States states = gru.forward(embedded, batch);
        Tensor mask = batch.mask().unsqueeze(-1);
        Tensor changes = torch.cat(
                new TensorVector(
                        changes(states.forward(), mask, 1), // from the token before
                        changes(states.backward(), mask, -1)), // from the token after
                -1);
        // The changes of all tokens add up to the last state. Those of padding and of unknown tokens do not count.
        changes = batch.withoutUnknown(changes.mul(mask));
        return new Encoded(dropout.forward(changes.sum(1L), batch), changes.detach());
    }

    /** h_t - h_(t - shift), where the state before the first token read is zero. */
    private static Tensor changes(Tensor states, Tensor mask, int shift) {
        Tensor real = states.mul(mask);
        Tensor padded = torch.constant_pad_nd(real, 0, 0, Math.max(shift, 0), Math.max(-shift, 0)); // (B, T + 1, H)
        return real.sub(padded.narrow(1, shift > 0 ? 0 : 1, states.size(1)));
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return head.tokenLogits(encoding.lastStates(), labels); // (B, L)
    }

    /** A logit is the sum over tokens of what their changes of the state add to it; positive summands count. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return head.tokenLogits(encoding.changes(), labels).clamp_min(new Scalar(0)); // (B, T, L)
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
