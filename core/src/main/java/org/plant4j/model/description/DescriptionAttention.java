package org.plant4j.model.description;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.FusedLinear;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.layer.ZeroShotBias;
import org.plant4j.layer.ZeroShotMask;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.Encoding;
import org.plant4j.model.EvidenceWeights;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.plant.PlantedConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.LabelIndex;
import org.plant4j.train.GradientCheckpoint;
import org.plant4j.train.RowEncoder;

/**
 * Label description attention: each token of a label's description attends to the tokens of the document, and the
 * attended values sum to the label's logit. Documents and descriptions share one encoder.
 *
 * <p>Chapman, Neumann: Automatic ICD Code Classification with Label Description Attention Mechanism, IberLEF 2020,
 * section 4. The paper has no equations; those of this implementation, with h_j the hidden states of a window's tokens
 * and k_lm those of the description of label l, are: a_jlm = softmax over j of s cos(K h_j, Q k_lm), logit_l = Σ_m β_lm
 * Σ_j a_jlm (V h_j · W k_lm) / √d + b_l, β_lm = softmax over m of g · k_lm. Q is initialised as K and W as V, so that a
 * description token initially attends to tokens similar to itself; the cosine and the scale s make this independent of
 * the norm of the hidden states. With {@code labelAttention}, the term Σ_j softmax_j(h_j · u_l) (h_j · w_l) is added,
 * which does not depend on the description, because documents often express frequent codes in other words.
 *
 * <p>A zero-shot label has neither that term nor a b_l, but the bias that all zero-shot labels share; see {@link
 * ZeroShotMask}.
 */
public final class DescriptionAttention extends EncoderNetwork<DescriptionAttention.Encoded> {

