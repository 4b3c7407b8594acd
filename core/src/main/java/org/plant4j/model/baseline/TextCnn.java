package org.plant4j.model.baseline;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Convolution;
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
 * Text-CNN: convolutions of several widths over the tokens, the maximum of each filter over the document, and a linear
 * layer: c_i = f(w · x_{i:i+h} + b), z = [max_i c_i], y = W dropout(z) + b.
 *
 * <p>Kim: Convolutional Neural Networks for Sentence Classification, EMNLP 2014, equations 1 to 4 with one channel;
 * reference implementation: <a href="https://github.com/yoonkim/CNN_sentence">CNN_sentence</a>, with f = relu. The CNN of papers
 * on ICD coding is {@code VanillaConv} of <a href="https://github.com/jamesmullenbach/caml-mimic">CAML</a>: one width, f = tanh,
 * and dropout on the embeddings. Convolutions are padded, so that a document shorter than a filter has features too.
 */
public final class TextCnn extends LabelNetwork<TextCnn.Encoded> {

    /**
     * Sizes of the network.
     *
     * @param filters filters per width
     * @param kernels widths in tokens
     * @param activation of the convolutions
     * @param embeddingDropout applied to the embeddings
     * @param dropout applied to the pooled features
     */
    public record Config(
            int embedding,
            int filters,
            List<Integer> kernels,
            Activation activation,
            double embeddingDropout,
            double dropout,
            double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "filters", filters);
            kernels = List.copyOf(kernels);
            Arguments.check(!kernels.isEmpty(), "kernels", kernels, "at least one width");
            kernels.forEach(kernel -> Arguments.atLeast(1, "kernels", kernel));
            Arguments.rate("embedding_dropout", embeddingDropout);
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 12, List.of(1, 2, 3), Activation.RELU, 0.1, 0.1, -1);
        }

        @Override
        public TextCnn build(int vocabularySize, int labels, Compute compute) {
            return new TextCnn(this, vocabularySize, labels, compute);
        }
    }

    /** The nonlinearity of the convolutions. */
    public enum Activation {
        RELU,
        TANH;

        private Tensor apply(Tensor input) {
            return this == RELU ? torch.relu(input) : torch.tanh(input);
        }

        /** Its lower bound, which keeps padding from being the maximum. */
        private int minimum() {
            return this == RELU ? 0 : -1;
        }
    }

    /** Pooled features (B, F), and the tokens (B, F) at which the filters have their maximum. */
    public record Encoded(Tensor features, Tensor positions) implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(features), function.apply(positions));
        }
    }

    private final int featureCount;
    private final Activation activation;
    private final Embedding embedding;
    private final List<Convolution> convolutions;
    private final Dropout embeddingDropout;
    private final Dropout dropout;
    private final LabelHead head;

    TextCnn(Config config, int vocabularySize, int labels, Compute compute) {
        super(labels, compute);
        List<Integer> kernels = config.kernels();
        activation = config.activation();
        featureCount = config.filters() * kernels.size();
        embedding = submodule("embedding", new Embedding(vocabularySize, config.embedding(), compute));
        convolutions = IntStream.range(0, kernels.size())
                .mapToObj(i -> submodule(
                        "convolutions." + i,
                        new Convolution(config.embedding(), config.filters(), kernels.get(i), compute)))
                .toList();
        embeddingDropout = new Dropout(config.embeddingDropout());
        dropout = new Dropout(config.dropout());
        head = submodule(
                "head",
                new LabelHead(labels, featureCount, 1 / Math.sqrt(featureCount), config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor embedded = embeddingDropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        Tensor[] outputs = convolutions.stream()
                .map(convolution -> convolution.forward(embedded))
                .toArray(Tensor[]::new);
        Tensor features = activation.apply(torch.cat(new TensorVector(outputs), -1)); // (B, T, F)
        Tensor masked =
                features.masked_fill(batch.mask().logical_not().unsqueeze(-1), new Scalar(activation.minimum()));
        T_TensorTensor_T maximum = masked.max(1, false);
        return new Encoded(dropout.forward(maximum.get0(), batch), maximum.get1());
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return head.tokenLogits(encoding.features(), labels); // (B, L)
    }

    /** A logit is a sum over features: each positive summand counts for the token at which the feature was pooled. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor summands = head.tokenLogits(torch.diag_embed(encoding.features()), labels) // (B, F, L)
                .clamp_min(new Scalar(0));
        Tensor tokens = encoding.positions().unsqueeze(-1).expand_as(summands);
        return torch.zeros(new long[] {summands.size(0), batch.width(), summands.size(2)}, summands.options())
                .scatter_add(1, tokens, summands); // (B, T, L)
    }

    /** Evidence holds a number per feature and label. */
    @Override
    public int minTokensPerDocument() {
        return featureCount;
    }

    @Override
    public LabelBias bias() {
        return head;
    }
}
