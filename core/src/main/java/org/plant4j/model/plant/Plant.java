package org.plant4j.model.plant;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.Precision;
import org.plant4j.encoder.Encoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.layer.ReducedRows;
import org.plant4j.model.DecodedLogits;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.Encoding;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.Shortlist;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.StaticAttention;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * PLANT: label attention initialised from a learning-to-rank model instead of from noise. Three sources of attention
 * are added: A, learned from random weights; S, the static mutual information of token and label; P, the softmax of the
 * ranker's scores over the document, which are trained further. Without S and P the network is the unplanted control.
 *
 * <p>Saharoy, Aslam: Don't Just Pay Attention, PLANT It, equations 3 to 7. The logit y_l = Σ_h ((A + S + P)ᵀ H ⊙ W)_lh
 * + b_l is computed as Σ_j (A + S + P)_jl (h_j · w_l) + b_l if that needs less memory.
 */
public final class Plant extends EncoderNetwork<Plant.Encoded> {

    public static final String RELEVANCE = PlantedAttention.RELEVANCE;

    /** Dimensions of label rows in approximate logits: enough for shortlists of about 100 labels. */
    static final int REDUCED_SIZE = 64;

    /**
     * Settings of the network.
     *
     * @param lexical whether a token's embedding is concatenated to its hidden state; rare labels depend on single
     *     tokens
     * @param learned whether A is used
     * @param fixed whether S is used
     * @param staticWeights how mutual information becomes the weights of S
     * @param differentiable whether P is used
     * @param scales initial factors of A, S and P
     * @param keep tokens that {@code inattention} keeps per label
     * @param nullTokens tokens with score and value 0 in the softmax of A and P, which take the weight in texts without
     *     relevant tokens
     * @param initialDeviation standard deviation of the attention and output weights at the start
     * @param segment tokens per segment; 0 encodes documents whole
     * @param window the last tokens of a document through whose segments training backpropagates; 0 for all
     * @param shortlist labels per document that predictions score exactly, those with the highest approximate logits; 0
     *     for all
     * @param labelPrecision precision in which the weights of labels are stored
     */
    public record Config(
            EncoderConfig encoder,
            RankModel.Config ranker,
            boolean lexical,
            double dropout,
            boolean learned,
            @JsonProperty("static") boolean fixed,
            StaticAttention.Weights staticWeights,
            boolean differentiable,
            List<Double> scales,
            Inattention inattention,
            int keep,
            int nullTokens,
            double initialDeviation,
            double initialBias,
            Direction direction,
            int segment,
            int window,
            int shortlist,
            Precision labelPrecision)
            implements EncoderNetworkConfig {

        public Config {
            Arguments.rate("dropout", dropout);
            scales = List.copyOf(scales);
            new PlantedConfig(
                    ranker,
                    learned,
                    fixed,
                    staticWeights,
                    differentiable,
                    scales,
                    inattention,
                    keep,
                    nullTokens); // checks them
            Arguments.atLeast(0, "segment", segment);
            Arguments.atLeast(0, "window", window);
            Arguments.atLeast(0, "shortlist", shortlist);
            Arguments.check(labelPrecision != Precision.INT8, "label_precision", labelPrecision, "float32 or bfloat16");
            Arguments.check(window == 0 || segment > 0, "window", window, "0 unless segment is set");
            Arguments.check(
                    segment == 0 || encoder.supportsSegments(),
                    "segment",
                    segment,
                    "0, since the encoder has no state to carry from segment to segment");
        }

        PlantedConfig attention() {
            return new PlantedConfig(
                    ranker, learned, fixed, staticWeights, differentiable, scales, inattention, keep, nullTokens);
        }

        /** Whether attention is planted; if not, this is the control. */
        public boolean hasPlantedSources() {
            return attention().hasPlantedSources();
        }

        @Override
        public boolean usesRelevance() {
            return hasPlantedSources();
        }

        @Override
        public Optional<RankModel.Config> rankModel() {
            return attention().rankModel();
        }

        @Override
        public boolean readsBackward() {
            return direction == Direction.BACKWARD;
        }

        @Override
        public boolean proposesLabels() {
            return fixed;
        }

        @Override
        public Optional<ModelConfig> withShortlist(int size) {
            return Optional.of(new Config(
                    encoder,
                    ranker,
                    lexical,
                    dropout,
                    learned,
                    fixed,
                    staticWeights,
                    differentiable,
                    scales,
                    inattention,
                    keep,
                    nullTokens,
                    initialDeviation,
                    initialBias,
                    direction,
                    segment,
                    window,
                    size,
                    labelPrecision));
        }

        @Override
        public boolean needsShortlist() {
            return labelPrecision == Precision.BFLOAT16;
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return builder(new EncoderConfig.BiLstm(12, 8, 0.1))
                    .dropout(0.1)
                    .initialBias(-1)
                    .build();
        }

        /** Starts from a small planted network without dropout, which reads whole documents forward. */
        public static Builder builder(EncoderConfig encoder) {
            return new Builder(encoder);
        }

        /** Builds a configuration step by step; see {@link #builder}. */
        public static final class Builder {

            private EncoderConfig encoder;
            private RankModel.Config ranker = new RankModel.Config(RankModel.Scorer.DOT, 6, 1);
            private boolean lexical = true;
            private double dropout = 0;
            private boolean learned = true;
            private boolean fixed = true;
            private StaticAttention.Weights staticWeights = StaticAttention.Weights.NORMALIZED;
            private boolean differentiable = true;
            private List<Double> scales = List.of(1.0, 1.0, 1.0);
            private Inattention inattention = Inattention.NONE;
            private int keep = 0;
            private int nullTokens = 0;
            private double initialDeviation = 0.03;
            private double initialBias = 0;
            private Direction direction = Direction.FORWARD;
            private int segment = 0;
            private int window = 0;
            private int shortlist = 0;
            private Precision labelPrecision = Precision.FLOAT32;

            private Builder(EncoderConfig encoder) {
                this.encoder = encoder;
            }

            public Builder ranker(RankModel.Config value) {
                ranker = value;
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

            public Builder learned(boolean value) {
                learned = value;
                return this;
            }

            public Builder fixed(boolean value) {
                fixed = value;
                return this;
            }

            public Builder staticWeights(StaticAttention.Weights value) {
                staticWeights = value;
                return this;
            }

            public Builder differentiable(boolean value) {
                differentiable = value;
                return this;
            }

            public Builder scales(List<Double> value) {
                scales = value;
                return this;
            }

            public Builder inattention(Inattention value) {
                inattention = value;
                return this;
            }

            public Builder keep(int value) {
                keep = value;
                return this;
            }

            public Builder nullTokens(int value) {
                nullTokens = value;
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

            public Builder direction(Direction value) {
                direction = value;
                return this;
            }

            public Builder segment(int value) {
                segment = value;
                return this;
            }

            public Builder window(int value) {
                window = value;
                return this;
            }

            public Builder shortlist(int value) {
                shortlist = value;
                return this;
            }

            public Builder labelPrecision(Precision value) {
                labelPrecision = value;
                return this;
            }

            public Config build() {
                return new Config(
                        encoder,
                        ranker,
                        lexical,
                        dropout,
                        learned,
                        fixed,
                        staticWeights,
                        differentiable,
                        scales,
                        inattention,
                        keep,
                        nullTokens,
                        initialDeviation,
                        initialBias,
                        direction,
                        segment,
                        window,
                        shortlist,
                        labelPrecision);
            }
        }

        @Override
        public boolean canStartFromRun() {
            return true;
        }

        @Override
        public Plant build(int vocabularySize, int labels, Compute compute) {
            return new Plant(this, vocabularySize, labels, compute.withLabelPrecision(labelPrecision));
        }
    }

    private final Config config;
    private final PlantedAttention attention;
    private final LabelHead head;
    private @Nullable ReducedRows reducedWeights; // built when first used
    private @Nullable ApproximateLogits approximateLogits; // likewise

    Plant(Config config, int vocabularySize, int labels, Compute compute) {
        super(config, config.lexical(), config.dropout(), vocabularySize, labels, compute);
        this.config = config;
        double deviation = config.initialDeviation();
        attention = submodule(
                "", new PlantedAttention(config.attention(), vocabularySize, labels, hiddenSize(), deviation, compute));
        head = submodule("head", new LabelHead(labels, hiddenSize(), deviation, config.initialBias(), compute));
    }

    @Override
    public void plant(Relevance relevance, Optional<RankModel> trained) {
        attention.plant(relevance, trained);
    }

    /** Hidden states (B, T, H) and, if a ranker is planted, its features of the tokens. */
    public record Encoded(Tensor hiddenStates, Optional<Tensor> tokenFeatures, EncoderState nextState)
            implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(function.apply(hiddenStates), tokenFeatures.map(function), nextState);
        }
    }

