package org.plant4j.rank;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.Layer;
import org.plant4j.layer.ReducedRows;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * The learning-to-rank model f(label, token), which scores how relevant a token is for a label (paper, equation 7; the
 * slides' dot products). The computation has two halves: one that depends on tokens only, done once per token, and one
 * that adds the labels, all of them or a range.
 */
public final class RankModel extends Layer {

    /** The scoring function of label and token embedding. */
    public enum Scorer {
        /** e_l · e_t + b_l + b_t. */
        DOT,
        /** Two linear layers, w · relu(W [e_l; e_t] + b) + c; the first is split into a label and a token half. */
        MLP,
        /** As {@link #MLP}, with the activation after the last layer too, as equation 7 is written. */
        MLP_RELU;

        boolean hasLayers() {
            return this != DOT;
        }
    }

    /** {@code size} of the token and label embeddings; {@code hidden} units of {@link Scorer#MLP} and {@link Scorer#MLP_RELU}. */
    public record Config(Scorer scorer, int size, int hidden) {
        public Config {
            Arguments.atLeast(1, "size", size);
            if (scorer.hasLayers()) {
                Arguments.atLeast(1, "hidden", hidden);
            }
        }
    }

    private static final double STANDARD_DEVIATION = 0.1; // that of the token embedding

    private final Config config;
    private final int vocabularySize;
    private final Compute compute;
    private final Embedding tokens; // (V, E)
    private final Tensor labels; // (L, E)
    private final ScoringFunction scoring;

    public RankModel(Config config, int vocabularySize, int labels, Compute compute) {
        this.config = config;
        this.vocabularySize = vocabularySize;
        this.compute = compute;
        tokens = submodule("tokens", new Embedding(vocabularySize, config.size(), compute));
        this.labels = labelParameter("labels.weight", compute, Init.normal(STANDARD_DEVIATION), labels, config.size());
        scoring = config.scorer() == Scorer.DOT ? new Dot(vocabularySize, labels) : new Mlp();
    }

    public Config config() {
        return config;
    }

    public Compute compute() {
        return compute;
    }

    /** The half of the scoring that depends on tokens only: ids (B, T) to (B, T, D). */
    public Tensor encodeTokens(Tensor ids) {
        return scoring.tokens(ids, tokens.forward(ids));
    }

    /** Encoded tokens (B, T, D) to scores (B, T, L). */
    public Tensor score(Tensor tokens, LabelSelection selection) {
        return scoring.score(tokens, scoring.labels(selection));
    }

    /** The labels in few dimensions, for approximate scores; only for {@link Scorer#DOT}, whose scores are products. */
    public ReducedRows reducedLabels(int size) {
        Arguments.check(config.scorer() == Scorer.DOT, "scorer", config.scorer(), "DOT");
        try (PointerScope scope = new PointerScope()) {
            return ReducedRows.of(scoring.labels(LabelSelection.ALL), size);
        }
    }

    /** Encoded tokens (L, T, D), one row per label, to the scores of each label for its row, (L, T). */
    public Tensor scoreRows(Tensor tokens, LabelSelection selection) {
        return scoring.score(tokens, scoring.labels(selection).unsqueeze(1)).squeeze(-1);
    }

    /** Scores of all tokens of the vocabulary for a label: (V). */
    public float[] scores(int label) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode()) {
            Tensor ids = compute.toDevice(
                    Tensor.create(LongStream.range(0, vocabularySize).toArray(), 1, vocabularySize));
            LabelSelection selection = new LabelSelection.Ids(compute.toDevice(Tensor.create(new long[] {label})));
            float[] scores = new float[vocabularySize];
            new FloatPointer(score(encodeTokens(ids), selection)
                            .cpu()
                            .contiguous()
                            .data_ptr_float())
                    .get(scores);
            return scores;
        }
    }

    /** Bytes per label and token held in training. */
    public int bytesPerScore() {
        return scoring.bytes();
    }

    /**
     * Replaces the token embeddings by word vectors (V, E), except where a row is all zero, so that tokens without
     * training pairs lie near similar tokens.
     */
    public void setTokenVectors(float[][] vectors) {
        tokens.setVectors(vectors);
    }

    public void save(Path file) {
        Checkpoint.write(file, parameters());
    }

    public void load(Path file) {
        Checkpoint.read(file, parameters());
    }

    /** A scoring function, split into its token, label and joint part. */
    private interface ScoringFunction {

        /** Token ids (B, T) and embeddings (B, T, E) to (B, T, D). */
        Tensor tokens(Tensor ids, Tensor embedded);

        /** The selected labels: (L, D). */
        Tensor labels(LabelSelection selection);

        /** Tokens (B, T, D) and labels (L, D), or (B, L, D) if they differ by row, to (B, T, L). */
        Tensor score(Tensor tokens, Tensor labels);

        int bytes();
    }

    /** Dot product; biases are two more dimensions, [e_t; b_t; 1] · [e_l; 1; b_l], so that one product suffices. */
    private final class Dot implements ScoringFunction {

        private final Tensor tokenBias; // (V)
        private final Tensor labelBias; // (L)

        Dot(int vocabularySize, int labels) {
            tokenBias = parameter("tokens.bias", compute, Init.constant(0), vocabularySize);
            labelBias = labelParameter("labels.bias", compute, Init.constant(0), labels);
        }

        @Override
        public Tensor tokens(Tensor ids, Tensor embedded) {
            Tensor bias = torch.embedding(tokenBias.unsqueeze(1), TokenOccurrences.tokens(ids)); // (B, T, 1)
            return padded(torch.cat(new TensorVector(embedded, bias, torch.ones_like(bias)), -1));
        }

        @Override
        public Tensor labels(LabelSelection selection) {
            Tensor bias = selection.select(labelBias).unsqueeze(1); // (L, 1)
            return padded(torch.cat(new TensorVector(selection.select(labels), torch.ones_like(bias), bias), -1));
        }

        /** Zeros after the last dimension, if the product is faster with them. */
        private Tensor padded(Tensor vectors) {
            int padding = compute.padding(vectors.size(-1));
            return padding == 0 ? vectors : torch.constant_pad_nd(vectors, 0, padding);
        }

        @Override
        public Tensor score(Tensor tokens, Tensor labels) {
            return torch.matmul(tokens, labels.transpose(-2, -1));
        }

        @Override
        public int bytes() {
            return 2 * Float.BYTES; // the score and its gradient
        }
    }

    private final class Mlp implements ScoringFunction {

        private final Tensor firstLabel; // (D, E)
        private final Tensor firstToken; // (D, E)
        private final Tensor firstBias; // (D)
        private final Tensor secondWeight; // (1, D)
        private final Tensor secondBias; // (1)

        Mlp() {
            int hidden = config.hidden();
            Init first = Init.uniform(1 / Math.sqrt(2.0 * config.size())); // its input is both embeddings
            Init second = Init.uniform(1 / Math.sqrt(hidden));
            firstLabel = parameter("first.label", compute, first, hidden, config.size());
            firstToken = parameter("first.token", compute, first, hidden, config.size());
            firstBias = parameter("first.bias", compute, first, hidden);
            secondWeight = parameter("second.weight", compute, second, 1, hidden);
            secondBias = parameter("second.bias", compute, second, 1);
        }

        @Override
        public Tensor tokens(Tensor ids, Tensor embedded) {
            return torch.linear(embedded, firstToken, new TensorOptional(firstBias));
        }

        @Override
        public Tensor labels(LabelSelection selection) {
            return torch.linear(selection.select(labels), firstLabel, new TensorOptional());
        }

        @Override
        public Tensor score(Tensor tokens, Tensor labels) {
            Tensor hidden = torch.relu_(tokens.unsqueeze(2).add(labels.unsqueeze(-3))); // (B, T, L, D)
            Tensor scores = torch.linear(hidden, secondWeight, new TensorOptional(secondBias))
                    .squeeze(-1);
            // Unlike relu, clamp keeps its input for the backward pass, so that the caller may overwrite the scores.
            return config.scorer() == Scorer.MLP_RELU ? scores.clamp_min(new Scalar(0)) : scores;
        }

        @Override
        public int bytes() {
            return 3 * config.hidden() * Float.BYTES; // hidden layer, and its gradient after and before the ReLU
        }
    }
}
