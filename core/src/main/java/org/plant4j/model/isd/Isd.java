package org.plant4j.model.isd;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelEmbedding;
import org.plant4j.layer.TransformerDecoder;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.Encoding;
import org.plant4j.model.SharedViews;
import org.plant4j.model.description.DescriptionFile;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Loss;

/**
 * ISD: a few views of the note that all labels share, each a query's attention over its tokens; a transformer's decoder
 * makes them agree with each other and with the note; and each label chooses the one that speaks for it most.
 *
 * <p>Zhou et al.: Automatic ICD Coding via Interactive Shared Representation Networks with Self-distillation Mechanism,
 * ACL 2021, equations 3 to 7 and 11; how it learns is {@link IsdTraining}. The root of equation 3 is left to the queries'
 * scale: queries that are large beside a step of learning could hardly turn.
 */
public final class Isd extends EncoderNetwork<Isd.Encoded> {

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
            LossWeights weights,
            double initialDeviation,
            double queryDeviation,
            double initialBias)
            implements EncoderNetworkConfig {

        public Config {
            Arguments.rate("dropout", dropout);
            Arguments.rate("decoderDropout", decoderDropout);
            Arguments.atLeast(1, "queries", queries);
            Arguments.atLeast(1, "heads", heads);
            Arguments.atLeast(1, "intermediate", intermediate);
            Arguments.atLeast(0, "layers", layers);
            Arguments.atLeast(0.0, "initialDeviation", initialDeviation);
            Arguments.atLeast(0.0, "queryDeviation", queryDeviation);
        }

        /** Whether views are decoded, and so sets of labels can be completed. */
        boolean hasDecoder() {
            return shared && layers > 0;
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(
                    new EncoderConfig.Convolutions(12, 6, List.of(1, 3, 4), 0.1),
                    false,
                    0.1,
                    true,
                    8,
                    0,
                    2,
                    16,
                    0.1,
                    true,
                    new LossWeights(0.5, 0.01, 0.01, 0.5, 0.01),
                    0.1,
                    1,
                    -1);
        }

        @Override
        public boolean usesDescriptions() {
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
    public record LossWeights(double prediction, double missing, double wrong, double teacher, double distillation) {
        public LossWeights {
            Arguments.atLeast(0.0, "prediction", prediction);
            Arguments.atLeast(0.0, "missing", missing);
            Arguments.atLeast(0.0, "wrong", wrong);
            Arguments.atLeast(0.0, "teacher", teacher);
            Arguments.atLeast(0.0, "distillation", distillation);
        }
    }

    private final Config config;
    private final @Nullable LabelAttention queries;
    private final @Nullable TransformerDecoder decoder;
    private final LabelEmbedding labelEmbeddings;
    private List<int[]> descriptions;

    Isd(Config config, int vocabulary, int labels, Compute compute) {
        super(config, config.lexical(), config.dropout(), vocabulary, labels, compute);
        this.config = config;
        int width = hiddenSize();
        queries = config.shared()
                ? submodule("queries", new LabelAttention(config.queries(), width, config.queryDeviation(), compute))
                : null;
        decoder = config.hasDecoder()
                ? submodule(
                        "decoder",
                        new TransformerDecoder(
                                config.layers(),
                                width,
                                config.heads(),
                                config.intermediate(),
                                config.decoderDropout(),
                                compute))
                : null;
        labelEmbeddings = submodule(
                "codes",
                new LabelEmbedding(
                        labels, config.embedding(), width, config.initialDeviation(), config.initialBias(), compute));
        descriptions = Collections.nCopies(labels, new int[0]);
    }

    /** What was read of a text: its states (B, T, H), and where labels share views, their attention (B, T, Q). */
    public record Views(
            Tensor hiddenStates,
            Tensor mask,
            Optional<Tensor> attention,
            Optional<Tensor> sharedViews, // (B, Q, H), decoded
            Optional<TransformerDecoder.Memory> memory) {}

    Config config() {
        return config;
    }

    List<int[]> descriptions() {
        return descriptions;
    }

    /** The labels' vectors, (L, H). */
    Tensor labelEmbeddings() {
        return labelEmbeddings.forward(embedding());
    }

    Tensor withMask(Tensor labels) {
        return labelEmbeddings.withMask(labels);
    }

    /** The views of texts whose states are known; {@code mask} (B, T) is true for real tokens. */
    Views computeViews(Tensor states, Tensor mask, boolean training) {
        if (queries == null) {
            return new Views(states, mask, Optional.empty(), Optional.empty(), Optional.empty());
        }
        Tensor attention = queries.forward(states, mask, LabelSelection.ALL); // (B, T, Q)
        Tensor views = torch.matmul(attention.transpose(1, 2), states); // (B, Q, H)
        if (decoder == null) {
            return new Views(states, mask, Optional.of(attention), Optional.of(views), Optional.empty());
        }
        TransformerDecoder.Memory text = decoder.memory(states, mask);
        return new Views(
                states,
                mask,
                Optional.of(attention),
                Optional.of(decoder.forward(views, Optional.empty(), text, training)),
                Optional.of(text));
    }

    /** A set of labels' vectors (B, S, H) through the decoder. */
    Tensor decode(Tensor set, Tensor hidden, TransformerDecoder.Memory text) {
        if (decoder == null) {
            throw new IllegalStateException("there is no decoder");
        }
        return decoder.forward(set, Optional.of(hidden), text, true);
    }

    /** Logits (B, L) without their bias, for labels of these vectors (L, H). */
    Tensor logits(Views reading, Tensor vectors) {
        return logits(reading.hiddenStates(), reading.mask(), reading.sharedViews(), vectors);
    }

    private Tensor logits(Tensor states, Tensor mask, Optional<Tensor> views, Tensor vectors) {
        if (views.isPresent()) {
            return scores(views.get(), vectors).amax(new long[] {1}, false);
        }
        Tensor votes = scores(states, vectors); // (B, T, L)
        return perLabelAttention(votes, mask).mul(votes).sum(1L);
    }

    /** What views or states (B, ·, H) say for each label. */
    static Tensor scores(Tensor from, Tensor vectors) {
        return torch.matmul(from, vectors.t());
    }

    private static Tensor perLabelAttention(Tensor votes, Tensor mask) {
        return LabelAttention.maskedSoftmax(votes.clone(), mask);
    }

    @Override
    public Tensor computeGradients(Segments segments, Tensor targets, Loss loss) {
        return new IsdTraining(this, loss).computeGradients(segments, targets);
    }

    /** Hidden states (B, T, H), label embeddings (L, H), and the views that labels share. */
    public record Encoded(Tensor hiddenStates, Tensor labelEmbeddings, Optional<EncodedViews> views)
            implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(
                    function.apply(hiddenStates),
                    function.apply(labelEmbeddings),
                    views.map(shared -> new EncodedViews(
                            function.apply(shared.attention()), function.apply(shared.representations()))));
        }
    }

    /** Attention (B, T, Q) of the shared views and their representations (B, Q, H). */
    public record EncodedViews(Tensor attention, Tensor representations) {

        /** The view with the highest score for each label, (B, L). */
        private Tensor chosen(Tensor vectors) {
            return scores(representations, vectors).argmax(new LongOptional(1), false);
        }
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Views views = computeViews(hiddenStates(batch), batch.mask(), batch.training());
        return new Encoded(
                views.hiddenStates(),
                labelEmbeddings(),
                views.attention()
                        .map(attention ->
                                new EncodedViews(attention, views.sharedViews().orElseThrow())));
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return logits(
                encoding.hiddenStates(),
                batch.mask(),
                encoding.views().map(EncodedViews::representations),
                labels.select(encoding.labelEmbeddings()));
    }

    /** A token's weight in the view that the label chose, multiplied by the score of its hidden state for the label. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor states = encoding.hiddenStates();
        Tensor vectors = labels.select(encoding.labelEmbeddings());
        Tensor tokenScores = scores(states, vectors); // (B, T, L)
        if (encoding.views().isEmpty()) {
            return perLabelAttention(tokenScores, batch.mask());
        }
        EncodedViews views = encoding.views().get();
        Tensor chosen = views.chosen(vectors).unsqueeze(1).expand(states.size(0), states.size(1), vectors.size(0));
        return views.attention().gather(2, chosen).mul(torch.sigmoid(tokenScores));
    }

    @Override
    public List<Optional<SharedViews>> sharedViews(Batch batch, Encoded encoding, List<int[]> labels) {
        if (encoding.views().isEmpty()) {
            return super.sharedViews(batch, encoding, labels);
        }
        EncodedViews views = encoding.views().get();
        float[][] chosen = toArrays(views.chosen(encoding.labelEmbeddings()).to(torch.ScalarType.Float)); // (B, L)
        return IntStream.range(0, labels.size())
                .mapToObj(row -> Optional.of(new SharedViews(
                        toArrays(views.attention().select(0, row).t().to(torch.ScalarType.Float)),
                        Arrays.stream(labels.get(row))
                                .map(label -> (int) chosen[row][label])
                                .toArray())))
                .toList();
    }

    /** Words that the run does not know say nothing, in a label's vector or in a teacher's text. */
    @Override
    public void setDescriptions(List<int[]> labelDescriptions) {
        descriptions = labelDescriptions.stream()
                .map(words -> Arrays.stream(words)
                        .filter(word -> word > Vocabulary.UNKNOWN)
                        .toArray())
                .toList();
        labelEmbeddings.setDescriptions(descriptions);
    }

    @Override
    public LabelBias bias() {
        return labelEmbeddings;
    }

    @Override
    public int minTokensPerDocument() {
        return config.shared() ? config.queries() : 1;
    }

    @Override
    public void save(Path folder) {
        super.save(folder);
        DescriptionFile.write(folder, descriptions);
    }

    @Override
    public void load(Path folder) {
        super.load(folder);
        setDescriptions(DescriptionFile.read(folder));
    }
}
