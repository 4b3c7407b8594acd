package org.plant4j.model.baseline;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BiGru;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LayerNorm;
import org.plant4j.layer.Linear;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.layer.ZeroShotBias;
import org.plant4j.layer.ZeroShotMask;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.description.DescriptionFile;
import org.plant4j.model.description.EncodedDescriptions;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.LabelIndex;
import org.plant4j.train.Loss;
import org.plant4j.train.RowEncoder;

/**
 * DiscNet with rare-label enhancement: each label collects clues from the words and from the sentences of a document and keeps
 * the stronger ones. A label is represented by its description and a vector of its own, which a gate balances; training rewards
 * rare labels for using their description.
 *
 * <p>Zhang, Zhang, Zhang, Sang, Yang: Automatic ICD Coding Exploiting Discourse Structure and Reconciled Code Embeddings,
 * COLING 2022; reference implementation: {@code models_discnet_re} of <a
 * href="https://github.com/discnet2022/discnet">discnet</a>. Sentences have a fixed number of tokens, and there are no section
 * headings.
 */
public final class DiscNet extends LabelNetwork<DiscNet.Encoded> {

    /** Exponent of the rarity of labels: only the rarest ones are rewarded. */
    private static final int RARITY_EXPONENT = 1000;

    private static final int DESCRIPTION_CHUNK_TOKENS = 1 << 16;

