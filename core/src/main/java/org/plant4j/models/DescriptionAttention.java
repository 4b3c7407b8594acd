package org.plant4j.models;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.nn.Acquaintance;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Init;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.LabelBias;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Linear;
import org.plant4j.nn.Memory;
import org.plant4j.nn.SharedBias;
import org.plant4j.nn.SomeLabels;
import org.plant4j.nn.Windows;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.text.Labels;

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
 * <p>A label that is not learned has neither that term nor a b_l, but the bias of all strangers; see {@link Acquaintance}.
 */
public final class DescriptionAttention extends EncodedNetwork implements Described, Planted {

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
            implements EncodedConfig {

        public Config {
            NetworkConfig.positive("projection", projection);
            if (!(sharpness > 0)) {
                throw new IllegalArgumentException("sharpness: " + sharpness + " (expected: > 0)");
            }
            NetworkConfig.dropout(dropout);
            if (!(initialDeviation >= 0)) {
                throw new IllegalArgumentException("initialDeviation: " + initialDeviation + " (expected: >= 0)");
            }
            new DocumentBatching(window, overlap, batching).fits(encoder);
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
        public boolean readsDescriptions() {
            return true;
        }

        @Override
        public Optional<PlantedConfig> planting() {
            return planted.filter(PlantedConfig::planted);
        }

        @Override
        public boolean scoresUnseen() {
            return true;
        }

        @Override
        public DescriptionAttention build(int vocabulary, int labels, Compute compute) {
            return build(vocabulary, labels, labels, compute);
        }

        @Override
        public DescriptionAttention build(int vocabulary, Labels labels, Compute compute) {
            return build(vocabulary, labels.seen(), labels.size(), compute);
        }

        DescriptionAttention build(int vocabulary, int learned, int labels, Compute compute) {
            return new DescriptionAttention(
                    this, vocabulary, new Acquaintance(learned, labels, strangers, compute), compute);
        }
    }

    private static final int STATES = 0;
    private static final int KEYS = 1;
    private static final int VALUES = 2;
    private static final int MASK = 3;
    private static final int SLOTS = 4;
    private static final int WORDS = 5;
    private static final int STRANGERS = 6;
    private static final int TOKENS = 7; // only where a ranker is planted

    private final Config config;
    private final DocumentBatching batching;
    private final Tensor sharpness; // (1)
    private final Linear keys;
    private final Linear queries;
    private final Linear values;
    private final Linear weights;
    private final Linear importance;
    private final @Nullable OwnView own;
    private final SharedBias bias;
    private final Acquaintance acquaintance;
    private final RowReading notes;
    private final LabelWords words;

    DescriptionAttention(Config config, int vocabulary, Acquaintance acquaintance, Compute compute) {
        super(config, config.lexical(), config.dropout(), vocabulary, acquaintance.labels(), compute);
        this.config = config;
        this.acquaintance = acquaintance;
        batching = new DocumentBatching(config.window(), config.overlap(), config.batching());
        int width = width();
        int size = config.projection();
        sharpness = parameter("sharpness", compute, Init.constant(config.sharpness()), 1);
        keys = part("keys", new Linear(width, size, false, compute));
        queries = part("queries", new Linear(width, size, false, compute));
        values = part("values", new Linear(width, size, false, compute));
        weights = part("weights", new Linear(width, size, false, compute));
        importance = part("importance", new Linear(width, 1, false, compute));
        queries.startAs(keys);
        weights.startAs(values);
        own = config.own()
                ? part(
                        "own",
                        new OwnView(
                                config.planted(),
                                vocabulary,
                                acquaintance.known(),
                                width,
                                config.initialDeviation(),
                                compute))
                : null;
        bias = part("head", new SharedBias(acquaintance, config.initialBias(), compute));
        notes = new RowReading(
                (rows, training) -> states(RowReading.batch(rows, training, compute)), config.heldTokens(), compute);
        words = new LabelWords(
                new RowReading((rows, training) -> labelWords(Batch.of(rows, compute)), config.heldTokens(), compute),
                config.labelTokens());
    }

    @Override
    public void describe(List<int[]> descriptions) {
        if (descriptions.size() != labels()) {
            throw new IllegalArgumentException(
                    "descriptions: " + descriptions.size() + " (expected: " + labels() + ")");
        }
        words.describe(descriptions);
    }

    @Override
    public void plant(Relevance relevance, Optional<RankModel> ranker) {
        if (own != null) {
            own.plant(relevance, ranker);
        }
    }

    /**
     * What descriptions' words look for, what they say where they find it, and how much they count: (n, M, d + d + 1). Read
     * without dropout; words that are padding count 0.
     */
    private Tensor labelWords(Batch rows) {
        Tensor states = states(rows);
        Scalar scale = new Scalar(1 / Math.sqrt(config.projection()));
        return SaidWords.joined(
                unit(queries.forward(states)).mul(sharpness),
                weights.forward(states).mul(scale),
                LabelAttention.distribution(importance.forward(states), rows.mask()));
    }

    /** Of length 1. */
    private static Tensor unit(Tensor vectors) {
        Tensor squares = vectors.square().sum(new long[] {-1}, true, new ScalarTypeOptional());
        return vectors.mul(squares.clamp_min(new Scalar(1e-12)).rsqrt());
    }

    @Override
    Encoding encode(Batch batch, Memory before) {
        Windows windows = batching.cut(batch);
        return encoding(
                windows,
                notes.read(windows.rows(), batch.training()),
                GradMode.is_enabled() ? words.read(labels()) : words.known(),
                acquaintance.strangers(),
                List.of());
    }

    /** Labels that are not learned are not even read. */
    @Override
    Encoding encodeToLearn(Batch batch, Memory before) {
        Tensor strangers = acquaintance.drawn();
        Windows windows = batching.cut(batch);
        Optional<Recomputed> states = notes.recomputed(windows.rows(), batch.training());
        Optional<Recomputed> labels = words.recomputed(learned());
        List<Recomputed> recomputed = new ArrayList<>();
        states.ifPresent(recomputed::add);
        labels.ifPresent(recomputed::add);
        return encoding(
                windows,
                states.map(Recomputed::value).orElseGet(() -> notes.read(windows.rows(), batch.training())),
                labels.map(Recomputed::value).orElseGet(() -> words.read(learned())),
                strangers,
                recomputed);
    }

    private Encoding encoding(
            Windows windows, Tensor states, Tensor labelWords, Tensor strangers, List<Recomputed> recomputed) {
        Batch rows = Batch.of(windows.rows(), compute());
        List<Tensor> parts = new ArrayList<>(List.of(
                states,
                unit(keys.forward(states)),
                values.forward(states),
                rows.mask(),
                DocumentBatching.slots(windows, compute()),
                labelWords,
                strangers));
        if (own != null) {
            own.tokens(rows).ifPresent(parts::add);
        }
        return new Encoding(List.copyOf(parts), Memory.NONE, recomputed);
    }

    @Override
    Tensor decode(Batch batch, Encoding encoding, SomeLabels some) {
        return DocumentBatching.best(windowLogits(batch, encoding, some), encoding.part(SLOTS));
    }

    /** (N, L). */
    Tensor windowLogits(Batch batch, Encoding encoding, SomeLabels some) {
        Tensor logits = said(encoding, some).sum(-1L);
        return own == null ? logits : logits.add(ofOwn(batch, encoding, some, own::forward));
    }

    /** What each word of each description says in each window, as much as it counts: (N, L, M). */
    Tensor said(Encoding encoding, SomeLabels some) {
        return words(encoding, some).byWord(encoding.part(KEYS), encoding.part(VALUES), encoding.part(MASK));
    }

    private SaidWords words(Encoding encoding, SomeLabels some) {
        return new SaidWords(encoding.part(WORDS), config.projection()).of(some);
    }

    /** One of the ways to look at a label's own view. */
    @FunctionalInterface
    private interface Look {
        Tensor of(Batch windows, Tensor states, Optional<Tensor> tokens, SomeLabels some);
    }

    private Tensor ofOwn(Batch batch, Encoding encoding, SomeLabels some, Look look) {
        Batch windows = Batch.of(batching.cut(batch).rows(), compute());
        Optional<Tensor> tokens = encoding.parts().stream().skip(TOKENS).findFirst();
        return acquaintance.own(
                some, encoding.part(STRANGERS), known -> look.of(windows, encoding.part(STATES), tokens, known));
    }

    /** A word's share of the logit in the window that speaks for the label, where it is in favour. */
    @Override
    Tensor attend(Batch batch, Encoding encoding, SomeLabels some) {
        Tensor heard = words(encoding, some)
                .byToken(encoding.part(KEYS), encoding.part(VALUES), encoding.part(MASK)); // (N, T, L)
        if (own != null) {
            heard = heard.add(ofOwn(batch, encoding, some, own::byToken));
        }
        return DocumentBatching.spread(
                heard.clamp_min(new Scalar(0)),
                speakers(windowLogits(batch, encoding, some), encoding),
                batching.cut(batch),
                batch,
                compute());
    }

    @Override
    public List<float[]> descriptionEvidence(int[] document, int[] someLabels) {
        return new DescriptionEvidence(this).of(document, someLabels);
    }

    /** For each of the labels the window that speaks for it: (B, L). */
    static Tensor speakers(Tensor windowLogits, Encoding encoding) {
        return DocumentBatching.speakers(windowLogits, encoding.part(SLOTS));
    }

    List<int[]> descriptions() {
        return words.descriptions();
    }

    @Override
    public int learned() {
        return acquaintance.known();
    }

    @Override
    Tensor bias(Encoding encoding, SomeLabels some) {
        return bias.bias(some, encoding.part(STRANGERS));
    }

    @Override
    LabelBias bias() {
        return bias;
    }

    @Override
    Optional<Layer> planted() {
        return own == null ? Optional.empty() : own.planted();
    }

    @Override
    int bytesAtOnce() {
        int ofWords = 16 + 32 * config.labelTokens(); // scores, attention, votes and their gradients of each word
        return own == null ? ofWords : ofWords + own.bytesAtOnce();
    }

    @Override
    public void save(Path folder) {
        super.save(folder);
        Descriptions.write(folder, words.descriptions());
        if (own != null) {
            own.save(folder);
        }
    }

    @Override
    public void load(Path folder) {
        super.load(folder);
        describe(Descriptions.read(folder));
        if (own != null) {
            own.load(folder);
        }
    }

    @Override
    public void close() {
        super.close();
        words.close();
    }
}
