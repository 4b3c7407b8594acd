package org.plant4j.model.baseline;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BiLstm;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.LabelIndex;
import org.plant4j.train.Loss;

/**
 * JointLAAT: LAAT at two levels of the code hierarchy. The first level predicts categories, such as the first three
 * characters of an ICD code; its projected scores p = σ(P σ(y⁰)) are appended to the view of every code at the second level.
 * Both levels are trained together.
 *
 * <p>Vu, Nguyen, Nguyen: A Label Attention Model for ICD Coding from Clinical Text, IJCAI 2020, section 3.5; reference
 * implementation: <a href="https://github.com/aehrc/LAAT">LAAT</a>, {@code src/models/attentions}. The paper weights the loss
 * of each level by its number of labels; that is the sum over the labels of both levels, up to a constant.
 */
public final class JointLaat extends LabelNetwork<JointLaat.Encoded> {

    /**
     * Sizes of the network.
     *
     * @param hidden units per direction
     * @param projection size of the attention keys of each level
     * @param categories size of the projected category scores
     */
    public record Config(
            int embedding,
            int hidden,
            int projection,
            int categories,
            double dropout,
            double initialDeviation,
            double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.atLeast(1, "projection", projection);
            Arguments.atLeast(1, "categories", categories);
            Arguments.rate("dropout", dropout);
            Arguments.atLeast(0.0, "initial_deviation", initialDeviation);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 8, 8, 4, 0.1, 0.03, -1);
        }

        /** Without codes, every label is a category of its own. */
        @Override
        public JointLaat build(int vocabularySize, int labels, Compute compute) {
            return new JointLaat(
                    this, vocabularySize, IntStream.range(0, labels).toArray(), compute);
        }

        @Override
        public JointLaat build(int vocabularySize, LabelIndex labels, Compute compute) {
            return new JointLaat(
                    this, vocabularySize, CodeSystem.categories(labels.codes().subList(0, labels.size())), compute);
        }
    }

    /** Hidden states (B, T, H), keys (B, T, D) of the codes' attention, and logits (B, C) of the categories. */
    public record Encoded(Tensor hiddenStates, Tensor keys, Tensor categoryLogits) implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(hiddenStates), function.apply(keys), function.apply(categoryLogits));
        }
    }

    /** The attention and the output weights of one level. */
    private static final class Level extends Layer {

        private final Linear projection;
        private final LabelAttention attention;
        private final LabelHead head;

        Level(Config config, int labels, Compute compute) {
            int hiddenSize = 2 * config.hidden();
            double deviation = config.initialDeviation();
            projection = submodule("projection", new Linear(hiddenSize, config.projection(), false, compute));
            attention = submodule("attention", new LabelAttention(labels, config.projection(), deviation, compute));
            head = submodule("head", new LabelHead(labels, hiddenSize, deviation, config.initialBias(), compute));
        }

        Tensor keys(Tensor hiddenStates) {
            return torch.tanh(projection.forward(hiddenStates)); // (B, T, D)
        }
    }

    private final int[] categories;
    private final Embedding embedding;
    private final Dropout dropout;
    private final BiLstm lstm;
    private final Level categoryLevel;
    private final Level codeLevel;
    private final Linear categoryProjection;
    private final Tensor categoryWeight; // (L, P)

    JointLaat(Config config, int vocabularySize, int[] categories, Compute compute) {
        super(categories.length, compute);
        this.categories = categories;
        int count = Arrays.stream(categories).max().orElse(-1) + 1;
        embedding = submodule("embedding", new Embedding(vocabularySize, config.embedding(), compute));
        dropout = new Dropout(config.dropout());
        lstm = submodule("lstm", new BiLstm(config.embedding(), config.hidden(), compute));
        categoryLevel = submodule("category_level", new Level(config, count, compute));
        codeLevel = submodule("code_level", new Level(config, categories.length, compute));
        categoryProjection = submodule("category_projection", new Linear(count, config.categories(), false, compute));
        categoryWeight = parameter(
                "category_head.weight",
                compute,
                Init.normal(config.initialDeviation()),
                categories.length,
                config.categories());
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor embedded = dropout.forward(embedding.forward(batch.tokens()), batch); // (B, T, E)
        Tensor hiddenStates = batch.withoutUnknown(dropout.forward(lstm.forward(embedded, batch), batch)); // (B, T, H)
        Tensor attention =
                categoryLevel.attention.forward(categoryLevel.keys(hiddenStates), batch.mask(), LabelSelection.ALL);
        Tensor categoryLogits = categoryLevel
                .head
                .forward(hiddenStates, attention, LabelSelection.ALL)
                .add(categoryLevel.head.bias(LabelSelection.ALL));
        return new Encoded(hiddenStates, codeLevel.keys(hiddenStates), categoryLogits);
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor attention = attentionWeights(batch, encoding, labels);
        Tensor projected =
                torch.sigmoid(categoryProjection.forward(torch.sigmoid(encoding.categoryLogits()))); // (B, P)
        return codeLevel
                .head
                .forward(encoding.hiddenStates(), attention, labels)
                .add(torch.matmul(projected, labels.select(categoryWeight).t())); // (B, L)
    }

    /** A token's positive summand of the logit; categories have no part in it. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return attentionWeights(batch, encoding, labels)
                .mul(codeLevel.head.tokenLogits(encoding.hiddenStates(), labels))
                .clamp_min(new Scalar(0));
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return codeLevel.attention.forward(encoding.keys(), batch.mask(), labels); // (B, T, L)
    }

    /** The loss of the categories; a document has a category if it has one of its codes. */
    @Override
    public Optional<Tensor> auxiliaryLoss(Encoded encoding, Tensor targets, Loss loss) {
        Tensor index = compute()
                .toDevice(Tensor.create(Arrays.stream(categories).asLongStream().toArray()));
        Tensor categoryTargets = torch.zeros(encoding.categoryLogits().sizes(), targets.options())
                .index_add_(1, index, targets)
                .clamp_max_(new Scalar(1)); // (B, C)
        Tensor logits = encoding.categoryLogits().to(torch.ScalarType.Float);
        return Optional.of(loss.compute(logits, categoryTargets, loss.positiveWeight(categoryTargets)));
    }

    @Override
    public LabelBias bias() {
        return codeLevel.head;
    }
}