    @Override
    public Encoded encode(Batch segment, EncoderState before) {
        Encoder.Output output = encodeTokens(segment, before);
        return new Encoded(output.hiddenStates(), attention.tokenFeatures(segment), output.state());
    }

    @Override
    public Tensor decode(Batch segment, Encoded encoding, LabelSelection labels) {
        return head.forward(encoding.hiddenStates(), attentionWeights(segment, encoding, labels), labels);
    }

    @Override
    public DecodedLogits decodeWithBackward(Batch segment, Encoded encoding, LabelSelection labels) {
        Tensor hiddenStates = encoding.hiddenStates();
        Tensor tokenLogits;
        try (Compute.Autocast autocast = compute().autocast()) {
            tokenLogits = head.tokenLogits(hiddenStates, labels);
        }
        return attention.logits(segment, hiddenStates, encoding.tokenFeatures(), labels, tokenLogits);
    }

    /** With token logits and learned attention from label rows of {@link #REDUCED_SIZE} dimensions. */
    @Override
    public Tensor approximateLogits(Batch segment, Encoded encoding, LabelSelection labels) {
        Tensor hiddenStates = encoding.hiddenStates();
        Tensor tokenLogits;
        try (Compute.Autocast autocast = compute().autocast()) {
            tokenLogits = reducedWeights().products(hiddenStates, labels);
        }
        return attention
                .approximateLogits(segment, hiddenStates, encoding.tokenFeatures(), labels, tokenLogits)
                .logits();
    }

