package org.plant4j.rank;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Init;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * The ranking function f(label, token): how much a token speaks for a label (paper, equation 7; the slides' dot
 * products). Its work is split in two: a half that needs the token alone, done once a token, and one that brings in the
 * labels, all of them or a range.
 */
public final class RankModel extends Layer {

    /** How a label and a token are brought together. */
    public enum Scorer {
        /** e_l · e_t + b_l + b_t. */
        DOT,
        /** Two layers over both embeddings, w · relu(W [e_l; e_t] + b) + c, the first split by label and token. */
        MLP
    }

    /** {@code size} numbers a token and a label; {@code hidden} is for {@link Scorer#MLP} alone. */
    public record Config(Scorer scorer, int size, int hidden) {
        public Config {
            if (size < 1) {
                throw new IllegalArgumentException("size: " + size + " (expected: >= 1)");
            }
            if (scorer == Scorer.MLP && hidden < 1) {
                throw new IllegalArgumentException("hidden: " + hidden + " (expected: >= 1)");
            }
        }
    }

    private static final double DEVIATION = 0.1; // as that of the token embedding

    private final Config config;
    private final int vocabulary;
    private final Compute compute;
    private final Embedding tokens; // (V, E)
    private final Tensor labels; // (L, E)
    private final ScoringFunction form;

    public RankModel(Config config, int vocabulary, int labels, Compute compute) {
        this.config = config;
        this.vocabulary = vocabulary;
        this.compute = compute;
        tokens = submodule("tokens", new Embedding(vocabulary, config.size(), compute));
        this.labels = parameter("labels.weight", compute, Init.normal(DEVIATION), labels, config.size());
        form = config.scorer() == Scorer.DOT ? new Dot(vocabulary, labels) : new Mlp();
    }

    public Config config() {
        return config;
    }

    public Compute compute() {
        return compute;
    }

    /** What scoring needs of each token, whatever the label: ids (B, T) to (B, T, D). */
    public Tensor encodeTokens(Tensor ids) {
        return form.tokens(ids, tokens.forward(ids));
    }

    /** What {@link #tokens} gave, (B, T, D), to the scores of every token for every label, (B, T, L). */
    public Tensor score(Tensor tokens, LabelSelection some) {
        return form.score(tokens, form.labels(some));
    }

    /** Tokens (L, T, D), a row for each label, to each label's scores of its own row, (L, T). */
    public Tensor scoreRows(Tensor tokens, LabelSelection some) {
        return form.score(tokens, form.labels(some).unsqueeze(1)).squeeze(-1);
    }

    /** The label's score of every token of the vocabulary. */
    public float[] scores(int label) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode()) {
            Tensor ids = compute.toDevice(
                    Tensor.create(LongStream.range(0, vocabulary).toArray(), 1, vocabulary));
            LabelSelection asked = new LabelSelection.Ids(compute.toDevice(Tensor.create(new long[] {label})));
            float[] scores = new float[vocabulary];
            new FloatPointer(score(encodeTokens(ids), asked).cpu().contiguous().data_ptr_float()).get(scores);
            return scores;
        }
    }

    /** Bytes held for each label and token while training. */
    public int bytesPerScore() {
        return form.bytes();
    }

    /**
     * Puts word vectors in place of the drawn token embeddings, so that words no label was learned with have a place near
     * those they are like; all-zero rows keep what was drawn.
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

    /** One way to score, split into what is of the tokens, what is of the labels, and what is of both. */
    private interface ScoringFunction {

        /** (B, T) and (B, T, E) to (B, T, D). */
        Tensor tokens(Tensor ids, Tensor embedded);

        /** (L, D). */
        Tensor labels(LabelSelection some);

        /** Tokens (B, T, D) and labels (L, D), or (B, L, D) where they differ by row, to (B, T, L). */
        Tensor score(Tensor tokens, Tensor labels);

        int bytes();
    }

    /** Biases ride along as two more dimensions, [e_t; b_t; 1] · [e_l; 1; b_l], so that one product does it all. */
    private final class Dot implements ScoringFunction {

        private final Tensor tokenBias; // (V)
        private final Tensor labelBias; // (L)

        Dot(int vocabulary, int labels) {
            tokenBias = parameter("tokens.bias", compute, Init.constant(0), vocabulary);
            labelBias = parameter("labels.bias", compute, Init.constant(0), labels);
        }

        @Override
        public Tensor tokens(Tensor ids, Tensor embedded) {
            Tensor bias = torch.embedding(tokenBias.unsqueeze(1), ids); // (B, T, 1)
            return torch.cat(new TensorVector(embedded, bias, torch.ones_like(bias)), -1);
        }

        @Override
        public Tensor labels(LabelSelection some) {
            Tensor bias = some.select(labelBias).unsqueeze(1); // (L, 1)
            return torch.cat(new TensorVector(some.select(labels), torch.ones_like(bias), bias), -1);
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
            Init first = Init.uniform(1 / Math.sqrt(2.0 * config.size())); // fed by both embeddings
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
        public Tensor labels(LabelSelection some) {
            return torch.linear(some.select(labels), firstLabel, new TensorOptional());
        }

        @Override
        public Tensor score(Tensor tokens, Tensor labels) {
            Tensor hidden = torch.relu_(tokens.unsqueeze(2).add(labels.unsqueeze(-3))); // (B, T, L, D)
            return torch.linear(hidden, secondWeight, new TensorOptional(secondBias))
                    .squeeze(-1);
        }

        @Override
        public int bytes() {
            return 3 * config.hidden() * Float.BYTES; // the hidden layer, its gradient after and before the ReLU
        }
    }
}