    /**
     * Settings of the network.
     *
     * @param projection d
     * @param sharpness the initial value of s
     * @param labelAttention whether labels also have attention that does not depend on their descriptions
     * @param lexical whether a token's embedding is concatenated to its hidden state
     * @param window tokens per window
     * @param overlap tokens that adjacent windows share
     * @param batching whether all windows are encoded, not only the first
     * @param labelTokens maximum number of description tokens
     * @param checkpointTokens padded tokens, of documents and of descriptions each, above which training uses gradient
     *     checkpointing
     * @param zeroShotRate fraction of the labels that each training step treats as zero-shot labels
     * @param planted initial values of the label attention; requires {@code labelAttention}
     */
    public record Config(
            EncoderConfig encoder,
            int projection,
            double sharpness,
            boolean labelAttention,
            boolean lexical,
            double dropout,
            double initialDeviation,
            double initialBias,
            int window,
            int overlap,
            boolean batching,
            int labelTokens,
            int checkpointTokens,
            double zeroShotRate,
            Optional<PlantedConfig> planted)
            implements EncoderNetworkConfig {

        public Config {
            Arguments.atLeast(1, "projection", projection);
            Arguments.positive("sharpness", sharpness);
            Arguments.rate("dropout", dropout);
            Arguments.atLeast(0.0, "initial_deviation", initialDeviation);
            new DocumentBatching(window, overlap, batching).requireFits(encoder);
            Arguments.atLeast(1, "label_tokens", labelTokens);
            Arguments.atLeast(1, "checkpoint_tokens", checkpointTokens);
            Arguments.rate("zero_shot_rate", zeroShotRate);
            Arguments.check(
                    planted.isEmpty() || labelAttention, "labelAttention", labelAttention, "true, since it is planted");
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return builder(new EncoderConfig.BiLstm(12, 8, 0.1))
                    .projection(8)
                    .dropout(0.1)
                    .windows(6, 2)
                    .labelTokens(4)
                    .build();
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        @Override
        public boolean usesRelevance() {
            return planted.isPresent() && planted.get().hasPlantedSources();
        }

        @Override
        public Optional<RankModel.Config> rankModel() {
            return planted.flatMap(PlantedConfig::rankModel);
        }

        @Override
        public boolean supportsZeroShot() {
            return true;
        }

        @Override
        public DescriptionAttention build(int vocabularySize, int labels, Compute compute) {
            return build(vocabularySize, labels, labels, compute);
        }

        @Override
        public DescriptionAttention build(int vocabularySize, LabelIndex labels, Compute compute) {
            return build(vocabularySize, labels.trainedCount(), labels.size(), compute);
        }

        DescriptionAttention build(int vocabularySize, int trained, int labels, Compute compute) {
            return new DescriptionAttention(
                    this, vocabularySize, new ZeroShotMask(trained, labels, zeroShotRate, compute), compute);
        }

        public static Builder builder(EncoderConfig encoder) {
            return new Builder(encoder);
        }

        /** Builds a config by name, starting from the values of a small network. */
        public static final class Builder {

            private final EncoderConfig encoder;
            private int projection = 1;
            private double sharpness = 8;
            private boolean labelAttention = true;
            private boolean lexical = true;
            private double dropout;
            private double initialDeviation = 0.03;
            private double initialBias = -1;
            private int window = 1;
            private int overlap;
            private boolean batching = true;
            private int labelTokens = 1;
            private int checkpointTokens = 4096;
            private double zeroShotRate;
            private Optional<PlantedConfig> planted = Optional.empty();

            private Builder(EncoderConfig encoder) {
                this.encoder = encoder;
            }

            public Builder projection(int value) {
                projection = value;
                return this;
            }

            public Builder sharpness(double value) {
                sharpness = value;
                return this;
            }

            public Builder labelAttention(boolean value) {
                labelAttention = value;
                return this;
            }

            public Builder lexical(boolean value) {
                lexical = value;
                return this;
            }

            public Builder dropout(double value) {
                dropout = value;
                return this;
            }

            public Builder initialDeviation(double value) {
                initialDeviation = value;
                return this;
            }

            public Builder initialBias(double value) {
                initialBias = value;
                return this;
            }

            /** Windows of {@code length} tokens, of which adjacent ones share {@code shared}. */
            public Builder windows(int length, int shared) {
                window = length;
                overlap = shared;
                return this;
            }

            public Builder batching(boolean value) {
                batching = value;
                return this;
            }

            public Builder labelTokens(int value) {
                labelTokens = value;
                return this;
            }

            public Builder checkpointTokens(int value) {
                checkpointTokens = value;
                return this;
            }

            public Builder zeroShotRate(double value) {
                zeroShotRate = value;
                return this;
            }

            public Builder planted(PlantedConfig value) {
                planted = Optional.of(value);
                return this;
            }

            public Config build() {
                return new Config(
                        encoder,
                        projection,
                        sharpness,
                        labelAttention,
                        lexical,
                        dropout,
                        initialDeviation,
                        initialBias,
                        window,
                        overlap,
                        batching,
                        labelTokens,
                        checkpointTokens,
                        zeroShotRate,
                        planted);
            }
        }
    }

    private final Config config;
    private final DocumentBatching batching;
    private final Tensor sharpness; // (1)
    private final FusedLinear keysAndValues;
    private final Linear queries;
    private final Linear weights;
    private final Linear importance;
    private final @Nullable LabelAttentionBranch labelBranch;
    private final ZeroShotBias bias;
    private final ZeroShotMask zeroShotMask;
    private final RowEncoder documentEncoder;
    private final EncodedDescriptions descriptionEncoder;

    DescriptionAttention(Config config, int vocabularySize, ZeroShotMask zeroShotMask, Compute compute) {
        super(config, config.lexical(), config.dropout(), vocabularySize, zeroShotMask.labels(), compute);
        this.config = config;
        this.zeroShotMask = zeroShotMask;
        batching = new DocumentBatching(config.window(), config.overlap(), config.batching());
        int width = hiddenSize();
        int size = config.projection();
        sharpness = parameter("sharpness", compute, Init.constant(config.sharpness()), 1);
        Linear keys = submodule("keys", new Linear(width, size, false, compute));
        queries = submodule("queries", new Linear(width, size, false, compute));
        Linear values = submodule("values", new Linear(width, size, false, compute));
        weights = submodule("weights", new Linear(width, size, false, compute));
        keysAndValues = submodule("keys_and_values", new FusedLinear(keys, values));
        importance = submodule("importance", new Linear(width, 1, false, compute));
        queries.copyFrom(keys);
        weights.copyFrom(values);
        labelBranch = config.labelAttention()
                ? submodule(
                        "own",
                        new LabelAttentionBranch(
                                config.planted(),
                                vocabularySize,
                                zeroShotMask.trainedLabels(),
                                width,
                                config.initialDeviation(),
                                compute))
                : null;
        bias = submodule("head", new ZeroShotBias(zeroShotMask, config.initialBias(), compute));
        documentEncoder = new RowEncoder(
                (rows, training) -> hiddenStates(RowEncoder.batch(rows, training, compute)),
                config.checkpointTokens(),
                compute);
        descriptionEncoder = new EncodedDescriptions(
                new RowEncoder(
                        (rows, training) -> encodeDescriptions(Batch.of(rows, compute)),
                        config.checkpointTokens(),
                        compute),
                config.labelTokens());
    }

    @Override
    public void setDescriptions(List<int[]> descriptions) {
        Arguments.check(descriptions.size() == labels(), "descriptions", descriptions.size(), String.valueOf(labels()));
        descriptionEncoder.setDescriptions(descriptions);
    }

    @Override
    public void plant(Relevance relevance, Optional<RankModel> ranker) {
        if (labelBranch != null) {
            labelBranch.plant(relevance, ranker);
        }
    }

    /**
     * Queries, values and token weights of descriptions: (n, M, d + d + 1). Computed without dropout; padding has
     * weight 0.
     */
    private Tensor encodeDescriptions(Batch rows) {
        Tensor states = descriptionStates(rows);
        Scalar scale = new Scalar(1 / Math.sqrt(config.projection()));
        return DescriptionQueries.concatenate(
                normalize(queries.forward(states)).mul(sharpness),
                weights.forward(states).mul(scale),
                LabelAttention.maskedSoftmax(importance.forward(states), rows.mask()));
    }

    /** Scales vectors to length 1. */
    private static Tensor normalize(Tensor vectors) {
        Tensor squares = vectors.square().sum(new long[] {-1}, true, new ScalarTypeOptional());
        return vectors.mul(squares.clamp_min(new Scalar(1e-12)).rsqrt());
    }

    /**
     * Encoded windows of documents, and encoded label descriptions.
     *
     * @param hiddenStates (N, T, H)
     * @param keys (N, T, d)
     * @param values (N, T, d)
     * @param descriptions see {@link DescriptionQueries}
     * @param zeroShot (L), 1 for labels treated as zero-shot labels
     * @param tokenFeatures the ranker's features of the tokens, if one is planted
     */
    public record Encoded(
            DocumentWindows windows,
            Tensor hiddenStates,
            Tensor keys,
            Tensor values,
            Tensor descriptions,
            Tensor zeroShot,
            Optional<Tensor> tokenFeatures,
            List<GradientCheckpoint> checkpoints)
            implements Encoding<Encoded> {

        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(
                    windows.map(function),
                    function.apply(hiddenStates),
                    function.apply(keys),
                    function.apply(values),
                    function.apply(descriptions),
                    function.apply(zeroShot),
                    tokenFeatures.map(function),
                    checkpoints);
        }
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        DocumentWindows windows = batching.toWindows(batch, compute());
        return encoded(
                windows,
                documentEncoder.encode(windows.windows().rows(), batch.training()),
                recordsParameters() ? descriptionEncoder.encode(labels()) : descriptionEncoder.cached(),
                zeroShotMask.mask(),
                List.of());
    }

