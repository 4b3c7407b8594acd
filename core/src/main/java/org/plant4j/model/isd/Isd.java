package org.plant4j.model.isd;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelEmbedding;
import org.plant4j.layer.transformer.TransformerDecoder;
import org.plant4j.model.EncoderNetwork;
import org.plant4j.model.EncoderNetworkConfig;
import org.plant4j.model.Encoding;
import org.plant4j.model.description.DescriptionFile;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.SharedViews;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Loss;

/**
 * ISD: all labels share a few views of the document, each the attention of one query over its tokens. A transformer
 * decoder relates the views to each other and to the document, and each label takes the view with the highest score for
 * it.
 *
 * <p>Zhou et al.: Automatic ICD Coding via Interactive Shared Representation Networks with Self-distillation Mechanism,
 * ACL 2021, equations 3 to 7 and 11; {@link IsdTraining} has the losses. The square root in equation 3 is left out: the
 * initial scale of the queries replaces it, since queries that are large relative to the learning rate hardly change.
 */
public final class Isd extends EncoderNetwork<Isd.Encoded> {

    private static final double SMALLEST_LENGTH = 1e-8;

    /**
     * Settings of the network.
     *
     * @param lexical whether a token's embedding is concatenated to its hidden state
     * @param dropout applied to the hidden states
     * @param shared whether labels share views; otherwise each label has its own attention, without decoder or
     *     distillation
     * @param queries number of shared views; 0 for one per category of the codes, whose query starts as the mean embedding
     *     of its labels
     * @param layers layers of the decoder; 0 for none
     * @param selfDistillation whether a teacher that reads the descriptions of a document's labels is trained too
     * @param initialDeviation standard deviation of the label embeddings at the start
     * @param queryDeviation that of the queries; with a small one all views start equal, and labels cannot choose
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
            Arguments.rate("decoder_dropout", decoderDropout);
            Arguments.atLeast(0, "queries", queries);
            Arguments.atLeast(1, "heads", heads);
            Arguments.atLeast(1, "intermediate", intermediate);
            Arguments.atLeast(0, "layers", layers);
            Arguments.atLeast(0.0, "initial_deviation", initialDeviation);
            Arguments.atLeast(0.0, "query_deviation", queryDeviation);
        }

        /** Whether views pass through a decoder, which then also completes label sets. */
        boolean hasDecoder() {
            return shared && layers > 0;
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return builder(new EncoderConfig.Convolutions(12, 6, List.of(1, 3, 4), 0.1))
                    .dropout(0.1)
                    .decoderDropout(0.1)
                    .initialBias(-1)
                    .build();
        }

        /** Starts from a small network with shared views, but without a decoder and without dropout. */
        public static Builder builder(EncoderConfig encoder) {
            return new Builder(encoder);
        }

        /** Builds a configuration step by step; see {@link #builder}. */
        public static final class Builder {

            private EncoderConfig encoder;
            private boolean lexical = false;
            private double dropout = 0;
            private boolean shared = true;
            private int queries = 8;
            private int layers = 0;
            private int heads = 2;
            private int intermediate = 16;
            private double decoderDropout = 0;
            private boolean selfDistillation = true;
            private LossWeights weights = new LossWeights(0.5, 0.01, 0.01, 0.5, 0.01);
            private double initialDeviation = 0.1;
            private double queryDeviation = 1;
            private double initialBias = 0;

            private Builder(EncoderConfig encoder) {
                this.encoder = encoder;
            }

            public Builder lexical(boolean value) {
                lexical = value;
                return this;
            }

            public Builder dropout(double value) {
                dropout = value;
                return this;
            }

            public Builder shared(boolean value) {
                shared = value;
                return this;
            }

            public Builder queries(int value) {
                queries = value;
                return this;
            }

            public Builder layers(int value) {
                layers = value;
                return this;
            }

            public Builder heads(int value) {
                heads = value;
                return this;
            }

            public Builder intermediate(int value) {
                intermediate = value;
                return this;
            }

