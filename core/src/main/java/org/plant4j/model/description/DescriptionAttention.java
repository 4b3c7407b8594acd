package org.plant4j.model.description;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.encoder.SlidingWindows;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.layer.ZeroShotBias;
import org.plant4j.layer.ZeroShotMask;
import org.plant4j.model.DescriptionAware;
import org.plant4j.model.EncodedDocuments;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.GradientCheckpoint;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.PlantableNetwork;
import org.plant4j.model.RowEncoder;
import org.plant4j.model.plant.PlantedConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.LabelIndex;

/**
 * Label description attention: each word of a label's description looks for its like among the note's words, and what
 * they find together is the label's logit. One encoder reads notes and descriptions.
 *
 * <p>Chapman, Neumann: Automatic ICD Code Classification with Label Description Attention Mechanism, IberLEF 2020, section
 * 4. The paper gives no equations; here, with h_j the states of a window's words and k_lm those of label l's:
 * a_jlm = softmax over j of s cos(K h_j, Q k_lm), logit_l = Σ_m β_lm Σ_j a_jlm (V h_j · W k_lm) / √d + b_l, β_lm = softmax
 * over m of g · k_lm. Q starts as K and W as V: at first a word looks for words like itself, and speaks for its label the
 * louder the more it finds them; the cosine and its sharpness s make it find them whatever the size of the encoder's
 * states. {@code own} adds a term that hangs on no description, Σ_j softmax_j(h_j · u_l) (h_j · w_l): what is written of a
 * frequent code is often not what it is called.
 *
 * <p>A label that is not learned has neither that term nor a b_l, but the bias of all strangers; see {@link ZeroShotMask}.
 */
public final class DescriptionAttention extends EncoderNetwork implements DescriptionAware, PlantableNetwork {

