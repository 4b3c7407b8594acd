package org.plant4j.models;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.nn.Batch;
import org.plant4j.nn.CodeEmbeddings;
import org.plant4j.nn.Compute;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.LabelBias;
import org.plant4j.nn.Memory;
import org.plant4j.nn.Segments;
import org.plant4j.nn.SomeLabels;
import org.plant4j.nn.TransformerDecoder;
import org.plant4j.text.Vocabulary;

/**
 * ISD: a few views of the note that all labels share, each a query's attention over its tokens; a transformer's decoder
 * makes them agree with each other and with the note; and each label chooses the one that speaks for it most.
 *
 * <p>Zhou et al.: Automatic ICD Coding via Interactive Shared Representation Networks with Self-distillation Mechanism,
 * ACL 2021, equations 3 to 7 and 11; how it learns is {@link IsdLearning}. The root of equation 3 is left to the queries'
 * scale: queries that are large beside a step of learning could hardly turn.
 */
public final class Isd extends EncodedNetwork implements Described {

    /**
     * {@code queries} views; a decoder of {@code layers}, none where 0. Without {@code shared} each label attends for
     * itself, with its own vector, and there is nothing to decode or distil. {@code lexical} joins a token's own vector to
     * its state. Without {@code selfDistillation} nothing is learned from descriptions but the labels' vectors. Queries
     * start with {@code queryDeviation}, labels' vectors with {@code initialDeviation}: views that start flat are all the
     * same, and the choice between them means nothing.
     */
    public record Config(
            EncoderConfig encoder,
            boolean lexical,
            double dropout,
            boolean shared,
            int queries,
            int layers,
            int heads,
            int intermediate,
            double decoderDropout,
            boolean selfDistillation,
            Weights weights,
            double initialDeviation,
            double queryDeviation,
            double initialBias)
            implements EncodedConfig {

        public Config {
            NetworkConfig.dropout(dropout);
            NetworkConfig.dropout(decoderDropout);
            NetworkConfig.positive("queries", queries);
            NetworkConfig.positive("heads", heads);
            NetworkConfig.positive("intermediate", intermediate);
            if (layers < 0) {
                throw new IllegalArgumentException("layers: " + layers + " (expected: >= 0)");
            }
            notNegative("initialDeviation", initialDeviation);
            notNegative("queryDeviation", queryDeviation);
        }

        private static void notNegative(String name, double value) {
            if (!(value >= 0)) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
            }
        }

        /** Whether views are decoded, and so sets of labels can be completed. */
        boolean decodes() {
            return shared && layers > 0;
        }

        @Override
        public boolean readsDescriptions() {
            return true;
        }