            public Builder decoderDropout(double value) {
                decoderDropout = value;
                return this;
            }

            public Builder selfDistillation(boolean value) {
                selfDistillation = value;
                return this;
            }

            public Builder weights(LossWeights value) {
                weights = value;
                return this;
            }

            public Builder initialDeviation(double value) {
                initialDeviation = value;
                return this;
            }

            public Builder queryDeviation(double value) {
                queryDeviation = value;
                return this;
            }

            public Builder initialBias(double value) {
                initialBias = value;
                return this;
            }

            public Config build() {
                return new Config(
                        encoder,
                        lexical,
                        dropout,
                        shared,
                        queries,
                        layers,
                        heads,
                        intermediate,
                        decoderDropout,
                        selfDistillation,
                        weights,
                        initialDeviation,
                        queryDeviation,
                        initialBias);
            }
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        @Override
        public Isd build(int vocabularySize, int labels, Compute compute) {
            return new Isd(this, vocabularySize, IntStream.range(0, labels).toArray(), compute);
        }

        @Override
        public Isd build(int vocabularySize, LabelIndex labels, Compute compute) {
            return new Isd(
                    this, vocabularySize, CodeSystem.categories(labels.codes().subList(0, labels.size())), compute);
        }
    }

    /**
     * Weights of the losses (equation 15) as in the paper, where cross-entropy is a mean over labels. Ours is a sum, so
     * the losses that are not a sum over labels are multiplied by the number of labels.
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
    private final int[] categories;
    private final int viewCount;
    private List<int[]> descriptions;

    /** {@code categories} has the category of each label, from 0 on. */
    Isd(Config config, int vocabularySize, int[] categories, Compute compute) {
        super(config, config.lexical(), config.dropout(), vocabularySize, categories.length, compute);
        this.config = config;
        this.categories = categories;
        int labels = categories.length;
        int width = hiddenSize();
        viewCount = config.queries() > 0
                ? config.queries()
                : Arrays.stream(categories).max().orElse(0) + 1;
        queries = config.shared()
                ? submodule("queries", new LabelAttention(viewCount, width, config.queryDeviation(), compute))
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

    /** Hidden states (B, T, H) of documents and, if labels share views, the attention of these (B, T, Q). */
    public record Views(
            Tensor hiddenStates,
            Tensor mask,
            Optional<Tensor> attention,
            Optional<Tensor> sharedViews, // (B, Q, H), after the decoder
            Optional<TransformerDecoder.Memory> memory) {}

    Config config() {
        return config;
    }

    List<int[]> descriptions() {
        return descriptions;
    }

    /** Label embeddings (L, H). */
    Tensor labelEmbeddings() {
        return labelEmbeddings.forward(embedding());
    }

    Tensor withMask(Tensor labels) {
        return labelEmbeddings.withMask(labels);
    }

    /** Views of documents with these hidden states; {@code mask} (B, T) is false at padding. */
    Views computeViews(Tensor hiddenStates, Tensor mask, boolean training) {
        if (queries == null) {
            return new Views(hiddenStates, mask, Optional.empty(), Optional.empty(), Optional.empty());
        }
        Tensor attention = queries.forward(hiddenStates, mask, LabelSelection.ALL); // (B, T, Q)
        Tensor views = torch.matmul(attention.transpose(1, 2), hiddenStates); // (B, Q, H)
        if (decoder == null) {
            return new Views(hiddenStates, mask, Optional.of(attention), Optional.of(views), Optional.empty());
        }
        TransformerDecoder.Memory memory = decoder.memory(hiddenStates, mask);
        return new Views(
                hiddenStates,
                mask,
                Optional.of(attention),
                Optional.of(decoder.forward(views, Optional.empty(), memory, training)),
                Optional.of(memory));
    }

    /** Decodes label sets, given as embeddings (B, S, H). */
    Tensor decode(Tensor set, Tensor paddingMask, TransformerDecoder.Memory memory) {
        if (decoder == null) {
            throw new IllegalStateException("The network has no decoder");
        }
        return decoder.forward(set, Optional.of(paddingMask), memory, true);
    }

    /** Logits (B, L) without the bias, for labels with these embeddings (L, H). */
    Tensor logits(Views views, Tensor embeddings) {
        return logits(views.hiddenStates(), views.mask(), views.sharedViews(), embeddings);
    }

    private Tensor logits(Tensor hiddenStates, Tensor mask, Optional<Tensor> views, Tensor embeddings) {
        if (views.isPresent()) {
            return scores(views.get(), embeddings).amax(new long[] {1}, false);
        }
        Tensor tokenScores = scores(hiddenStates, embeddings); // (B, T, L)
        return perLabelAttention(tokenScores, mask).mul(tokenScores).sum(1L);
    }

    /** Scores (B, ·, L) of views or hidden states (B, ·, H) for each label. */
    static Tensor scores(Tensor vectors, Tensor embeddings) {
        return torch.matmul(vectors, embeddings.t());
    }

    private static Tensor perLabelAttention(Tensor tokenScores, Tensor mask) {
        return LabelAttention.maskedSoftmax(tokenScores.clone(), mask);
    }

    @Override
    public boolean supportsEvidenceLoss() {
        return false; // its training computes other losses
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
        private Tensor chosen(Tensor embeddings) {
            return scores(representations, embeddings).argmax(new LongOptional(1), false);
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

    /** The attention of the view that the label chose, or of the label itself if labels share no views. */
    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor hiddenStates = encoding.hiddenStates();
        Tensor embeddings = labels.select(encoding.labelEmbeddings());
        if (encoding.views().isEmpty()) {
            return perLabelAttention(scores(hiddenStates, embeddings), batch.mask());
        }
        EncodedViews views = encoding.views().get();
        Tensor chosen = views.chosen(embeddings)
                .unsqueeze(1)
                .expand(hiddenStates.size(0), hiddenStates.size(1), embeddings.size(0));
        return views.attention().gather(2, chosen);
    }

    /**
     * A token's weight in the view that the label chose, multiplied by the score of its hidden state for the label. The
     * attention of the label itself is already made of these scores.
     */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor attention = attentionWeights(batch, encoding, labels);
        return encoding.views().isEmpty()
                ? attention
                : attention.mul(torch.sigmoid(
                        scores(encoding.hiddenStates(), labels.select(encoding.labelEmbeddings())))); // (B, T, L)
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
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

    /** Unknown tokens are left out, both of the label embeddings and of the teacher's documents. */
    @Override
    public void setDescriptions(List<int[]> labelDescriptions) {
        readDescriptions(labelDescriptions);
        if (queries != null && config.queries() == 0) {
            startFromCategories(queries.queries());
        }
    }

    /**
     * Sets each query to the mean embedding of a category's labels, with the expected length of a random query: the embeddings
     * themselves are so small at the start that all views would be alike.
     */
    private void startFromCategories(Tensor start) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor members = compute()
                    .toDevice(Tensor.create(
                            Arrays.stream(categories).asLongStream().toArray()));
            Tensor sums = torch.zeros_like(start).index_add_(0, members, labelEmbeddings());
            Tensor lengths = sums.norm(new ScalarOptional(new Scalar(2)), new long[] {-1}, true)
                    .clamp_min(new Scalar(SMALLEST_LENGTH));
            double length = config.queryDeviation() * Math.sqrt(hiddenSize());
            start.copy_(sums.div_(lengths).mul_(new Scalar(length)));
        }
    }

    private void readDescriptions(List<int[]> labelDescriptions) {
        descriptions = labelDescriptions.stream()
                .map(tokens -> Arrays.stream(tokens)
                        .filter(token -> token > Vocabulary.UNKNOWN)
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
        return config.shared() ? viewCount : 1;
    }

    @Override
    public void save(Path directory) {
        super.save(directory);
        DescriptionFile.write(directory, descriptions);
    }

    @Override
    public void load(Path directory) {
        super.load(directory);
        readDescriptions(DescriptionFile.read(directory));
    }
}
