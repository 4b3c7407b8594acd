package org.plant4j.model.plant;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.encoder.Encoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.model.DecodedLogits;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.Encoding;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * PLANT: label attention that starts from a learning-to-rank model of which tokens speak for which label. Three sources
 * are added: A, learned from nothing; S, the mutual information of token and label as it is; P, the ranker's scores over
 * the document, which go on learning. Without S and P it is the control, the same network unplanted.
 *
 * <p>Saharoy, Aslam: Don't Just Pay Attention, PLANT It, equations 3 to 7. The logit y_l = Σ_h ((A + S + P)ᵀ H ⊙ W)_lh +
 * b_l is computed as Σ_j (A + S + P)_jl (h_j · w_l) + b_l where that is smaller.
 */
public final class Plant extends EncoderNetwork<Plant.Encoded> {

    public static final String RELEVANCE = PlantedAttention.RELEVANCE;

    /**
     * {@code lexical} joins a token's own vector to its state, since rare codes hang on single words. {@code scales} are
     * what the three sources start with. {@code segment} and {@code window} are in tokens, 0 for whole documents; the
     * segments that hold a document's last {@code window} tokens learn.
     */
    public record Config(
            EncoderConfig encoder,
            RankModel.Config ranker,
            boolean lexical,
            double dropout,
            boolean learned,
            @JsonProperty("static") boolean fixed,
            boolean differentiable,
            List<Double> scales,
            Inattention inattention,
            int keep,
            double initialDeviation,
            double initialBias,
            Direction direction,
            int segment,
            int window)
            implements EncoderNetworkConfig {

        public Config {
            Arguments.rate("dropout", dropout);
            scales = List.copyOf(scales);
            new PlantedConfig(
                    ranker, learned, fixed, differentiable, scales, inattention, keep); // holds its own bounds
            Arguments.atLeast(0, "segment", segment);
            Arguments.atLeast(0, "window", window);
            Arguments.check(segment > 0 || window == 0, "window", window, "0 without segments");
            Arguments.check(
                    segment == 0 || encoder.supportsSegments(),
                    "segment",
                    segment,
                    "0, since this encoder does not carry state between segments");
        }

        PlantedConfig attention() {
            return new PlantedConfig(ranker, learned, fixed, differentiable, scales, inattention, keep);
        }

        /** Whether anything is planted; if not, this is the control. */
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

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(
                    new EncoderConfig.BiLstm(12, 8, 0.1),
                    new RankModel.Config(RankModel.Scorer.DOT, 6, 1),
                    true,
                    0.1,
                    true,
                    true,
                    true,
                    List.of(1.0, 1.0, 1.0),
                    Inattention.NONE,
                    0,
                    0.03,
                    -1,
                    Direction.FORWARD,
                    0,
                    0);
        }

        @Override
        public Plant build(int vocabulary, int labels, Compute compute) {
            return new Plant(this, vocabulary, labels, compute);
        }
    }

    private final Config config;
    private final PlantedAttention attention;
    private final LabelHead head;

    Plant(Config config, int vocabulary, int labels, Compute compute) {
        super(config, config.lexical(), config.dropout(), vocabulary, labels, compute);
        this.config = config;
        double deviation = config.initialDeviation();
        attention = submodule(
                "", new PlantedAttention(config.attention(), vocabulary, labels, hiddenSize(), deviation, compute));
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
        Encoder.Output read = encodeTokens(segment, before);
        return new Encoded(read.hiddenStates(), attention.tokenFeatures(segment), read.state());
    }

    @Override
    public Tensor decode(Batch segment, Encoded encoding, LabelSelection some) {
        return head.forward(encoding.hiddenStates(), attentionWeights(segment, encoding, some), some);
    }

    @Override
    public DecodedLogits decodeWithBackward(Batch segment, Encoded encoding, LabelSelection some) {
        Tensor states = encoding.hiddenStates();
        Tensor votes;
        try (Compute.Autocast autocast = compute().autocast()) {
            votes = head.tokenLogits(states, some);
        }
        return attention.logits(segment, states, encoding.tokenFeatures(), some, votes);
    }

    private Tensor attentionWeights(Batch segment, Encoded encoding, LabelSelection some) {
        return attention.forward(segment, encoding.hiddenStates(), encoding.tokenFeatures(), some);
    }

    /** A token's share of the logit: its weight times what its state says for the label, where that is in favour. */
    @Override
    public Tensor evidenceWeights(Batch segment, Encoded encoding, LabelSelection some) {
        return attentionWeights(segment, encoding, some)
                .mul(head.tokenLogits(encoding.hiddenStates(), some))
                .clamp_min(new Scalar(0));
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
    public boolean readsBackward() {
        return config.direction() == Direction.BACKWARD;
    }

    @Override
    public void save(Path folder) {
        super.save(folder);
        attention.save(folder);
    }

    @Override
    public void load(Path folder) {
        super.load(folder);
        attention.load(folder);
    }
}