    /**
     * Sizes of the network.
     *
     * @param embedding size of word vectors, hidden states and label vectors
     * @param sentenceTokens tokens per sentence
     * @param descriptionTokens tokens of a description that are read
     * @param gateReward weight of the reward for rare labels that use their description
     */
    public record Config(
            int embedding,
            int sentenceTokens,
            int descriptionTokens,
            double gateReward,
            double dropout,
            double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "sentence_tokens", sentenceTokens);
            Arguments.atLeast(1, "description_tokens", descriptionTokens);
            Arguments.atLeast(0.0, "gate_reward", gateReward);
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(24, 3, 4, 1e-4, 0, -1);
        }

        @Override
        public boolean usesDescriptions() {
            return true;
        }

        /** Without frequencies no label is rare. */
        @Override
        public DiscNet build(int vocabularySize, int labels, Compute compute) {
            return new DiscNet(this, vocabularySize, new int[labels], compute);
        }

        @Override
        public DiscNet build(int vocabularySize, LabelIndex labels, Compute compute) {
            return new DiscNet(this, vocabularySize, labels.frequencies(), compute);
        }
    }

    /**
     * Encoded documents and labels.
     *
     * @param words hidden states of the words, (B, T, E)
     * @param sentenceStates hidden states of the sentences, (B, S, E)
     * @param queries attention queries (L, E)
     * @param outputs output weights (L, E)
     * @param gates share of the description in each feature of a label, (L, E)
     */
    public record Encoded(
            Sentences sentences, Tensor words, Tensor sentenceStates, Tensor queries, Tensor outputs, Tensor gates)
            implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(
                    sentences.map(function),
                    function.apply(words),
                    function.apply(sentenceStates),
                    function.apply(queries),
                    function.apply(outputs),
                    function.apply(gates));
        }
    }

    private final Config config;
    private final Dropout dropout;
    private final Embedding embedding;
    private final Embedding descriptionEmbedding;
    private final BiGru descriptionGru;
    private final Linear descriptionProjection;
    private final Tensor labelVectors; // (L, E)
    private final Linear gateHidden;
    private final Linear gateOutput;
    private final LayerNorm labelNorm;
    private final Linear query;
    private final Linear output;
    private final BiGru wordGru;
    private final Linear wordProjection;
    private final Linear sentenceEnds;
    private final BiGru sentenceGru;
    private final Linear sentenceProjection;
    private final Linear clue;
    private final ZeroShotBias bias;
    private final Tensor rarity; // (L, 1)
    private final EncodedDescriptions descriptions;

    DiscNet(Config config, int vocabularySize, int[] frequencies, Compute compute) {
        super(frequencies.length, compute);
        this.config = config;
        int labels = frequencies.length;
        int size = config.embedding();
        dropout = new Dropout(config.dropout());
        embedding = submodule("embedding", new Embedding(vocabularySize, size, compute));
        descriptionEmbedding = submodule("description_embedding", new Embedding(vocabularySize, size, compute));
        descriptionGru = submodule("description_gru", new BiGru(size, size, compute));
        descriptionProjection = submodule("description_projection", new Linear(2 * size, size, true, compute));
        labelVectors = parameter("label_vectors", compute, Init.normal(1 / Math.sqrt(size)), labels, size);
        gateHidden = submodule("gate.hidden", new Linear(2 * size, size, true, compute));
        gateOutput = submodule("gate.output", new Linear(size, size, true, compute));
        labelNorm = submodule("label_norm", new LayerNorm(size, 1e-5, compute));
        query = submodule("query", new Linear(size, size, true, compute));
        output = submodule("output", new Linear(size, size, true, compute));
        wordGru = submodule("word_gru", new BiGru(size, size, compute));
        wordProjection = submodule("word_projection", new Linear(2 * size, size, true, compute));
        sentenceEnds = submodule("sentence_ends", new Linear(2 * size, size, true, compute));
        sentenceGru = submodule("sentence_gru", new BiGru(size, size, compute));
        sentenceProjection = submodule("sentence_projection", new Linear(2 * size, size, true, compute));
        clue = submodule("clue", new Linear(size, size, true, compute));
        bias = submodule(
                "head", new ZeroShotBias(new ZeroShotMask(labels, labels, 0, compute), config.initialBias(), compute));
        float[] rare = rarity(frequencies);
        rarity = buffer("rarity", compute, tensor -> tensor.copy_(Tensor.create(rare, labels, 1)), labels, 1);
        descriptions = new EncodedDescriptions(
                new RowEncoder((rows, training) -> describe(rows), DESCRIPTION_CHUNK_TOKENS, compute),
                config.descriptionTokens());
    }

    /** ((max f - f) / (max f - min f)) ^ 1000: 1 for the rarest labels, and nearly 0 for all but rare ones. */
    static float[] rarity(int[] frequencies) {
        int most = Arrays.stream(frequencies).max().orElse(0);
        int least = Arrays.stream(frequencies).min().orElse(0);
        float[] rarity = new float[frequencies.length];
        for (int label = 0; label < rarity.length && most > least; label++) {
            rarity[label] = (float) Math.pow((double) (most - frequencies[label]) / (most - least), RARITY_EXPONENT);
        }
        return rarity;
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    /** The embedding of descriptions starts from that of documents. */
    @Override
    public void setDescriptions(List<int[]> labelDescriptions) {
        Arguments.check(labelDescriptions.size() == labels(), "descriptions", labelDescriptions.size(), "" + labels());
        descriptionEmbedding.copyFrom(embedding);
        descriptions.setDescriptions(labelDescriptions);
    }

    /** Descriptions to vectors (n, E): the last states of both directions. */
    private Tensor describe(List<int[]> rows) {
        Batch batch = Batch.of(rows, compute());
        Tensor embedded = descriptionEmbedding.forward(batch.tokens()); // (n, M, E)
        BiGru.States states = descriptionGru.forward(embedded, batch);
        Sentences whole = Sentences.of(batch, batch.width(), compute());
        return descriptionProjection
                .forward(whole.endStates(states, batch, compute()))
                .squeeze(1);
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        boolean trains = GradMode.is_enabled() && !TokenOccurrences.isOpen();
        Tensor described = trains ? descriptions.encode(labels()) : descriptions.cached(); // (L, E)
        Tensor hidden = torch.relu(gateHidden.forward(torch.cat(new TensorVector(described, labelVectors), -1)));
        Tensor gates = torch.sigmoid(gateOutput.forward(hidden)); // (L, E)
        Tensor codes = labelNorm.forward(described.mul(gates).add(normalize(labelVectors)));
        Tensor queries = torch.tanh(query.forward(codes));
        Tensor outputs = torch.tanh(output.forward(codes));
        // Gradients with respect to the tokens of documents need none of the labels.
        return trains
                ? encode(batch, queries, outputs, gates)
                : encode(batch, queries.detach(), outputs.detach(), gates.detach());
    }

    private Encoded encode(Batch batch, Tensor queries, Tensor outputs, Tensor gates) {
        Sentences sentences = Sentences.of(batch, config.sentenceTokens(), compute());
        Tensor embedded = embedding.forward(batch.tokens()); // (B, T, E)
        BiGru.States wordStates = wordGru.forward(dropout.forward(embedded, batch), batch);
        Tensor words = batch.withoutUnknown(wordProjection.forward(wordStates.concatenated())); // (B, T, E)
        Tensor ends = sentenceEnds.forward(sentences.endStates(wordStates, batch, compute())); // (B, S, E)
        Tensor shares = torch.softmax(torch.matmul(ends, queries.t()), -1); // (B, S, L)
        Tensor vectors = torch.relu(sentences.max(embedded, batch).add(torch.matmul(shares, queries)));
        Tensor sentenceStates = sentenceProjection.forward(sentenceGru
                .forward(dropout.forward(vectors, batch), sentences.sentences())
                .concatenated());
        return new Encoded(
                sentences, words, sentences.sentences().withoutUnknown(sentenceStates), queries, outputs, gates);
    }

    /** Scales rows to length 1. */
    private static Tensor normalize(Tensor x) {
        Tensor squares = x.square().sum(new long[] {-1}, true, new ScalarTypeOptional());
        return x.mul(squares.clamp_min(new Scalar(1e-12)).rsqrt());
    }

    private static Tensor attention(Tensor states, Batch batch, Tensor queries) {
        return LabelAttention.maskedSoftmax(torch.matmul(states, queries.t()), batch.mask());
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor queries = labels.select(encoding.queries());
        Batch sentences = encoding.sentences().sentences();
        Tensor wordClues = torch.matmul(
                attention(encoding.words(), batch, queries).transpose(1, 2), encoding.words()); // (B, L, E)
        Tensor sentenceClues = torch.matmul(
                attention(encoding.sentenceStates(), sentences, queries).transpose(1, 2), encoding.sentenceStates());
        return strength(torch.maximum(wordClues, sentenceClues))
                .mul(labels.select(encoding.outputs()))
                .sum(-1L);
    }

    /** relu(W c + b) - relu(b): 0 for no clue, so that a text without known tokens has the logits of the bias. */
    private Tensor strength(Tensor clues) {
        Tensor none = torch.zeros(new long[] {config.embedding()}, compute().floatOptions());
        return torch.relu(clue.forward(clues)).sub(torch.relu(clue.forward(none)));
    }

    /** What a word alone would add to the logit, by its attention; positive values only. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return attention(encoding.words(), batch, labels.select(encoding.queries()))
                .mul(torch.matmul(
                        strength(encoding.words()),
                        labels.select(encoding.outputs()).t()))
                .clamp_min(new Scalar(0))
                .abs(); // 0 times a negative weight is -0
    }

    /** The mean of the attention over words and of that over sentences, which the words of a sentence share equally. */
    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor queries = labels.select(encoding.queries());
        Sentences sentences = encoding.sentences();
        Tensor bySentence = attention(encoding.sentenceStates(), sentences.sentences(), queries); // (B, S, L)
        return attention(encoding.words(), batch, queries)
                .add(sentences.shareEqually(bySentence, batch))
                .mul(new Scalar(0.5));
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    /** The reference implementation averages the cross-entropy over labels; here it is a sum, and so is the reward. */
    @Override
    public Optional<Tensor> auxiliaryLoss(Encoded encoding, Tensor targets, Loss loss) {
        Scalar weight = new Scalar(-config.gateReward() / config.embedding());
        return Optional.of(
                encoding.gates().square().mul(rarity).sum().mul(weight).to(torch.ScalarType.Float));
    }

    @Override
    public LabelBias bias() {
        return bias;
    }

    /** Each label has clues per document. */
    @Override
    public int minTokensPerDocument() {
        return 2 * config.embedding();
    }

    @Override
    public void save(Path directory) {
        super.save(directory);
        DescriptionFile.write(directory, descriptions.descriptions());
    }

    @Override
    public void load(Path directory) {
        super.load(directory);
        descriptions.setDescriptions(DescriptionFile.read(directory));
    }

    @Override
    public void close() {
        super.close();
        descriptions.close();
    }
}