    /**
     * {@code projection} is d, {@code sharpness} what s starts with. {@code window} and {@code overlap} are in tokens;
     * without {@code batching} the first window is all that is read. Of a description {@code labelTokens} tokens are read.
     * {@code heldTokens} are the padded tokens, of notes and of descriptions each, whose inner states are held while
     * learning; of more, they are computed anew on the way back. {@code strangers} is the share of the labels that a step of
     * learning takes for such as are not learned.
     */
    public record Config(
            EncoderConfig encoder,
            int projection,
            double sharpness,
            boolean own,
            boolean lexical,
            double dropout,
            double initialDeviation,
            double initialBias,
            int window,
            int overlap,
            boolean batching,
            int labelTokens,
            int heldTokens,
            double strangers,
            Optional<PlantedConfig> planted)
            implements EncoderNetworkConfig {

        public Config {
            NetworkConfig.positive("projection", projection);
            if (!(sharpness > 0)) {
                throw new IllegalArgumentException("sharpness: " + sharpness + " (expected: > 0)");
            }
            NetworkConfig.dropout(dropout);
            if (!(initialDeviation >= 0)) {
                throw new IllegalArgumentException("initialDeviation: " + initialDeviation + " (expected: >= 0)");
            }
            new DocumentBatching(window, overlap, batching).requireFits(encoder);
            NetworkConfig.positive("labelTokens", labelTokens);
            NetworkConfig.positive("heldTokens", heldTokens);
            if (!(strangers >= 0 && strangers < 1)) {
                throw new IllegalArgumentException("strangers: " + strangers + " (expected: >= 0 and < 1)");
            }
            if (planted.isPresent() && !own) {
                throw new IllegalArgumentException("own: false (expected: true, as it is what is planted)");
            }
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        @Override
        public Optional<PlantedConfig> plantedAttention() {
            return planted.filter(PlantedConfig::hasPlantedSources);
        }

        @Override
        public boolean supportsZeroShot() {
            return true;
        }

        @Override
        public DescriptionAttention build(int vocabulary, int labels, Compute compute) {
            return build(vocabulary, labels, labels, compute);
        }

        @Override
        public DescriptionAttention build(int vocabulary, LabelIndex labels, Compute compute) {
            return build(vocabulary, labels.trainedCount(), labels.size(), compute);
        }

        DescriptionAttention build(int vocabulary, int learned, int labels, Compute compute) {
            return new DescriptionAttention(
                    this, vocabulary, new ZeroShotMask(learned, labels, strangers, compute), compute);
        }
    }

    private static final int HIDDEN_STATES = 0;
    private static final int KEYS = 1;
    private static final int VALUES = 2;
    private static final int MASK = 3;
    private static final int WINDOW_ROWS = 4;
    private static final int DESCRIPTIONS = 5;
    private static final int ZERO_SHOT = 6;
    private static final int TOKEN_FEATURES = 7; // only where a ranker is planted

    private final Config config;
    private final DocumentBatching batching;
    private final Tensor sharpness; // (1)
    private final Linear keys;
    private final Linear queries;
    private final Linear values;
    private final Linear weights;
    private final Linear importance;
    private final @Nullable LabelAttentionBranch labelBranch;
    private final ZeroShotBias bias;
    private final ZeroShotMask zeroShotMask;
    private final RowEncoder documentEncoder;
    private final EncodedDescriptions descriptionEncoder;

    DescriptionAttention(Config config, int vocabulary, ZeroShotMask acquaintance, Compute compute) {
        super(config, config.lexical(), config.dropout(), vocabulary, acquaintance.labels(), compute);
        this.config = config;
        this.zeroShotMask = acquaintance;
        batching = new DocumentBatching(config.window(), config.overlap(), config.batching());
        int width = hiddenSize();
        int size = config.projection();
        sharpness = parameter("sharpness", compute, Init.constant(config.sharpness()), 1);
        keys = submodule("keys", new Linear(width, size, false, compute));
        queries = submodule("queries", new Linear(width, size, false, compute));
        values = submodule("values", new Linear(width, size, false, compute));
        weights = submodule("weights", new Linear(width, size, false, compute));
        importance = submodule("importance", new Linear(width, 1, false, compute));
        queries.copyFrom(keys);
        weights.copyFrom(values);
        labelBranch = config.own()
                ? submodule(
                        "own",
                        new LabelAttentionBranch(
                                config.planted(),
                                vocabulary,
                                acquaintance.trainedLabels(),
                                width,
                                config.initialDeviation(),
                                compute))
                : null;
        bias = submodule("head", new ZeroShotBias(acquaintance, config.initialBias(), compute));
        documentEncoder = new RowEncoder(
                (rows, training) -> hiddenStates(RowEncoder.batch(rows, training, compute)),
                config.heldTokens(),
                compute);
        descriptionEncoder = new EncodedDescriptions(
                new RowEncoder(
                        (rows, training) -> encodeDescriptions(Batch.of(rows, compute)), config.heldTokens(), compute),
                config.labelTokens());
    }

    @Override
    public void setDescriptions(List<int[]> descriptions) {
        if (descriptions.size() != labels()) {
            throw new IllegalArgumentException(
                    "descriptions: " + descriptions.size() + " (expected: " + labels() + ")");
        }
        descriptionEncoder.setDescriptions(descriptions);
    }

    @Override
    public void plant(Relevance relevance, Optional<RankModel> ranker) {
        if (labelBranch != null) {
            labelBranch.plant(relevance, ranker);
        }
    }

    /**
     * What descriptions' words look for, what they say where they find it, and how much they count: (n, M, d + d + 1). Read
     * without dropout; words that are padding count 0.
     */
    private Tensor encodeDescriptions(Batch rows) {
        Tensor states = hiddenStates(rows);
        Scalar scale = new Scalar(1 / Math.sqrt(config.projection()));
        return DescriptionQueries.concatenate(
                normalize(queries.forward(states)).mul(sharpness),
                weights.forward(states).mul(scale),
                LabelAttention.maskedSoftmax(importance.forward(states), rows.mask()));
    }

    /** Of length 1. */
    private static Tensor normalize(Tensor vectors) {
        Tensor squares = vectors.square().sum(new long[] {-1}, true, new ScalarTypeOptional());
        return vectors.mul(squares.clamp_min(new Scalar(1e-12)).rsqrt());
    }

    @Override
    public EncodedDocuments encode(Batch batch, EncoderState before) {
        SlidingWindows windows = batching.toWindows(batch);
        return encoded(
                windows,
                documentEncoder.encode(windows.rows(), batch.training()),
                GradMode.is_enabled() ? descriptionEncoder.encode(labels()) : descriptionEncoder.cached(),
                zeroShotMask.mask(),
                List.of());
    }

    /** Labels that are not learned are not even read. */
    @Override
    public EncodedDocuments encodeForTraining(Batch batch, EncoderState before) {
        Tensor strangers = zeroShotMask.sampleTrainingMask();
        SlidingWindows windows = batching.toWindows(batch);
        Optional<GradientCheckpoint> states = documentEncoder.checkpoint(windows.rows(), batch.training());
        Optional<GradientCheckpoint> labels = descriptionEncoder.checkpoint(trainedLabels());
        List<GradientCheckpoint> recomputed = new ArrayList<>();
        states.ifPresent(recomputed::add);
        labels.ifPresent(recomputed::add);
        return encoded(
                windows,
                states.map(GradientCheckpoint::value)
                        .orElseGet(() -> documentEncoder.encode(windows.rows(), batch.training())),
                labels.map(GradientCheckpoint::value).orElseGet(() -> descriptionEncoder.encode(trainedLabels())),
                strangers,
                recomputed);
    }

    private EncodedDocuments encoded(
            SlidingWindows windows,
            Tensor states,
            Tensor labelWords,
            Tensor strangers,
            List<GradientCheckpoint> recomputed) {
        Batch rows = Batch.of(windows.rows(), compute());
        List<Tensor> parts = new ArrayList<>(List.of(
                states,
                normalize(keys.forward(states)),
                values.forward(states),
                rows.mask(),
                DocumentBatching.windowRows(windows, compute()),
                labelWords,
                strangers));
        if (labelBranch != null) {
            labelBranch.tokenFeatures(rows).ifPresent(parts::add);
        }
        return new EncodedDocuments(List.copyOf(parts), EncoderState.EMPTY, recomputed);
    }

    @Override
    public Tensor decode(Batch batch, EncodedDocuments encoding, LabelSelection some) {
        return DocumentBatching.maxOverWindows(windowLogits(batch, encoding, some), encoding.tensor(WINDOW_ROWS));
    }

    /** (N, L). */
    Tensor windowLogits(Batch batch, EncodedDocuments encoding, LabelSelection some) {
        Tensor logits = descriptionLogits(encoding, some).sum(-1L);
        return labelBranch == null ? logits : logits.add(labelBranch(batch, encoding, some, labelBranch::forward));
    }

    /** What each word of each description says in each window, as much as it counts: (N, L, M). */
    Tensor descriptionLogits(EncodedDocuments encoding, LabelSelection some) {
        return descriptionQueries(encoding, some)
                .logitsPerDescriptionToken(encoding.tensor(KEYS), encoding.tensor(VALUES), encoding.tensor(MASK));
    }

    private DescriptionQueries descriptionQueries(EncodedDocuments encoding, LabelSelection some) {
        return new DescriptionQueries(encoding.tensor(DESCRIPTIONS), config.projection()).select(some);
    }

    /** One of the ways to look at a label's own view. */
    @FunctionalInterface
    private interface BranchFunction {
        Tensor apply(Batch windows, Tensor states, Optional<Tensor> tokens, LabelSelection some);
    }

    private Tensor labelBranch(Batch batch, EncodedDocuments encoding, LabelSelection some, BranchFunction look) {
        Batch windows = Batch.of(batching.toWindows(batch).rows(), compute());
        Optional<Tensor> tokens =
                encoding.tensors().stream().skip(TOKEN_FEATURES).findFirst();
        return zeroShotMask.computeTrained(
                some,
                encoding.tensor(ZERO_SHOT),
                known -> look.apply(windows, encoding.tensor(HIDDEN_STATES), tokens, known));
    }

    /** A word's share of the logit in the window that speaks for the label, where it is in favour. */
    @Override
    public Tensor evidenceWeights(Batch batch, EncodedDocuments encoding, LabelSelection some) {
        Tensor heard = descriptionQueries(encoding, some)
                .logitsPerDocumentToken(
                        encoding.tensor(KEYS), encoding.tensor(VALUES), encoding.tensor(MASK)); // (N, T, L)
        if (labelBranch != null) {
            heard = heard.add(labelBranch(batch, encoding, some, labelBranch::tokenContributions));
        }
        return DocumentBatching.toDocumentTokens(
                heard.clamp_min(new Scalar(0)),
                bestWindows(windowLogits(batch, encoding, some), encoding),
                batching.toWindows(batch),
                batch,
                compute());
    }

    @Override
    public List<float[]> descriptionEvidence(int[] document, int[] someLabels) {
        return new DescriptionEvidenceDecoder(this).compute(document, someLabels);
    }

    /** For each of the labels the window that speaks for it: (B, L). */
    static Tensor bestWindows(Tensor windowLogits, EncodedDocuments encoding) {
        return DocumentBatching.bestWindows(windowLogits, encoding.tensor(WINDOW_ROWS));
    }

    List<int[]> descriptions() {
        return descriptionEncoder.descriptions();
    }

    @Override
    public int trainedLabels() {
        return zeroShotMask.trainedLabels();
    }

    @Override
    public Tensor bias(EncodedDocuments encoding, LabelSelection some) {
        return bias.bias(some, encoding.tensor(ZERO_SHOT));
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
        int ofWords = 16 + 32 * config.labelTokens(); // scores, attention, votes and their gradients of each word
        return labelBranch == null ? ofWords : ofWords + labelBranch.bytesPerLabelAndToken();
    }

    @Override
    public void save(Path folder) {
        super.save(folder);
        DescriptionFile.write(folder, descriptionEncoder.descriptions());
        if (labelBranch != null) {
            labelBranch.save(folder);
        }
    }

    @Override
    public void load(Path folder) {
        super.load(folder);
        setDescriptions(DescriptionFile.read(folder));
        if (labelBranch != null) {
            labelBranch.load(folder);
        }
    }

    @Override
    public void close() {
        super.close();
        descriptionEncoder.close();
    }
}