    @Override
    protected void addApproximateLogits(Batch segment, Encoded encoding, Tensor sum) {
        if (attention.supportsApproximateLogits()) {
            approximateLogits().addTo(sum, segment, encoding);
        } else {
            super.addApproximateLogits(segment, encoding, sum);
        }
    }

    private synchronized ApproximateLogits approximateLogits() {
        if (approximateLogits == null) {
            approximateLogits = attention.approximateLogits(head);
        }
        return approximateLogits;
    }

    private synchronized ReducedRows reducedWeights() {
        if (reducedWeights == null) {
            reducedWeights = head.reducedWeights(REDUCED_SIZE);
        }
        return reducedWeights;
    }

    /** A + S + P. */
    @Override
    public Tensor attentionWeights(Batch segment, Encoded encoding, LabelSelection labels) {
        return attention.forward(segment, encoding.hiddenStates(), encoding.tokenFeatures(), labels);
    }

    /** A token's positive summand of the logit: its attention weight times its token logit. */
    @Override
    public Tensor evidenceWeights(Batch segment, Encoded encoding, LabelSelection labels) {
        return attentionWeights(segment, encoding, labels)
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

    @Override
    public Optional<Layer> plantedLayer() {
        return attention.plantedLayer();
    }

    @Override
    public Optional<Shortlist> proposals() {
        return attention.proposals();
    }

    @Override
    public int shortlistSize() {
        return config.shortlist();
    }

    @Override
    public int segmentLength() {
        return config.segment() == 0 ? Integer.MAX_VALUE : config.segment();
    }

    @Override
    public int gradientWindow() {
        return config.window() == 0 ? Integer.MAX_VALUE : config.window();
    }

    @Override
    public int bytesPerLabelAndToken() {
        return attention.bytesPerLabelAndToken();
    }

    @Override
    public int rangeBytesPerLabelAndToken() {
        return attention.rangeBytesPerLabelAndToken();
    }

    @Override
    protected boolean encodesTokens() {
        return true;
    }

    @Override
    public boolean supportsPaddedLabels() {
        return true;
    }

    @Override
    public boolean readsBackward() {
        return config.direction() == Direction.BACKWARD;
    }

    @Override
    public void save(Path directory) {
        super.save(directory);
        attention.save(directory);
    }

    @Override
    public void load(Path directory) {
        super.load(directory);
        attention.load(directory);
    }

    @Override
    public void close() {
        super.close();
        if (reducedWeights != null) {
            reducedWeights.close();
        }
        if (approximateLogits != null) {
            approximateLogits.close();
        }
    }
}