    /** Gradients with respect to the tokens of documents need none of the descriptions. */
    private static boolean recordsParameters() {
        return GradMode.is_enabled() && !TokenOccurrences.isOpen();
    }

    /** Encodes the descriptions of trained labels only. */
    @Override
    public Encoded encodeForTraining(Batch batch, EncoderState before) {
        Tensor zeroShot = zeroShotMask.sampleTrainingMask();
        DocumentWindows windows = batching.toWindows(batch, compute());
        List<int[]> rows = windows.windows().rows();
        Optional<GradientCheckpoint> states = documentEncoder.checkpoint(rows, batch.training());
        Optional<GradientCheckpoint> descriptions = descriptionEncoder.checkpoint(trainedLabels());
        return encoded(
                windows,
                states.map(GradientCheckpoint::value).orElseGet(() -> documentEncoder.encode(rows, batch.training())),
                descriptions.map(GradientCheckpoint::value).orElseGet(() -> descriptionEncoder.encode(trainedLabels())),
                zeroShot,
                Stream.concat(states.stream(), descriptions.stream()).toList());
    }

    private Encoded encoded(
            DocumentWindows windows,
            Tensor hiddenStates,
            Tensor descriptions,
            Tensor zeroShot,
            List<GradientCheckpoint> checkpoints) {
        List<Tensor> projected = keysAndValues.forward(hiddenStates);
        return new Encoded(
                windows,
                hiddenStates,
                normalize(projected.get(0)),
                projected.get(1).contiguous(),
                descriptions,
                zeroShot,
                labelBranch == null ? Optional.empty() : labelBranch.tokenFeatures(windows.batch()),
                checkpoints);
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return encoding.windows().maxOverWindows(windowLogits(encoding, labels));
    }

