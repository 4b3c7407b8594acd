package org.plant4j.model.baseline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BatchNorm;
import org.plant4j.layer.Convolution;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.model.EncodedDocuments;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * EffectiveCAN: a stack of residual convolutions with squeeze-and-excitation, and label attention over the outputs of all
 * blocks. Each block is projected to the size of the embedding. Sum-pooling attention attends to the sum of the blocks;
 * multi-layer attention attends to each block, and the views are concatenated.
 *
 * <p>Liu, Cheng, Klopfer, Gormley, Schaaf: Effective Convolutional Attention Network for Multi-label Clinical Document
 * Classification, EMNLP 2021, section 3. The authors have published no code, so layer order and sizes are this
 * implementation's. Padding is set to zero before each convolution and excluded from normalization and squeeze.
 */
public final class EffectiveCan extends LabelNetwork<EncodedDocuments> {

    /** Which hidden states labels attend to. */
    public enum Attention {
        SUM_POOLING,
        MULTI_LAYER
    }

    /**
     * Sizes of the network.
     *
     * @param filters outputs of each block, first block first
     * @param kernel width in tokens
     * @param reduction factor by which squeeze-and-excitation reduces the number of features
     */
    public record Config(
            int embedding,
            List<Integer> filters,
            int kernel,
            int reduction,
            Attention attention,
            double dropout,
            double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            filters = List.copyOf(filters);
            Arguments.check(!filters.isEmpty(), "filters", filters, "at least one block");
            filters.forEach(size -> Arguments.atLeast(1, "filters", size));
            Arguments.atLeast(1, "kernel", kernel);
            Arguments.atLeast(1, "reduction", reduction);
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, List.of(12, 8), 3, 2, Attention.SUM_POOLING, 0, -1);
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        @Override
        public EffectiveCan build(int vocabularySize, int labels, Compute compute) {
            return new EffectiveCan(this, vocabularySize, labels, compute);
        }
    }

    /** Two convolutions, squeeze-and-excitation and a shortcut: y = tanh(z · σ(W₂ relu(W₁ mean(z))) + c(x)). */
    private static final class Block extends Layer {

        private final Convolution first;
        private final BatchNorm firstNorm;
        private final Convolution second;
        private final BatchNorm secondNorm;
        private final Linear squeeze;
        private final Linear excite;
        private final Convolution shortcut;
        private final BatchNorm shortcutNorm;

        Block(int in, int out, int kernel, int reduction, Compute compute) {
            int reduced = Math.max(1, out / reduction);
            first = submodule("first", new Convolution(in, out, kernel, false, compute));
            firstNorm = submodule("first_norm", new BatchNorm(out, compute));
            second = submodule("second", new Convolution(out, out, kernel, false, compute));
            secondNorm = submodule("second_norm", new BatchNorm(out, compute));
            squeeze = submodule("squeeze", new Linear(out, reduced, true, compute));
            excite = submodule("excite", new Linear(reduced, out, true, compute));
            shortcut = submodule("shortcut", new Convolution(in, out, 1, false, compute));
            shortcutNorm = submodule("shortcut_norm", new BatchNorm(out, compute));
        }

        /** (B, T, in) to (B, T, out), zero at padding. */
        Tensor forward(Tensor x, Batch batch) {
            Tensor mask = batch.mask().unsqueeze(-1);
            Tensor hidden =
                    torch.tanh(firstNorm.forward(first.forward(x), batch)).mul(mask);
            Tensor features = secondNorm.forward(second.forward(hidden), batch).mul(mask);
            Tensor lengths = mask.sum(new long[] {1}, true, new ScalarTypeOptional()); // (B, 1, 1)
            Tensor mean = features.sum(new long[] {1}, true, new ScalarTypeOptional())
                    .div(lengths.clamp_min(new Scalar(1))); // (B, 1, out)
            Tensor scales = torch.sigmoid(excite.forward(torch.relu(squeeze.forward(mean))));
            Tensor residual = shortcutNorm.forward(shortcut.forward(x), batch);
            return torch.tanh(features.mul(scales).add(residual)).mul(mask);
        }
    }

    private final Config config;
    private final Embedding embedding;
    private final Dropout dropout;
    private final List<Block> blocks = new ArrayList<>();
    private final List<Linear> projections = new ArrayList<>();
    private final List<LabelAttention> attentions = new ArrayList<>(); // one, or one per block
    private final LabelHead head;

    EffectiveCan(Config config, int vocabularySize, int labels, Compute compute) {
        super(labels, compute);
        this.config = config;
        int size = config.embedding();
        embedding = submodule("embedding", new Embedding(vocabularySize, size, compute));
        dropout = new Dropout(config.dropout());
        int in = size;
        for (int out : config.filters()) {
            String path = "blocks." + blocks.size();
            blocks.add(submodule(path, new Block(in, out, config.kernel(), config.reduction(), compute)));
            projections.add(submodule(path + ".projection", new Linear(out, size, false, compute)));
            in = out;
        }
        int views = config.attention() == Attention.SUM_POOLING ? 1 : blocks.size();
        double deviation = 1 / Math.sqrt(size);
        for (int i = 0; i < views; i++) {
            attentions.add(submodule("attentions." + i, new LabelAttention(labels, size, deviation, compute)));
        }
        head = submodule("head", new LabelHead(labels, views * size, deviation, config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    /** The queries of a label start from its description. */
    @Override
    public void setDescriptions(List<int[]> descriptions) {
        attentions.forEach(attention -> DescriptionMeans.copy(descriptions, embedding, attention.queries(), compute()));
    }

    /** Hidden states (B, T, E) of sum-pooling attention, or those of all blocks concatenated (B, T, blocks · E). */
    @Override
    public EncodedDocuments encode(Batch batch, EncoderState before) {
        Tensor x = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        Tensor[] projected = new Tensor[blocks.size()];
        for (int i = 0; i < projected.length; i++) {
            x = dropout.forward(blocks.get(i).forward(x, batch), batch);
            projected[i] = projections.get(i).forward(x);
        }
        Tensor hiddenStates = config.attention() == Attention.SUM_POOLING
                ? Arrays.stream(projected).reduce(Tensor::add).orElseThrow()
                : torch.cat(new TensorVector(projected), -1);
        return new EncodedDocuments(batch.withoutUnknown(hiddenStates));
    }

    /** One of the tensors that are concatenated in {@code all}, (…, E). */
    private Tensor view(Tensor all, int index) {
        return all.narrow(-1, (long) index * config.embedding(), config.embedding());
    }

    private Tensor attention(Batch batch, EncodedDocuments encoding, LabelSelection labels, int view) {
        return attentions.get(view).forward(view(encoding.hiddenStates(), view), batch.mask(), labels); // (B, T, L)
    }

    @Override
    public Tensor decode(Batch batch, EncodedDocuments encoding, LabelSelection labels) {
        Tensor weight = head.weight(labels); // (L, views · E)
        return sumOverViews(view -> LabelHead.logits(
                view(encoding.hiddenStates(), view), attention(batch, encoding, labels, view), view(weight, view)));
    }

    /** A token's positive summand of the logit. */
    @Override
    public Tensor evidenceWeights(Batch batch, EncodedDocuments encoding, LabelSelection labels) {
        Tensor weight = head.weight(labels);
        return sumOverViews(view -> torch.matmul(
                                view(encoding.hiddenStates(), view),
                                view(weight, view).t())
                        .mul(attention(batch, encoding, labels, view)))
                .clamp_min(new Scalar(0));
    }

    /** The mean over the views. */
    @Override
    public Tensor attentionWeights(Batch batch, EncodedDocuments encoding, LabelSelection labels) {
        return sumOverViews(view -> attention(batch, encoding, labels, view)).div(new Scalar(attentions.size()));
    }

    private Tensor sumOverViews(IntFunction<Tensor> function) {
        return IntStream.range(0, attentions.size())
                .mapToObj(function)
                .reduce(Tensor::add)
                .orElseThrow();
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    @Override
    public LabelBias bias() {
        return head;
    }

    @Override
    public int bytesPerLabelAndToken() {
        return 16 * attentions.size();
    }
}