        @Override
        public Isd build(int vocabulary, int labels, Compute compute) {
            return new Isd(this, vocabulary, labels, compute);
        }
    }

    /**
     * What each loss counts (equation 15), in the authors' scale: there cross-entropy is a mean over labels. Here it is
     * their sum, so the losses that are no sum over labels are multiplied by the number of labels, and proportions hold.
     */
    public record Weights(double prediction, double missing, double wrong, double teacher, double distillation) {
        public Weights {
            for (double weight : new double[] {prediction, missing, wrong, teacher, distillation}) {
                if (!(weight >= 0)) {
                    throw new IllegalArgumentException("weight: " + weight + " (expected: >= 0)");
                }
            }
        }
    }

    private static final int STATES = 0;
    private static final int CODES = 1;
    private static final int ATTENTION = 2;
    private static final int SHARED = 3;

    private final Config config;
    private final @Nullable LabelAttention queries;
    private final @Nullable TransformerDecoder decoder;
    private final CodeEmbeddings codes;
    private List<int[]> descriptions;

    Isd(Config config, int vocabulary, int labels, Compute compute) {
        super(config, config.lexical(), config.dropout(), vocabulary, labels, compute);
        this.config = config;
        int width = width();
        queries = config.shared()
                ? part("queries", new LabelAttention(config.queries(), width, config.queryDeviation(), compute))
                : null;
        decoder = config.decodes()
                ? part(
                        "decoder",
                        new TransformerDecoder(
                                config.layers(),
                                width,
                                config.heads(),
                                config.intermediate(),
                                config.decoderDropout(),
                                compute))
                : null;
        codes = part(
                "codes",
                new CodeEmbeddings(
                        labels, config.embedding(), width, config.initialDeviation(), config.initialBias(), compute));
        descriptions = Collections.nCopies(labels, new int[0]);
    }

    /** What was read of a text: its states (B, T, H), and where labels share views, their attention (B, T, Q). */
    record Reading(
            Tensor states,
            Tensor mask,
            Optional<Tensor> attention,
            Optional<Tensor> views, // (B, Q, H), decoded
            Optional<TransformerDecoder.Text> text) {}

    Config config() {
        return config;
    }

    List<int[]> descriptions() {
        return descriptions;
    }

    /** The labels' vectors, (L, H). */
    Tensor codes() {
        return codes.forward(embedding());
    }

    Tensor withMask(Tensor labels) {
        return codes.withMask(labels);
    }

    /** The views of texts whose states are known; {@code mask} (B, T) is true for real tokens. */
    Reading read(Tensor states, Tensor mask, boolean training) {
        if (queries == null) {
            return new Reading(states, mask, Optional.empty(), Optional.empty(), Optional.empty());
        }
        Tensor attention = queries.forward(states, mask, SomeLabels.ALL); // (B, T, Q)
        Tensor views = torch.matmul(attention.transpose(1, 2), states); // (B, Q, H)
        if (decoder == null) {
            return new Reading(states, mask, Optional.of(attention), Optional.of(views), Optional.empty());
        }
        TransformerDecoder.Text text = decoder.read(states, mask);
        return new Reading(
                states,
                mask,
                Optional.of(attention),
                Optional.of(decoder.forward(views, Optional.empty(), text, training)),
                Optional.of(text));
    }

    /** A set of labels' vectors (B, S, H) through the decoder. */
    Tensor decode(Tensor set, Tensor hidden, TransformerDecoder.Text text) {
        if (decoder == null) {
            throw new IllegalStateException("there is no decoder");
        }
        return decoder.forward(set, Optional.of(hidden), text, true);
    }

    /** Logits (B, L) without their bias, for labels of these vectors (L, H). */
    Tensor logits(Reading reading, Tensor vectors) {
        return logits(reading.states(), reading.mask(), reading.views(), vectors);
    }

    private Tensor logits(Tensor states, Tensor mask, Optional<Tensor> views, Tensor vectors) {
        if (views.isPresent()) {
            return votes(views.get(), vectors).amax(new long[] {1}, false);
        }
        Tensor votes = votes(states, vectors); // (B, T, L)
        return ownAttention(votes, mask).mul(votes).sum(1L);
    }

    /** What views or states (B, ·, H) say for each label. */
    static Tensor votes(Tensor from, Tensor vectors) {
        return torch.matmul(from, vectors.t());
    }

    private static Tensor ownAttention(Tensor votes, Tensor mask) {
        return LabelAttention.distribution(votes.clone(), mask);
    }

    @Override
    Tensor learn(Segments segments, Tensor targets, Loss loss) {
        return new IsdLearning(this, loss).learn(segments, targets);
    }

    @Override
    Encoding encode(Batch batch, Memory before) {
        Reading reading = read(states(batch), batch.mask(), batch.training());
        return reading.attention().isPresent()
                ? Encoding.of(
                        reading.states(),
                        codes(),
                        reading.attention().get(),
                        reading.views().orElseThrow())
                : Encoding.of(reading.states(), codes());
    }

    @Override
    Tensor decode(Batch batch, Encoding encoding, SomeLabels some) {
        Optional<Tensor> views = config.shared() ? Optional.of(encoding.part(SHARED)) : Optional.empty();
        return logits(encoding.part(STATES), batch.mask(), views, some.of(encoding.part(CODES)));
    }

    /** A token's share of the view that the label chose, the more the more its own state speaks for the label. */
    @Override
    Tensor attend(Batch batch, Encoding encoding, SomeLabels some) {
        Tensor states = encoding.part(STATES);
        Tensor vectors = some.of(encoding.part(CODES));
        Tensor votes = votes(states, vectors); // (B, T, L)
        if (!config.shared()) {
            return ownAttention(votes, batch.mask());
        }
        Tensor chosen = chosen(encoding, vectors).unsqueeze(1).expand(states.size(0), states.size(1), vectors.size(0));
        return encoding.part(ATTENTION).gather(2, chosen).mul(torch.sigmoid(votes));
    }

    /** The view that each label chose, (B, L). */
    private static Tensor chosen(Encoding encoding, Tensor vectors) {
        return votes(encoding.part(SHARED), vectors).argmax(new LongOptional(1), false);
    }

    @Override
    public Optional<SharedViews> sharedViews(int[] document, int[] someLabels) {
        if (!config.shared()) {
            return Optional.empty();
        }
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute().autocast()) {
            Encoding encoding = encode(Batch.of(List.of(document), compute()), Memory.NONE);
            float[][] attention = rows(encoding.part(ATTENTION).select(0, 0).t().to(torch.ScalarType.Float));
            float[][] chosen = rows(chosen(encoding, encoding.part(CODES)).to(torch.ScalarType.Float));
            return Optional.of(new SharedViews(
                    document.length == 0 ? new float[attention.length][0] : attention,
                    Arrays.stream(someLabels)
                            .map(label -> (int) chosen[0][label])
                            .toArray()));
        }
    }

    /** Words that the run does not know say nothing, in a label's vector or in a teacher's text. */
    @Override
    public void describe(List<int[]> labelDescriptions) {
        descriptions = labelDescriptions.stream()
                .map(words -> Arrays.stream(words)
                        .filter(word -> word > Vocabulary.UNKNOWN)
                        .toArray())
                .toList();
        codes.describe(descriptions);
    }

    @Override
    LabelBias bias() {
        return codes;
    }

    @Override
    int leastTokens() {
        return config.shared() ? config.queries() : 1;
    }

    @Override
    public void save(Path folder) {
        super.save(folder);
        Descriptions.write(folder, descriptions);
    }

    @Override
    public void load(Path folder) {
        super.load(folder);
        describe(Descriptions.read(folder));
    }
}
