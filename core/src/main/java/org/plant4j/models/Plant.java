package org.plant4j.models;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Encoder;
import org.plant4j.nn.LabelBias;
import org.plant4j.nn.LabelHead;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Memory;
import org.plant4j.nn.SomeLabels;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;

/**
 * PLANT: label attention that starts from a learning-to-rank model of which tokens speak for which label. Three sources
 * are added: A, learned from nothing; S, the mutual information of token and label as it is; P, the ranker's scores over
 * the document, which go on learning. Without S and P it is the control, the same network unplanted.
 *
 * <p>Saharoy, Aslam: Don't Just Pay Attention, PLANT It, equations 3 to 7. The logit y_l = Σ_h ((A + S + P)ᵀ H ⊙ W)_lh +
 * b_l is computed as Σ_j (A + S + P)_jl (h_j · w_l) + b_l where that is smaller.
 */
public final class Plant extends EncodedNetwork implements Planted {

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
            implements EncodedConfig {

        public Config {
            NetworkConfig.dropout(dropout);
            scales = List.copyOf(scales);
            new PlantedConfig(
                    ranker, learned, fixed, differentiable, scales, inattention, keep); // holds its own bounds
            if (segment < 0 || window < 0 || (segment == 0 && window > 0)) {
                throw new IllegalArgumentException(
                        "segment, window: " + segment + ", " + window + " (expected: >= 0, a window only of segments)");
            }
            if (segment > 0 && !encoder.carriesMemory()) {
                throw new IllegalArgumentException(
                        "segment: " + segment + " (expected: 0, as this encoder carries nothing from one to the next)");
            }
        }

        PlantedConfig attention() {
            return new PlantedConfig(ranker, learned, fixed, differentiable, scales, inattention, keep);
        }

        /** Whether anything is planted; if not, this is the control. */
        public boolean planted() {
            return attention().planted();
        }

        @Override
        public Optional<PlantedConfig> planting() {
            return planted() ? Optional.of(attention()) : Optional.empty();
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
        attention = part("", new PlantedAttention(config.attention(), vocabulary, labels, width(), deviation, compute));
        head = part("head", new LabelHead(labels, width(), deviation, config.initialBias(), compute));
    }

    @Override
    public void plant(Relevance relevance, Optional<RankModel> trained) {
        attention.plant(relevance, trained);
    }

    @Override
    Encoding encode(Batch segment, Memory before) {
        Encoder.Encoded read = read(segment, before);
        List<Tensor> parts = new ArrayList<>(List.of(read.states()));
        attention.tokens(segment).ifPresent(parts::add);
        return new Encoding(List.copyOf(parts), read.after());
    }

    private static Optional<Tensor> tokens(Encoding encoding) {
        return encoding.parts().stream().skip(1).findFirst();
    }

    @Override
    Tensor decode(Batch segment, Encoding encoding, SomeLabels some) {
        return head.forward(encoding.part(0), weights(segment, encoding, some), some);
    }

    @Override
    Decoded decoded(Batch segment, Encoding encoding, SomeLabels some) {
        Tensor states = encoding.part(0);
        Tensor votes;
        try (Compute.Autocast autocast = compute().autocast()) {
            votes = head.votes(states, some);
        }
        return attention.logits(segment, states, tokens(encoding), some, votes);
    }

    private Tensor weights(Batch segment, Encoding encoding, SomeLabels some) {
        return attention.forward(segment, encoding.part(0), tokens(encoding), some);
    }

    /** A token's share of the logit: its weight times what its state says for the label, where that is in favour. */
    @Override
    Tensor attend(Batch segment, Encoding encoding, SomeLabels some) {
        return weights(segment, encoding, some)
                .mul(head.votes(encoding.part(0), some))
                .clamp_min(new Scalar(0));
    }

    @Override
    LabelBias bias() {
        return head;
    }

    @Override
    Optional<Layer> planted() {
        return attention.planted();
    }

    @Override
    int segment() {
        return config.segment() == 0 ? Integer.MAX_VALUE : config.segment();
    }

    @Override
    int window() {
        return config.window() == 0 ? Integer.MAX_VALUE : config.window();
    }

    @Override
    int bytesAtOnce() {
        return attention.bytesAtOnce();
    }

    @Override
    boolean readsBackward() {
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
