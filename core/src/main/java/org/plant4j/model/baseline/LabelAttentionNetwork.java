package org.plant4j.model.baseline;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * A network with a token embedding, layers that a subclass adds, and one attention over the tokens per label:
 * a_l = softmax(K u_l), y_l = (Σ_j a_lj h_j) · w_l + b_l.
 */
public abstract class LabelAttentionNetwork extends LabelNetwork<LabelAttentionNetwork.Encoded> {

    private final Embedding embedding;
    private final Dropout dropout;

    LabelAttentionNetwork(int vocabularySize, int embeddingSize, double dropout, int labels, Compute compute) {
        super(labels, compute);
        embedding = submodule("embedding", new Embedding(vocabularySize, embeddingSize, compute));
        this.dropout = new Dropout(dropout);
    }

    /** Hidden states (B, T, H), and the keys (B, T, D) of the attention if these are not the hidden states themselves. */
    public record Encoded(Tensor hiddenStates, Optional<Tensor> projected) implements Encoding<Encoded> {

        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(hiddenStates), projected.map(function));
        }

        Tensor keys() {
            return projected.orElse(hiddenStates);
        }
    }

    /** The attention and the output weights of each label. */
    static final class Decoder extends Layer {

        private final LabelAttention attention;
        private final LabelHead head;

        Decoder(
                int labels,
                int keySize,
                int hiddenSize,
                int nullTokens,
                double standardDeviation,
                double initialBias,
                Compute compute) {
            attention =
                    submodule("attention", new LabelAttention(labels, keySize, standardDeviation, nullTokens, compute));
            head = submodule("head", new LabelHead(labels, hiddenSize, standardDeviation, initialBias, compute));
        }

        /** The output weights (L, H) of some labels. */
        Tensor headWeights(LabelSelection labels) {
            return head.weight(labels);
        }
    }

    /** Created by the subclass after its other layers, and adopted under the empty name. */
    abstract Decoder decoder();

    /** Embedded tokens (B, T, E) after dropout. */
    final Tensor embed(Batch batch) {
        return drop(embedding.forward(batch.tokens()), batch);
    }

    final Tensor drop(Tensor features, Batch batch) {
        return dropout.forward(features, batch);
    }

    @Override
    public final Embedding embedding() {
        return embedding;
    }

    @Override
    public final Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return decoder().head.forward(encoding.hiddenStates(), attentionWeights(batch, encoding, labels), labels);
    }

    @Override
    protected final boolean encodesTokens() {
        return true;
    }

    @Override
    public boolean supportsPaddedLabels() {
        return true;
    }

    /** A token's positive summand of the logit. */
    @Override
    public final Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return attentionWeights(batch, encoding, labels)
                .mul(decoder().head.tokenLogits(encoding.hiddenStates(), labels))
                .clamp_min(new Scalar(0));
    }

    @Override
    public final List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    @Override
    public final Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return decoder().attention.forward(encoding.keys(), batch, labels); // (B, T, L)
    }

    @Override
    public final LabelBias bias() {
        return decoder().head;
    }
}
