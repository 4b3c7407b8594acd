package org.plant4j.model.baseline;

import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Linear;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.Encoding;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * PLM-ICD: a pretrained encoder reads a document in segments, and LAAT's label attention A = softmax(U tanh(V H)) reads the
 * hidden states H of all segments together.
 *
 * <p>Huang, Tsai, Chen: PLM-ICD: Automatic ICD Coding with Pretrained Language Models, ClinicalNLP 2022, section 3;
 * reference implementation: <a href="https://github.com/MiuLab/PLM-ICD">PLM-ICD</a>, {@code src/modeling_roberta.py}. There a
 * document has one begin and one end token and is cut after 3,072 tokens, and its padding takes part in the softmax. Here
 * every segment has both tokens, whose hidden states are left out, no document is cut, and padding is masked.
 */
public final class PlmIcd extends EncoderNetwork<PlmIcd.Encoded> {

    /**
     * Settings of the network.
     *
     * @param encoder its {@code window} is the length of a segment, its {@code overlap} 0 in the paper
     * @param projection size of the attention keys; the authors use the hidden size
     * @param dropout applied to the hidden states of the encoder; the authors use none
     * @param initialDeviation standard deviation of U and of the output weights at the start
     */
    public record Config(
            EncoderConfig encoder, int projection, double dropout, double initialDeviation, double initialBias)
            implements EncoderNetworkConfig {
        public Config {
            Arguments.atLeast(1, "projection", projection);
            Arguments.rate("dropout", dropout);
            Arguments.atLeast(0.0, "initial_deviation", initialDeviation);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(new EncoderConfig.BiLstm(12, 8, 0.1), 8, 0.1, 0.03, -1);
        }

        @Override
        public boolean canStartFromRun() {
            return true;
        }

        @Override
        public PlmIcd build(int vocabularySize, int labels, Compute compute) {
            return new PlmIcd(this, vocabularySize, labels, compute);
        }
    }

    /** Hidden states (B, T, H) and keys (B, T, D) of the attention. */
    public record Encoded(Tensor hiddenStates, Tensor keys) implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(hiddenStates), function.apply(keys));
        }
    }

    private final Linear projection;
    private final LabelAttention attention;
    private final LabelHead head;

    PlmIcd(Config config, int vocabularySize, int labels, Compute compute) {
        super(config, false, config.dropout(), vocabularySize, labels, compute);
        double deviation = config.initialDeviation();
        projection = submodule("projection", new Linear(hiddenSize(), config.projection(), false, compute));
        attention = submodule("attention", new LabelAttention(labels, config.projection(), deviation, compute));
        head = submodule("head", new LabelHead(labels, hiddenSize(), deviation, config.initialBias(), compute));
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor hiddenStates = hiddenStates(batch); // (B, T, H)
        return new Encoded(hiddenStates, torch.tanh(projection.forward(hiddenStates)));
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return head.forward(encoding.hiddenStates(), attentionWeights(batch, encoding, labels), labels); // (B, L)
    }

    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return attention.forward(encoding.keys(), batch.mask(), labels); // (B, T, L)
    }

    /** A token's positive summand of the logit. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return attentionWeights(batch, encoding, labels)
                .mul(head.tokenLogits(encoding.hiddenStates(), labels))
                .clamp_min(new Scalar(0));
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
