package org.plant4j.model.baseline;

import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BiGru;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Linear;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * HA-GRU, a hierarchical attention network: a GRU over the words of each sentence and attention that all labels share give
 * sentence vectors; a second GRU over the sentences and attention of each label, s_l = v_l tanh(W_l g), give the logit.
 *
 * <p>Baumel, Nassour-Kassis, Cohen, Elhadad, Elhadad: Multi-Label Classification of Patient Notes: Case Study on ICD Code
 * Assignment, AAAI workshop on health intelligence 2018, section 4.4; reference implementation: {@code bihagru.ipynb} of <a
 * href="https://github.com/talbaumel/MIMIC">MIMIC</a>. Its softmax over two classes per label is a sigmoid here. Sentences
 * have a fixed number of tokens.
 */
public final class HaGru extends LabelNetwork<HaGru.Encoded> {

    /**
     * Sizes of the network.
     *
     * @param hidden units per direction of both GRUs
     * @param attention size of the hidden layer of both attentions
     * @param sentenceTokens tokens per sentence
     */
    public record Config(
            int embedding, int hidden, int attention, int sentenceTokens, double dropout, double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.atLeast(1, "attention", attention);
            Arguments.atLeast(1, "sentence_tokens", sentenceTokens);
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 12, 8, 3, 0, -1);
        }

        @Override
        public HaGru build(int vocabularySize, int labels, Compute compute) {
            return new HaGru(this, vocabularySize, labels, compute);
        }
    }

    /**
     * Documents in sentences.
     *
     * @param wordAttention attention of each sentence over its words, (B · S, M, 1)
     * @param states hidden states of the sentences, (B, S, 2H)
     */
    public record Encoded(Sentences sentences, Tensor wordAttention, Tensor states) implements Encoding<Encoded> {
        @Override
        public Encoded map(UnaryOperator<Tensor> function) {
            return new Encoded(sentences.map(function), function.apply(wordAttention), function.apply(states));
        }
    }

    private final Config config;
    private final Embedding embedding;
    private final Dropout dropout;
    private final BiGru wordGru;
    private final Linear wordProjection;
    private final Linear wordScore;
    private final BiGru sentenceGru;
    private final Tensor attentionProjections; // (L, A, 2H)
    private final Tensor attentionScores; // (L, A)
    private final LabelHead head;

    HaGru(Config config, int vocabularySize, int labels, Compute compute) {
        super(labels, compute);
        this.config = config;
        int size = 2 * config.hidden();
        embedding = submodule("embedding", new Embedding(vocabularySize, config.embedding(), compute));
        dropout = new Dropout(config.dropout());
        wordGru = submodule("word_gru", new BiGru(config.embedding(), config.hidden(), compute));
        wordProjection = submodule("word_attention.projection", new Linear(size, config.attention(), false, compute));
        wordScore = submodule("word_attention.score", new Linear(config.attention(), 1, false, compute));
        sentenceGru = submodule("sentence_gru", new BiGru(size, config.hidden(), compute));
        // Glorot, as in DyNet
        attentionProjections = parameter(
                "attention.projection",
                compute,
                Init.uniform(Math.sqrt(6.0 / (size + config.attention()))),
                labels,
                config.attention(),
                size);
        attentionScores = parameter(
                "attention.score",
                compute,
                Init.uniform(Math.sqrt(6.0 / (1 + config.attention()))),
                labels,
                config.attention());
        head = submodule("head", new LabelHead(labels, size, 1 / Math.sqrt(size), config.initialBias(), compute));
    }

    @Override
    public Embedding embedding() {
        return embedding;
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Sentences sentences = Sentences.of(batch, config.sentenceTokens(), compute());
        Batch words = sentences.words();
        Tensor embedded = dropout.forward(embedding.forward(words.tokens()), batch); // (B · S, M, E)
        Tensor wordStates = words.withoutUnknown(
                dropout.forward(wordGru.forward(embedded, words).concatenated(), batch)); // (B · S, M, 2H)
        Tensor scores = wordScore.forward(torch.tanh(wordProjection.forward(wordStates)));
        Tensor wordAttention = LabelAttention.maskedSoftmax(scores, words.mask()); // (B · S, M, 1)
        Tensor vectors = dropout.forward(wordStates.mul(wordAttention).sum(1L), batch); // (B · S, 2H)
        Tensor states = sentenceGru
                .forward(sentences.byDocument(vectors), sentences.sentences())
                .concatenated();
        return new Encoded(
                sentences, wordAttention, sentences.sentences().withoutUnknown(dropout.forward(states, batch)));
    }

    /** The attention of labels over sentences: (B, S, L). */
    private Tensor sentenceAttention(Encoded encoding, LabelSelection labels) {
        Tensor projections = labels.select(attentionProjections); // (L, A, 2H)
        Tensor hidden = torch.tanh(torch.matmul(
                        encoding.states(), projections.flatten(0, 1).t())) // (B, S, L · A)
                .unflatten(-1, projections.size(0), projections.size(1));
        Tensor scores = hidden.mul(labels.select(attentionScores)).sum(-1L); // (B, S, L)
        return LabelAttention.maskedSoftmax(
                scores, encoding.sentences().sentences().mask());
    }

    @Override
    public Tensor decode(Batch batch, Encoded encoding, LabelSelection labels) {
        return head.forward(encoding.states(), sentenceAttention(encoding, labels), labels);
    }

    /** A sentence's positive summand of the logit, shared among its words by their attention. */
    @Override
    public Tensor evidenceWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        Tensor summands = sentenceAttention(encoding, labels).mul(head.tokenLogits(encoding.states(), labels));
        return byToken(summands.clamp_min(new Scalar(0)), batch, encoding);
    }

    /** The attention over sentences times the attention over the words of the sentence. */
    @Override
    public Tensor attentionWeights(Batch batch, Encoded encoding, LabelSelection labels) {
        return byToken(sentenceAttention(encoding, labels), batch, encoding);
    }

    /** Weights of sentences (B, S, L) as weights of tokens (B, T, L). */
    private static Tensor byToken(Tensor weights, Batch batch, Encoded encoding) {
        Tensor shares = encoding.wordAttention().mul(weights.flatten(0, 1).unsqueeze(1)); // (B · S, M, L)
        return encoding.sentences().toTokens(shares, batch);
    }

    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks();
    }

    @Override
    public LabelBias bias() {
        return head;
    }

    /** Attention has a hidden layer per label and sentence. */
    @Override
    public int bytesPerLabelAndToken() {
        return 16 + 16 * config.attention() / config.sentenceTokens();
    }

    /** At least one sentence. */
    @Override
    public int minTokensPerDocument() {
        return config.sentenceTokens();
    }
}
