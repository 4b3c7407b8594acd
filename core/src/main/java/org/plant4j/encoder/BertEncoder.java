package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.layer.TransformerEncoderLayer;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.TensorScope;
import org.plant4j.text.Vocabulary;

/**
 * BERT, RoBERTa or XLM-R over documents of any length: they are read in overlapping windows, each between the pieces that
 * begin and end a text, and every token takes its state from the window where it stands farthest from a cut.
 *
 * <p>Devlin et al.: BERT, 2019. Parameters are named as Hugging Face names those of a {@code BertModel}.
 */
public final class BertEncoder extends Encoder {

    /** Padded tokens read at once where no gradients are kept; more would only take memory. */
    private static final int TOKENS_AT_ONCE = 16_384;

    /**
     * What the encoder is, and how it reads. Fewer {@code layers} than the pretrained encoder has are its lowest ones.
     *
     * @param positions rows of the position embedding
     * @param positionOffset the row of the first position: 0 in BERT, 2 in RoBERTa and XLM-R
     * @param types rows of the embedding of sentences, of which the first is read
     * @param begin the id of the piece before each window, such as {@code [CLS]}
     * @param end the id of the piece after it, such as {@code [SEP]}
     * @param mask the id of the piece that hides another, for learning from unlabelled text
     * @param window pieces a window, without the two around it
     * @param overlap pieces that one window shares with the next, at least
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
            for (Map.Entry<String, Integer> size : Map.of(
                            "layers",
                            layers,
                            "hidden",
                            hidden,
                            "heads",
                            heads,
                            "intermediate",
                            intermediate,
                            "types",
                            types)
                    .entrySet()) {
                require(size.getValue() >= 1, size.getKey(), size.getValue(), ">= 1");
            }
            require(hidden % Math.max(1, heads) == 0, "heads", heads, "a divisor of hidden, " + hidden);
            require(positionOffset >= 0, "positionOffset", positionOffset, ">= 0");
            require(epsilon > 0, "epsilon", epsilon, "> 0");
            SlidingWindows.check(window, overlap);
            require(
                    window <= maxWindow(positions, positionOffset),
                    "window",
                    window,
                    "<= " + maxWindow(positions, positionOffset) + ", as there are " + positions + " positions");
            for (Map.Entry<String, Integer> piece :
                    Map.of("begin", begin, "end", end, "mask", mask).entrySet()) {
                require(
                        piece.getValue() > Vocabulary.UNKNOWN,
                        piece.getKey(),
                        piece.getValue(),
                        "the id of a piece, >= 2");
            }
            new Dropout(dropout); // holds its own bounds
        }

        /** Pieces that a window can hold. */
        public int maxWindow() {
            return maxWindow(positions, positionOffset);
        }

        public static int maxWindow(int positions, int positionOffset) {
            return positions - positionOffset - 2;
        }

        /** The same encoder, which reads in windows of another size. */
        public Config withWindow(int otherWindow, int otherOverlap) {
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
                    otherWindow,
                    otherOverlap,
                    dropout);
        }

        private static void require(boolean holds, String setting, Number value, String expected) {
            if (!holds) {
                throw new IllegalArgumentException(setting + ": " + value + " (expected: " + expected + ")");
            }
        }
    }

    /** States (N, M, H) of rows of pieces, and a mask (N, M) true where a token is real. */
    public record EncodedRows(Tensor hiddenStates, Tensor mask) {

        /** The pieces alone, without what begins and ends each row. */
        public EncodedRows withoutSpecialTokens() {
            long width = mask.size(1) - 2;
            // Seen two places on, exactly as many tokens are real as there are pieces.
            return new EncodedRows(hiddenStates.narrow(1, 1, width), mask.narrow(1, 2, width));
        }
    }

    private final Config config;
    private final Compute compute;
    private final BertEmbeddings embeddings;
    private final List<TransformerEncoderLayer> layers = new ArrayList<>();

    public BertEncoder(Config config, int vocabulary, Compute compute) {
        this.config = config;
        this.compute = compute;
        embeddings = submodule("embeddings", new BertEmbeddings(config, vocabulary, compute));
        for (int i = 0; i < config.layers(); i++) {
            TransformerEncoderLayer layer = new TransformerEncoderLayer(
                    config.hidden(),
                    config.heads(),
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

    /** The windows in which the documents of a batch are read. */
    public SlidingWindows windows(Batch batch) {
        int[] lengths = batch.lengths();
        int width = batch.width();
        List<int[]> documents = IntStream.range(0, lengths.length)
                .mapToObj(row -> IntStream.range(0, lengths[row])
                        .map(t -> Math.toIntExact(batch.ids()[row * width + t]))
                        .toArray())
                .toList();
        return SlidingWindows.of(documents, config.window(), config.overlap());
    }

    /** Reads rows of pieces, each put between {@code begin} and {@code end}: windows, or descriptions of labels. */
    public EncodedRows encodeRows(List<int[]> pieces, boolean training) {
        Batch rows = Batch.of(pieces.stream().map(this::addSpecialTokens).toList(), compute, training);
        int most = config.positions() - config.positionOffset();
        if (rows.width() > most) {
            throw new IllegalArgumentException(
                    "pieces: " + (rows.width() - 2) + " in a row (expected: <= " + (most - 2) + ")");
        }
        Optional<Tensor> seen = rows.isPadded()
                ? Optional.of(rows.mask().unsqueeze(1).unsqueeze(1)) // (N, 1, 1, M)
                : Optional.empty();
        return new EncodedRows(encode(rows, seen), rows.mask());
    }

    private int[] addSpecialTokens(int[] pieces) {
        int[] wrapped = new int[pieces.length + 2];
        wrapped[0] = config.begin();
        System.arraycopy(pieces, 0, wrapped, 1, pieces.length);
        wrapped[pieces.length + 1] = config.end();
        return wrapped;
    }

    private Tensor encode(Batch rows, Optional<Tensor> seen) {
        int count = rows.lengths().length;
        int together = Math.max(1, TOKENS_AT_ONCE / rows.width());
        if (count <= together || GradMode.is_enabled()) {
            return encode(rows.tokens(), seen, rows.training());
        }
        TensorVector parts = new TensorVector();
        for (int first = 0; first < count; first += together) {
            int start = first;
            int some = Math.min(together, count - first);
            parts.push_back(TensorScope.run(() -> encode(
                    rows.tokens().narrow(0, start, some),
                    seen.map(mask -> mask.narrow(0, start, some)),
                    rows.training())));
        }
        return torch.cat(parts, 0);
    }

    private Tensor encode(Tensor tokens, Optional<Tensor> seen, boolean training) {
        Tensor x = TensorScope.run(() -> embeddings.forward(tokens, training));
        for (TransformerEncoderLayer layer : layers) {
            Tensor below = x;
            x = TensorScope.run(() -> layer.forward(below, seen, training));
            below.close(); // where gradients need it, autograd holds it
        }
        return x;
    }

    /** Takes the weights of a pretrained encoder's folder; what it has besides, such as higher layers, is left there. */
    @Override
    public void loadPretrained(Path folder) {
        EncoderDirectory from = new EncoderDirectory(folder).requireComplete();
        Map<String, Tensor> into = parameters();
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            EncoderDirectory.copyParameters(
                    folder, "", Checkpoint.readMatching(from.weights(), into::containsKey), into);
            embedding().clearPadding();
        }
    }
}