    /** (N, L). */
    private Tensor windowLogits(Encoded encoding, LabelSelection labels) {
        Optional<LabelSelection.Range> range = LabelSelection.Range.of(labels, labels());
        Tensor logits = isQuantized() && range.isPresent()
                ? quantizedLogits(encoding, range.get())
                : descriptionLogits(encoding, labels).sum(-1L);
        return addLabelBranch(logits, encoding, labels);
    }

    private boolean isQuantized() {
        return compute().quantizes() && !GradMode.is_enabled();
    }

    private Tensor quantizedLogits(Encoded encoding, LabelSelection.Range range) {
        return descriptionEncoder
                .quantized(config.projection())
                .logits(encoding.keys(), encoding.values(), encoding.windows().batch(), range);
    }

    private Tensor addLabelBranch(Tensor logits, Encoded encoding, LabelSelection labels) {
        return labelBranch == null ? logits : logits.add(labelBranch(encoding, labels, labelBranch::forward));
    }

    /** The contribution of each description token to the logit of each window: (N, L, M). */
    private Tensor descriptionLogits(Encoded encoding, LabelSelection labels) {
        return descriptionQueries(encoding, labels)
                .logitsPerDescriptionToken(
                        encoding.keys(),
                        encoding.values(),
                        encoding.windows().batch().mask());
    }

    private DescriptionQueries descriptionQueries(Encoded encoding, LabelSelection labels) {
        return new DescriptionQueries(encoding.descriptions(), config.projection()).select(labels);
    }

    @FunctionalInterface
    private interface BranchFunction {
        Tensor apply(Batch windows, Tensor hiddenStates, Optional<Tensor> tokenFeatures, LabelSelection labels);
    }

    /** An output of the label branch; 0 for zero-shot labels. */
    private Tensor labelBranch(Encoded encoding, LabelSelection labels, BranchFunction function) {
        return zeroShotMask.computeTrained(
                labels,
                encoding.zeroShot(),
                trained -> function.apply(
                        encoding.windows().batch(), encoding.hiddenStates(), encoding.tokenFeatures(), trained));
    }

