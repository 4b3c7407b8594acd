package org.plant4j.models;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Bias;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Dropout;
import org.plant4j.nn.Embedding;
import org.plant4j.nn.Encoder;
import org.plant4j.nn.Init;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.LabelBias;
import org.plant4j.nn.LabelHead;
import org.plant4j.nn.LabelView;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Linear;
import org.plant4j.nn.Memory;
import org.plant4j.nn.SomeLabels;
import org.plant4j.nn.Windows;

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
 */
public final class DescriptionAttention extends LabelNetwork implements Described {

    /**
     * {@code projection} is d, {@code sharpness} what s starts with. {@code window} and {@code overlap} are in tokens;
     * without {@code batching} the first window is all that is read. Of a description {@code labelTokens} tokens are read.
     * {@code heldTokens} are the padded tokens, of notes and of descriptions each, whose inner states are held while
     * learning; of more, they are computed anew on the way back.
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
            int heldTokens)
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
        }

        @Override
        public boolean readsDescriptions() {
            return true;
        }

        @Override
        public DescriptionAttention build(int vocabulary, int labels, Compute compute) {
            return new DescriptionAttention(this, vocabulary, labels, compute);
        }
    }

    private static final int STATES = 0;
    private static final int KEYS = 1;
    private static final int VALUES = 2;
    private static final int MASK = 3;
    private static final int SLOTS = 4;
    private static final int WORDS = 5;

    private final Config config;
    private final DocumentBatching batching;
    private final Encoder encoder;
    private final Dropout dropout;
    private final Tensor sharpness; // (1)
    private final Linear keys;
    private final Linear queries;
    private final Linear values;
    private final Linear weights;
    private final Linear importance;
    private final @Nullable LabelView own;
    private final Bias bias;
    private final RowReading notes;
    private final LabelWords words;

    DescriptionAttention(Config config, int vocabulary, int labels, Compute compute) {
        super(labels, compute);
        this.config = config;
        batching = new DocumentBatching(config.window(), config.overlap(), config.batching());
        encoder = part("encoder", config.encoder().build(vocabulary, compute));
        dropout = new Dropout(config.dropout());
        int width = encoder.width() + (config.lexical() ? config.embedding() : 0);
        int size = config.projection();
        sharpness = parameter("sharpness", compute, Init.constant(config.sharpness()), 1);
        keys = part("keys", new Linear(width, size, false, compute));
        queries = part("queries", new Linear(width, size, false, compute));
        values = part("values", new Linear(width, size, false, compute));
        weights = part("weights", new Linear(width, size, false, compute));
        importance = part("importance", new Linear(width, 1, false, compute));
        startAlike(queries, keys);
        startAlike(weights, values);
        own = config.own() ? part("own", new LabelView(labels, width, config.initialDeviation(), compute)) : null;
        bias = part("head", new Bias(labels, config.initialBias(), compute));
        notes = new RowReading(
                (rows, training) -> states(RowReading.batch(rows, training, compute)), config.heldTokens(), compute);
        words = new LabelWords(
                new RowReading((rows, training) -> labelWords(Batch.of(rows, compute)), config.heldTokens(), compute),
                config.labelTokens());
    }

    private static void startAlike(Linear layer, Linear like) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            layer.parameters()
                    .forEach((name, tensor) -> tensor.copy_(like.parameters().get(name)));
        }
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
    public void start(Path learned) {
        encoder.start(learned);
    }

    @Override
    public Embedding embedding() {
        return encoder.embedding();
    }

    /** (N, M, H) of rows of words. */
    private Tensor states(Batch rows) {
        Tensor states = encoder.forward(rows);
        if (config.lexical()) {
            states = torch.cat(new TensorVector(states, encoder.embedding().forward(rows.tokens())), -1);
        }
        return dropout.forward(states, rows);
    }

