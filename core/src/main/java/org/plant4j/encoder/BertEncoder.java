package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.layer.transformer.SelfAttention;
import org.plant4j.layer.transformer.TransformerEncoderLayer;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.TensorScope;
import org.plant4j.text.Vocabulary;

/**
 * BERT, RoBERTa or XLM-R over documents of any length. Documents are encoded in overlapping windows, each between the
 * special tokens that begin and end a sequence; a token takes its hidden state from the window in which it is farthest
 * from a cut.
 *
 * <p>Devlin et al.: BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding, NAACL 2019.
 * Parameters are named as in Hugging Face's {@code BertModel}.
 */
public final class BertEncoder extends Encoder {

    /** Padded tokens encoded at a time if no gradients are recorded; more would only take memory. */
    private static final int TOKENS_PER_PASS = 16_384;

    /**
     * Sizes, special tokens and windows. With fewer {@code layers} than the pretrained encoder, its lowest ones are used.
     *
     * @param positions rows of the position embedding
     * @param positionOffset row of the first position: 0 in BERT, 2 in RoBERTa and XLM-R
     * @param types rows of the token type embedding, of which the first is used
     * @param epsilon of the layer norms
     * @param begin id of the token before each window, such as {@code [CLS]}
     * @param end id of the token after each window, such as {@code [SEP]}
     * @param mask id of the token that masks others in masked language modelling
     * @param window tokens per window, without {@code begin} and {@code end}
     * @param overlap least number of tokens that consecutive windows share
     */
    public record Config(
            int layers,
            int hidden,
            int heads,
            int intermediate,
            int positions,
            int positionOffset,
            int types,
            double epsilon,
            int begin,
            int end,
            int mask,
            int window,
            int overlap,
            double dropout) {

        public Config {
            Arguments.atLeast(1, "layers", layers);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.atLeast(1, "heads", heads);
            Arguments.atLeast(1, "intermediate", intermediate);
            Arguments.atLeast(1, "types", types);
            Arguments.check(hidden % heads == 0, "heads", heads, "a divisor of hidden, " + hidden);
            Arguments.atLeast(0, "position_offset", positionOffset);
            Arguments.positive("epsilon", epsilon);
            SlidingWindows.check(window, overlap);
            int maxWindow = maxWindow(positions, positionOffset);
            Arguments.check(
                    window <= maxWindow,
                    "window",
                    window,
                    "<= " + maxWindow + ", as there are " + positions + " positions");
            checkToken("begin", begin);
            checkToken("end", end);
            checkToken("mask", mask);
            Arguments.rate("dropout", dropout);
        }

        private static void checkToken(String name, int id) {
            Arguments.check(id > Vocabulary.UNKNOWN, name, id, "a token id, >= 2");
        }

        /** Most tokens that a window can hold. */
        public int maxWindow() {
            return maxWindow(positions, positionOffset);
        }

        /** The same for an encoder with these positions; begin and end token take two of them. */
        public static int maxWindow(int positions, int positionOffset) {
            return positions - positionOffset - 2;
        }

        /** The same encoder with other windows. */
        public Config withWindow(int newWindow, int newOverlap) {
            return toBuilder().window(newWindow).overlap(newOverlap).build();
        }

        public static Builder builder() {
            return new Builder();
        }

        public Builder toBuilder() {
            return new Builder()
                    .layers(layers)
                    .hidden(hidden)
                    .heads(heads)
                    .intermediate(intermediate)
                    .positions(positions)
                    .positionOffset(positionOffset)
                    .types(types)
                    .epsilon(epsilon)
                    .begin(begin)
                    .end(end)
                    .mask(mask)
                    .window(window)
                    .overlap(overlap)
                    .dropout(dropout);
        }

        /**
         * Builds a config by name. Defaults: BERT's positions and epsilon, special tokens 2 to 4, the widest window, no
         * overlap, no dropout; layers and sizes must be set.
         */
        public static final class Builder {

            private int layers = 1;
            private int hidden = 1;
            private int heads = 1;
            private int intermediate = 1;
            private int positions = 512;
            private int positionOffset = 0;
            private int types = 2;
            private double epsilon = 1e-12;
            private int begin = 2;
            private int end = 3;
            private int mask = 4;
            private int window = 510;
            private int overlap = 0;
            private double dropout = 0;

            private Builder() {}

            public Builder layers(int value) {
                layers = value;
                return this;
            }

            public Builder hidden(int value) {
                hidden = value;
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

            public Builder positions(int value) {
                positions = value;
                return this;
            }

            public Builder positionOffset(int value) {
                positionOffset = value;
                return this;
            }

            public Builder types(int value) {
                types = value;
                return this;
            }

            public Builder epsilon(double value) {
                epsilon = value;
                return this;
            }

            public Builder begin(int value) {
                begin = value;
                return this;
            }

            public Builder end(int value) {
                end = value;
                return this;
            }

            public Builder mask(int value) {
                mask = value;
                return this;
            }

            public Builder window(int value) {
                window = value;
                return this;
            }

            public Builder overlap(int value) {
                overlap = value;
                return this;
            }

            public Builder dropout(double value) {
                dropout = value;
                return this;
            }

            public Config build() {
                return new Config(
                        layers,
                        hidden,
                        heads,
                        intermediate,
                        positions,
                        positionOffset,
                        types,
                        epsilon,
                        begin,
                        end,
                        mask,
                        window,
                        overlap,
                        dropout);
            }
        }
    }

    /** Hidden states (N, M, H) of encoded rows, and a mask (N, M), true for real tokens. */
    public record EncodedRows(Tensor hiddenStates, Tensor mask) {

        /** Drops the positions of the begin and end tokens. */
        public EncodedRows withoutSpecialTokens() {
            long width = mask.size(1) - 2;
            // Shifted by two, the mask is true for exactly as many positions as a row has tokens without begin and end.
            return new EncodedRows(hiddenStates.narrow(1, 1, width), mask.narrow(1, 2, width));
        }
    }

    private final Config config;
    private final Compute compute;
    private final BertEmbeddings embeddings;
    private final List<TransformerEncoderLayer<SelfAttention>> layers = new ArrayList<>();

    public BertEncoder(Config config, int vocabularySize, Compute compute) {
        this.config = config;
        this.compute = compute;
        embeddings = submodule("embeddings", new BertEmbeddings(config, vocabularySize, compute));
        for (int i = 0; i < config.layers(); i++) {
            TransformerEncoderLayer<SelfAttention> layer = new TransformerEncoderLayer<>(
                    new SelfAttention(config.hidden(), config.heads(), config.dropout(), compute),
                    config.hidden(),
                    config.intermediate(),
                    config.epsilon(),
                    config.dropout(),
                    compute);
            layers.add(submodule("encoder.layer." + i, layer));
        }
    }

    public Config config() {
        return config;
    }

    @Override
    public int hiddenSize() {
        return config.hidden();
    }

    @Override
    public Embedding embedding() {
        return embeddings.tokenEmbedding();
    }

    @Override
    public List<Layer> layers() {
        List<Layer> all = new ArrayList<>(List.of(embeddings));
        all.addAll(layers);
        return all;
    }

    @Override
    public Output forward(Batch batch, EncoderState before) {
        SlidingWindows windows = windows(batch);
        Tensor states = encodeRows(windows.rows(), batch.training()).hiddenStates(); // (N, M, H)
        int width = Math.toIntExact(states.size(1));
        Tensor places =
                compute.toDevice(Tensor.create(windows.tokenPositions(batch.lengths(), batch.width(), width, 1)));
        Tensor stitched = states.reshape(-1, config.hidden()).index_select(0, places);
        return new Output(stitched.view(batch.lengths().length, batch.width(), config.hidden()), EncoderState.EMPTY);
    }

    /** The windows of the documents of a batch. */
    public SlidingWindows windows(Batch batch) {
        return SlidingWindows.of(batch.documents(), config.window(), config.overlap());
    }

    @Override
    public Optional<ClassToken> classToken() {
        return Optional.of((rows, training) -> encodeRows(rows, training).hiddenStates());
    }

    /** Encodes rows of tokens, windows or label descriptions, each between {@code begin} and {@code end}. */
    public EncodedRows encodeRows(List<int[]> tokens, boolean training) {
        Batch rows = Batch.of(tokens.stream().map(embeddings::addSpecialTokens).toList(), compute, training);
        int longest = rows.width() - 2;
        Arguments.check(longest <= config.maxWindow(), "tokens in a row", longest, "<= " + config.maxWindow());
        Optional<Tensor> mask = rows.isPadded()
                ? Optional.of(rows.mask().unsqueeze(1).unsqueeze(1)) // (N, 1, 1, M)
                : Optional.empty();
        return new EncodedRows(encode(rows, mask), rows.mask());
    }

    /** Encodes in several passes if no gradients are recorded: (N, M, H). */
    private Tensor encode(Batch rows, Optional<Tensor> mask) {
        int count = rows.lengths().length;
        int rowsPerPass = Math.max(1, TOKENS_PER_PASS / rows.width());
        if (count <= rowsPerPass || GradMode.is_enabled()) {
            return encode(rows.tokens(), mask, rows.training());
        }
        TensorVector results = new TensorVector();
        for (int first = 0; first < count; first += rowsPerPass) {
            int start = first;
            int size = Math.min(rowsPerPass, count - first);
            results.push_back(TensorScope.run(() -> encode(
                    rows.tokens().narrow(0, start, size),
                    mask.map(whole -> whole.narrow(0, start, size)),
                    rows.training())));
        }
        return torch.cat(results, 0);
    }

    private Tensor encode(Tensor tokens, Optional<Tensor> mask, boolean training) {
        Tensor x = TensorScope.run(() -> embeddings.forward(tokens, training));
        for (TransformerEncoderLayer<SelfAttention> layer : layers) {
            Tensor input = x;
            x = TensorScope.run(
                    () -> layer.forward(input, attention -> attention.forward(input, mask, training), training));
            input.close(); // autograd keeps its own reference if it needs one
        }
        return x;
    }

    /** Loads the weights of a pretrained encoder; those without a counterpart here, such as higher layers, are ignored. */
    @Override
    public void loadPretrained(Path directory) {
        EncoderDirectory encoder = new EncoderDirectory(directory).requireComplete();
        Map<String, Tensor> into = parameters();
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            encoder.copyParameters("", Checkpoint.readMatching(encoder.weights(), into::containsKey), into);
            embedding().clearPadding();
        }
    }
}