    /** A token's positive contribution to the logit of the label's best window. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor contributions = descriptionQueries(encoding, labels)
                .logitsPerDocumentToken(
                        encoding.keys(),
                        encoding.values(),
                        encoding.windows().batch().mask()); // (N, T, L)
        if (labelBranch != null) {
            contributions = contributions.add(labelBranch(encoding, labels, labelBranch::tokenContributions));
        }
        return inBestWindow(contributions.clamp_min(new Scalar(0)), batch, encoding, labels);
    }

    /** The attention of the label and of its description in its best window. */
    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor attention = descriptionQueries(encoding, labels)
                .meanAttention(encoding.keys(), encoding.windows().batch().mask()); // (N, T, L)
        if (labelBranch != null) {
            attention = attention.add(labelBranch(encoding, labels, labelBranch::attention));
        }
        return inBestWindow(attention, batch, encoding, labels);
    }

    /** Weights of window tokens (N, T, L) as weights of document tokens, 0 outside the label's best window. */
    private Tensor inBestWindow(Tensor weights, Batch batch, Encoded encoding, LabelSelection labels) {
        DocumentWindows windows = encoding.windows();
        return windows.toDocumentTokens(weights, windows.bestWindows(windowLogits(encoding, labels)), batch, compute());
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    /** The positive contributions of the description tokens to the logit of the label's best window. */
    @Override
    public List<List<float[]>> descriptionEvidence(Batch batch, Encoded encoding, int[] chosen) {
        LabelSelection labels = selection(chosen);
        Tensor logits = descriptionLogits(encoding, labels); // (N, L, M)
        Tensor best = encoding.windows().bestWindows(addLabelBranch(logits.sum(-1L), encoding, labels)); // (B, L)
        Tensor index = best.unsqueeze(-1).expand(best.size(0), best.size(1), logits.size(2));
        Tensor weights = logits.clamp_min(new Scalar(0)).gather(0, index).to(torch.ScalarType.Float); // (B, L, M)
        return IntStream.range(0, (int) weights.size(0))
                .mapToObj(document -> descriptionWeights(toArrays(weights.select(0, document)), chosen))
                .toList();
    }

    private List<float[]> descriptionWeights(float[][] padded, int[] chosen) {
        List<float[]> perLabel = new ArrayList<>();
        for (int i = 0; i < chosen.length; i++) {
            float[] weights =
                    Arrays.copyOf(padded[i], descriptionEncoder.descriptions().get(chosen[i]).length);
            EvidenceWeights.normalize(weights);
            perLabel.add(weights);
        }
        return perLabel;
    }

    @Override
    public int trainedLabels() {
        return zeroShotMask.trainedLabels();
    }

    @Override
    public Tensor bias(Encoded encoding, LabelSelection labels) {
        return bias.bias(labels, encoding.zeroShot());
    }

    @Override
    public LabelBias bias() {
        return bias;
    }

    @Override
    public Optional<Layer> plantedLayer() {
        return labelBranch == null ? Optional.empty() : labelBranch.plantedLayer();
    }

    @Override
    public int bytesPerLabelAndToken() {
        int descriptions = 16 + 32 * config.labelTokens(); // scores, attention, token logits and their gradients
        return descriptions + branchBytes();
    }

    @Override
    public int rangeBytesPerLabelAndToken() {
        return isQuantized() ? 16 + branchBytes() : bytesPerLabelAndToken(); // descriptions are decoded in chunks
    }

    private int branchBytes() {
        return labelBranch == null ? 0 : labelBranch.bytesPerLabelAndToken();
    }

    @Override
    public void save(Path directory) {
        super.save(directory);
        DescriptionFile.write(directory, descriptionEncoder.descriptions());
        if (labelBranch != null) {
            labelBranch.save(directory);
        }
    }

    @Override
    public void load(Path directory) {
        super.load(directory);
        setDescriptions(DescriptionFile.read(directory));
        if (labelBranch != null) {
            labelBranch.load(directory);
        }
    }

    @Override
    public void close() {
        super.close();
        descriptionEncoder.close();
    }
}