    /**
     * What descriptions' words look for, what they say where they find it, and how much they count: (n, M, d + d + 1). Read
     * without dropout; words that are padding count 0.
     */
    private Tensor labelWords(Batch rows) {
        Tensor states = states(rows);
        Scalar scale = new Scalar(1 / Math.sqrt(config.projection()));
        return torch.cat(
                new TensorVector(
                        unit(queries.forward(states)).mul(sharpness),
                        weights.forward(states).mul(scale),
                        LabelAttention.distribution(importance.forward(states), rows.mask())),
                -1);
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
                GradMode.is_enabled() ? words.read() : words.known(),
                List.of());
    }

    @Override
    Encoding encodeToLearn(Batch batch, Memory before) {
        Windows windows = batching.cut(batch);
        Optional<Recomputed> states = notes.recomputed(windows.rows(), batch.training());
        Optional<Recomputed> labels = words.recomputed();
        List<Recomputed> recomputed = new ArrayList<>();
        states.ifPresent(recomputed::add);
        labels.ifPresent(recomputed::add);
        return encoding(
                windows,
                states.map(Recomputed::value).orElseGet(() -> notes.read(windows.rows(), batch.training())),
                labels.map(Recomputed::value).orElseGet(words::read),
                recomputed);
    }

    private Encoding encoding(Windows windows, Tensor states, Tensor labelWords, List<Recomputed> recomputed) {
        return new Encoding(
                List.of(
                        states,
                        unit(keys.forward(states)),
                        values.forward(states),
                        mask(windows),
                        DocumentBatching.slots(windows, compute()),
                        labelWords),
                Memory.NONE,
                recomputed);
    }

    private Tensor mask(Windows windows) {
        return Batch.of(windows.rows(), compute()).mask();
    }

    @Override
    Tensor decode(Batch batch, Encoding encoding, SomeLabels some) {
        return DocumentBatching.best(windowLogits(encoding, some), encoding.part(SLOTS));
    }

    /** (N, L). */
    private Tensor windowLogits(Encoding encoding, SomeLabels some) {
        Tensor logits = said(encoding, some).sum(-1L);
        return own == null ? logits : logits.add(own.forward(encoding.part(STATES), encoding.part(MASK), some));
    }

    /** What each word of each description says in each window, as much as it counts: (N, L, M). */
    private Tensor said(Encoding encoding, SomeLabels some) {
        Tensor labelWords = some.of(encoding.part(WORDS));
        Tensor said = LabelHead.said(
                encoding.part(VALUES), attention(encoding, labelWords), part(labelWords, config.projection()));
        return said.view(said.size(0), labelWords.size(0), labelWords.size(1)).mul(shares(labelWords));
    }

    /** For each word of each description a distribution over the windows' words: (N, T, L · M). */
    private Tensor attention(Encoding encoding, Tensor labelWords) {
        return LabelAttention.distribution(
                torch.matmul(encoding.part(KEYS), part(labelWords, 0).t()), encoding.part(MASK));
    }

    /** (L · M, d): what the words look for, or from {@code first} = d on what they say. */
    private Tensor part(Tensor labelWords, int first) {
        return labelWords.narrow(2, first, config.projection()).flatten(0, 1);
    }

    /** (L, M). */
    private Tensor shares(Tensor labelWords) {
        return labelWords.select(2, 2L * config.projection());
    }

    /** A word's share of the logit in the window that speaks for the label, where it is in favour. */
    @Override
    Tensor attend(Batch batch, Encoding encoding, SomeLabels some) {
        Tensor labelWords = some.of(encoding.part(WORDS));
        Tensor votes = torch.matmul(
                encoding.part(VALUES), part(labelWords, config.projection()).t());
        Tensor heard = attention(encoding, labelWords)
                .mul(votes)
                .view(votes.size(0), votes.size(1), labelWords.size(0), labelWords.size(1))
                .mul(shares(labelWords))
                .sum(-1L); // (N, T, L)
        if (own != null) {
            heard = heard.add(own.byToken(encoding.part(STATES), encoding.part(MASK), some));
        }
        return DocumentBatching.spread(
                heard.clamp_min(new Scalar(0)),
                DocumentBatching.speakers(windowLogits(encoding, some), encoding.part(SLOTS)),
                batching.cut(batch),
                batch,
                compute());
    }

    @Override
    public List<float[]> descriptionEvidence(int[] document, int[] someLabels) {
        if (someLabels.length == 0) {
            return List.of();
        }
        List<float[]> evidence = new ArrayList<>();
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute().autocast()) {
            Batch batch = Batch.of(List.of(document), compute());
            Encoding encoding = encode(batch, Memory.NONE);
            for (int[] some : portions(someLabels, room(batch))) {
                evidence.addAll(descriptionEvidence(encoding, some));
            }
        }
        return evidence;
    }

    private List<float[]> descriptionEvidence(Encoding encoding, int[] someLabels) {
        try (PointerScope scope = new PointerScope()) {
            SomeLabels asked = asked(someLabels);
            Tensor speakers = DocumentBatching.speakers(windowLogits(encoding, asked), encoding.part(SLOTS)); // (1, L)
            Tensor said = said(encoding, asked).clamp_min(new Scalar(0)); // (N, L, M)
            Tensor row = speakers.unsqueeze(-1).expand(1, said.size(1), said.size(2));
            float[][] weights = rows(said.gather(0, row).select(0, 0).to(torch.ScalarType.Float));
            return IntStream.range(0, weights.length)
                    .mapToObj(i -> share(weights[i], words.descriptions().get(someLabels[i]).length))
                    .toList();
        }
    }

    /** Of a description's own words alone. */
    private static float[] share(float[] padded, int words) {
        float[] weights = Arrays.copyOf(padded, words);
        Evidence.normalize(weights);
        return weights;
    }

    @Override
    LabelBias bias() {
        return bias;
    }

    @Override
    List<Layer> encoderLayers() {
        return encoder.layers();
    }

    @Override
    int bytesAtOnce() {
        return 16 + 32 * config.labelTokens(); // scores, attention, votes and their gradients of each word
    }

    @Override
    public void save(Path folder) {
        super.save(folder);
        Descriptions.write(folder, words.descriptions());
    }

    @Override
    public void load(Path folder) {
        super.load(folder);
        describe(Descriptions.read(folder));
    }

    @Override
    public void close() {
        super.close();
        words.close();
    }
}
