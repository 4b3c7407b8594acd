package org.plant4j.model.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.model.TinyCorpus;
import org.plant4j.text.Dataset;

class RidgeRegressionTest {

    private static final double PENALTY = 0.5;

    private static RidgeRegression fit(Dataset documents) {
        return RidgeRegression.fit(documents, TinyCorpus.VOCABULARY, TinyCorpus.LABELS, PENALTY);
    }

    /**
     * Documents a and b with one token each, orthogonal unit vectors; label 0 belongs to a. With the bias, K + I / 2 = [[2.5, 1], [1,
     * 2.5]], whose inverse is [[2.5, −1], [−1, 2.5]] / 5.25. So α = (2.5, −1) / 5.25; the score of a is 2 · 2.5 / 5.25 − 1 / 5.25 = 4
     * / 5.25, that of b 1 · 2.5 / 5.25 − 2 / 5.25 = 0.5 / 5.25. Without a no label is left; without b, a alone gives b 1 / 2.5 =
     * 0.4.
     */
    @Test
    void scoresAreThoseWorkedOutByHand() {
        TinyCorpus corpus = new TinyCorpus(List.of(new int[] {2}, new int[] {3}), List.of(new int[] {0}, new int[0]));
        RidgeRegression ridge = fit(corpus);
        LinearSvm model = ridge.model(0);
        assertThat(model.margins(new int[] {2})[0]).isCloseTo(4 / 5.25, within(1e-6));
        assertThat(model.margins(new int[] {3})[0]).isCloseTo(0.5 / 5.25, within(1e-6));
        assertThat(ridge.leaveOneOut(0)[0]).isZero();
        assertThat(ridge.leaveOneOut(1)[0]).isCloseTo(0.4, within(1e-12));
    }

    /**
     * As above with the embedding 1 of both documents: K + I / 2 = [[3.5, 2], [2, 3.5]], whose inverse is [[3.5, −2], [−2, 3.5]] /
     * 8.25. So the weight of the embedding is 1.5 / 8.25, as that of the bias, and b alone gets 2 / 3.5 from a.
     */
    @Test
    void embeddingsAreFurtherFeatures() {
        TinyCorpus corpus = new TinyCorpus(List.of(new int[] {2}, new int[] {3}), List.of(new int[] {0}, new int[0]));
        RidgeRegression ridge = RidgeRegression.fit(
                corpus, TinyCorpus.VOCABULARY, TinyCorpus.LABELS, PENALTY, new float[][] {{1}, {1}});
        assertThat(ridge.embeddingWeights()[0]).containsExactly(new float[] {(float) (1.5 / 8.25)}, within(1e-6f));
        assertThat((double) ridge.model(0).bias(0)).isCloseTo(1.5 / 8.25, within(1e-6));
        assertThat(ridge.model(0).margins(new int[] {2})[0]).isCloseTo((3.5 + 1.5) / 8.25, within(1e-6));
        assertThat(ridge.leaveOneOut(1)[0]).isCloseTo(2 / 3.5, within(1e-12));
    }

    /** The gradient Σ (w · x − y) x + penalty · w is 0 for every token and for the bias. */
    @Test
    void theWeightsMinimizeTheLoss() {
        TinyCorpus corpus = TinyCorpus.of(100, 1);
        LinearSvm model = fit(corpus).model(0);
        TfIdf features = TfIdf.fit(corpus, TinyCorpus.VOCABULARY, true);
        for (int label = 0; label < TinyCorpus.LABELS; label++) {
            int chosen = label;
            double[] gradient = new double[TinyCorpus.VOCABULARY];
            double biasGradient = PENALTY * model.bias(label);
            for (int document = 0; document < corpus.size(); document++) {
                boolean gold = IntStream.of(corpus.labels(document)).anyMatch(other -> other == chosen);
                double error = model.margins(corpus.tokens(document))[label] - (gold ? 1 : 0);
                TfIdf.Vector x = features.vector(corpus.tokens(document));
                for (int i = 0; i < x.tokens().length; i++) {
                    gradient[x.tokens()[i]] += error * x.values()[i];
                }
                biasGradient += error;
            }
            for (int token = 2; token < gradient.length; token++) {
                assertThat(gradient[token] + PENALTY * model.weight(token, label))
                        .isCloseTo(0, within(1e-4));
            }
            assertThat(biasGradient).isCloseTo(0, within(1e-4));
        }
    }

    /** The idf of the features is that of all documents in one case and of the others in the other, so scores are close only. */
    @Test
    void leavingOneOutIsFittingTheOthers() {
        TinyCorpus corpus = TinyCorpus.of(200, 2);
        RidgeRegression ridge = fit(corpus);
        for (int left : new int[] {0, 77, 199}) {
            int[] others = IntStream.range(0, 200).filter(i -> i != left).toArray();
            TinyCorpus rest = new TinyCorpus(
                    IntStream.of(others).mapToObj(corpus::tokens).toList(),
                    IntStream.of(others).mapToObj(corpus::labels).toList());
            assertThat(ridge.leaveOneOut(left))
                    .containsExactly(fit(rest).model(0).margins(corpus.tokens(left)), within(0.01));
        }
    }

    @Test
    void aMatrixOfSeveralBlocksIsInverted() {
        int size = 150;
        Random random = new Random(3);
        double[][] factor = new double[size][size];
        for (double[] row : factor) {
            for (int i = 0; i < size; i++) {
                row[i] = random.nextGaussian();
            }
        }
        double[][] matrix = new double[size][size];
        double[][] lower = new double[size][];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                for (int k = 0; k < size; k++) {
                    matrix[i][j] += factor[i][k] * factor[j][k];
                }
                matrix[i][j] += i == j ? 10 : 0;
            }
            lower[i] = Arrays.copyOf(matrix[i], i + 1);
        }
        SymmetricInverse.invert(lower);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                double sum = 0;
                for (int k = 0; k < size; k++) {
                    sum += matrix[i][k] * lower[Math.max(k, j)][Math.min(k, j)];
                }
                assertThat(sum).isCloseTo(i == j ? 1 : 0, within(1e-9));
            }
        }
    }

    /** Each document without itself is one of three that are alike and have the label: score 6 / (6 + penalty). */
    @Test
    void documentsThatAreAlikeNeedAPenalty() {
        TinyCorpus alike = new TinyCorpus(
                IntStream.range(0, 4).mapToObj(i -> new int[] {2}).toList(),
                IntStream.range(0, 4).mapToObj(i -> new int[] {0}).toList());
        RidgeRegression ridge =
                RidgeRegression.fit(alike, TinyCorpus.VOCABULARY, TinyCorpus.LABELS, RidgeRegression.MIN_PENALTY);
        assertThat(ridge.leaveOneOut(0)[0]).isCloseTo(1, within(1e-5));
        assertThat(ridge.model(0).margins(new int[] {2})[0]).isCloseTo(1, within(1e-5));
        assertThatThrownBy(() -> RidgeRegression.fit(alike, TinyCorpus.VOCABULARY, TinyCorpus.LABELS, 1e-18))
                .hasMessageContaining("penalty");
    }

    @Test
    void tooManyDocumentsAreRefused() {
        Dataset many = new TinyCorpus(
                IntStream.range(0, 20_001).mapToObj(i -> new int[] {2}).toList(),
                IntStream.range(0, 20_001).mapToObj(i -> new int[] {0}).toList());
        assertThatThrownBy(() -> fit(many))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("20,000")
                .hasMessageContaining("ridge_penalty");
    }
}
