package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;

class StaticAttentionTest {

    private static Tensor ids(long... labels) {
        return Tensor.create(labels);
    }

    /** Label 0: token 7 (0.5), token 2 (0.25); label 1: nothing; label 2: token 5 (0.1), token 7 (0.02). */
    @Test
    void weightsMatchHandWorkedNumbers() {
        Relevance relevance =
                new Relevance(new int[][] {{7, 2}, {}, {5, 7}}, new float[][] {{0.5f, 0.25f}, {}, {0.1f, 0.02f}});
        try (PointerScope scope = new PointerScope();
                StaticAttention attention = new StaticAttention(relevance, 9, Compute.CPU)) {
            Batch batch = Batch.of(List.of(new int[] {2, 7, 3, 7}, new int[] {5}), Compute.CPU);
            double[] expected = {
                0.5 / 3.5, 1 / 3.5, 0, 1 / 3.5, // label 0: gains ½ 1 0 1, divided by one plus their sum
                0, 0, 0, 0, 0, 0.2 / 1.4, 0, 0.2 / 1.4, 0, 0, 0,
                0, // the second document: padding, and a token without a pair for label 0
                0, 0, 0, 0, 0.5, 0, 0, 0
            };
            assertThat(Golden.values(
                            attention.forward(batch, LabelSelection.ALL).transpose(1, 2)))
                    .containsExactly(expected, within(1e-6));
            assertThat(Golden.values(attention
                            .forward(batch, new LabelSelection.Ids(ids(2, 0)))
                            .transpose(1, 2)))
                    .containsExactly(
                            new double[] {
                                0, 0.2 / 1.4, 0, 0.2 / 1.4, 0.5 / 3.5, 1 / 3.5, 0, 1 / 3.5, 0.5, 0, 0, 0, 0, 0, 0, 0
                            },
                            within(1e-6));
            assertThat(Golden.values(attention
                            .forward(batch, new LabelSelection.Range(1, 2))
                            .transpose(1, 2)))
                    .containsExactly(
                            new double[] {0, 0, 0, 0, 0, 0.2 / 1.4, 0, 0.2 / 1.4, 0, 0, 0, 0, 0.5, 0, 0, 0},
                            within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void gainsOfOneDocumentAreListedByLabel(int blocks) {
        PairsByToken pairs = new PairsByToken(
                new int[] {0, 0, 0, 1, 1, 1, 2, 2, 4, 4}, new int[] {0, 2, 0, 2}, new float[] {0.5f, 1, 1, 0.2f});
        DocumentAttention attention = DocumentAttention.of(
                new long[] {2, 7, 3, 7}, blocks, pairs, 3, StaticAttention.Weights.NORMALIZED, Compute.CPU);
        assertThat(attention.starts()).containsExactly(0, 3, 3, 5);
        assertThat(attention.positions()).containsExactly(0, 1, 3, 1, 3);
        assertThat(attention.gains()).containsExactly(0.5f, 1, 1, 0.2f, 0.2f);
    }

    @Test
    void logitsOfOneDocumentAverageTokenLogits() {
        Relevance relevance =
                new Relevance(new int[][] {{7, 2}, {}, {5, 7}}, new float[][] {{0.5f, 0.25f}, {}, {0.1f, 0.02f}});
        try (StaticAttention attention = new StaticAttention(relevance, 9, Compute.CPU)) {
            DocumentAttention weights = attention.ofDocument(new long[] {2, 7, 3, 7});
            float[] tokenLogits = {4, -1, 100, 3};
            assertThat(weights.logit(0, position -> tokenLogits[position]))
                    .isEqualTo((0.5f * 4 - 1 + 3) / 3.5f, within(1e-6f));
            assertThat(weights.logit(1, position -> tokenLogits[position])).isZero();
            assertThat(weights.logit(2, position -> tokenLogits[position]))
                    .isEqualTo((0.2f * -1 + 0.2f * 3) / 1.4f, within(1e-6f));
        }
        try (StaticAttention attention = new StaticAttention(relevance, 9, StaticAttention.Weights.GAIN, Compute.CPU)) {
            assertThat(attention.ofDocument(new long[] {5, 5}).logit(2, position -> 1))
                    .isEqualTo(0.2f, within(1e-6f));
        }
    }

    @ParameterizedTest
    @EnumSource
    void logitsInPredictionsAreTokenLogitsTimesWeights(StaticAttention.Weights kind) {
        Relevance relevance = new Relevance(
                new int[][] {{7, 2}, {}, {5, 7}, {2}}, new float[][] {{0.5f, 0.25f}, {}, {0.1f, 0.02f}, {0.3f}});
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                StaticAttention attention = new StaticAttention(relevance, 9, kind, Compute.CPU)) {
            Batch batch = Batch.of(List.of(new int[] {2, 7, 3, 7}, new int[] {5, 8}), Compute.CPU);
            for (LabelSelection labels : List.of(LabelSelection.ALL, new LabelSelection.Range(1, 2))) {
                int count = labels.count(4);
                Tensor tokenLogits = torch.randn(new long[] {2, 4, count}, Compute.CPU.floatOptions());
                Tensor expected =
                        attention.forward(batch, labels).mul(tokenLogits).sum(1L);
                assertThat(Golden.values(
                                attention.logits(batch, labels, tokenLogits).orElseThrow()))
                        .containsExactly(Golden.values(expected), within(1e-6));
            }
        }
    }

    @Test
    void trainingAndListedLabelsNeedTheWeightsThemselves() {
        Relevance relevance = new Relevance(new int[][] {{7, 2}, {5}}, new float[][] {{0.5f, 0.25f}, {0.1f}});
        try (PointerScope scope = new PointerScope();
                StaticAttention attention = new StaticAttention(relevance, 9, Compute.CPU)) {
            Batch batch = Batch.of(List.of(new int[] {2, 7}), Compute.CPU);
            assertThat(attention.logits(batch, LabelSelection.ALL, torch.ones(1, 2, 2)))
                    .isEmpty();
            try (InferenceMode inference = new InferenceMode()) {
                LabelSelection listed = new LabelSelection.Ids(ids(1));
                assertThat(attention.logits(batch, listed, torch.ones(1, 2, 1))).isEmpty();
                assertThat(attention.logits(batch, LabelSelection.ALL, torch.ones(1, 2, 2)))
                        .isPresent();
            }
        }
    }

    @Test
    void gainsThemselvesAreTheWeightsOfThePaper() {
        Relevance relevance = new Relevance(new int[][] {{7, 2}, {5}}, new float[][] {{0.5f, 0.25f}, {0.1f}});
        try (PointerScope scope = new PointerScope();
                StaticAttention attention =
                        new StaticAttention(relevance, 9, StaticAttention.Weights.GAIN, Compute.CPU)) {
            Batch batch = Batch.of(List.of(new int[] {2, 7, 3, 7}), Compute.CPU);
            assertThat(Golden.values(
                            attention.forward(batch, LabelSelection.ALL).transpose(1, 2)))
                    .containsExactly(new double[] {0.25, 0.5, 0, 0.5, 0, 0, 0, 0}, within(1e-6));
            assertThat(Golden.values(attention
                            .sparse(batch, LabelSelection.ALL)
                            .orElseThrow()
                            .weights()))
                    .containsExactlyInAnyOrder(0.25, 0.5, 0.5);
        }
    }

    @Test
    void withoutPairsAllWeightsAreZero() {
        Relevance relevance = new Relevance(new int[2][0], new float[2][0]);
        try (PointerScope scope = new PointerScope();
                StaticAttention attention = new StaticAttention(relevance, 5, Compute.CPU)) {
            Batch batch = Batch.of(List.of(new int[] {2, 3}), Compute.CPU);
            assertThat(Golden.values(
                            attention.forward(batch, LabelSelection.ALL).transpose(1, 2)))
                    .containsExactly(0, 0, 0, 0);
            assertThat(Golden.values(attention
                            .forward(batch, new LabelSelection.Range(1, 1))
                            .transpose(1, 2)))
                    .containsExactly(0, 0);
        }
    }

    private static final int VOCABULARY = 40;
    private static final int LABELS = 11;

    /** Up to six tokens per label from the lower half of the vocabulary; every fourth label has none. */
    private static Relevance random(Random random) {
        int[][] tokens = new int[LABELS][];
        float[][] gains = new float[LABELS][];
        for (int label = 0; label < LABELS; label++) {
            int count = label % 4 == 3 ? 0 : 1 + random.nextInt(6);
            tokens[label] =
                    random.ints(2, VOCABULARY / 2).distinct().limit(count).toArray();
            gains[label] = new float[count];
            for (int i = 0; i < count; i++) {
                gains[label][i] = (i == 0 ? 0.8f : gains[label][i - 1]) * (0.5f + random.nextFloat() / 2);
            }
        }
        return new Relevance(tokens, gains);
    }

    private static double[] expected(Relevance relevance, List<int[]> documents, int[] labels) {
        int width = documents.stream().mapToInt(d -> d.length).max().orElseThrow();
        double[] weights = new double[documents.size() * labels.length * width];
        int place = 0;
        for (int[] document : documents) {
            for (int label : labels) {
                double sum = 1;
                for (int token : document) {
                    sum += scaled(relevance, label, token);
                }
                for (int i = 0; i < document.length; i++) {
                    weights[place + i] = scaled(relevance, label, document[i]) / sum;
                }
                place += width;
            }
        }
        return weights;
    }

    private static double scaled(Relevance relevance, int label, int token) {
        double best = IntStream.range(0, VOCABULARY)
                .mapToDouble(any -> relevance.gain(label, any))
                .max()
                .orElseThrow();
        return best == 0 ? 0 : relevance.gain(label, token) / best;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void allSelectionsGiveTheSameWeights(long seed) {
        Random random = new Random(seed);
        Relevance relevance = random(random);
        List<int[]> documents = IntStream.range(0, 4)
                .mapToObj(
                        i -> random.ints(1 + random.nextInt(30), 1, VOCABULARY).toArray())
                .toList();
        try (PointerScope scope = new PointerScope();
                StaticAttention attention = new StaticAttention(relevance, VOCABULARY, Compute.CPU)) {
            Batch batch = Batch.of(documents, Compute.CPU);
            int[] all = IntStream.range(0, LABELS).toArray();
            check(attention.forward(batch, LabelSelection.ALL).transpose(1, 2), expected(relevance, documents, all));
            for (int first = 0; first < LABELS; first += 3) {
                int count = Math.min(3, LABELS - first);
                check(
                        attention
                                .forward(batch, new LabelSelection.Range(first, count))
                                .transpose(1, 2),
                        expected(relevance, documents, Arrays.copyOfRange(all, first, first + count)));
            }
            int[] few = {7, 0, 10, 7};
            LabelSelection listed = new LabelSelection.Ids(ids(7, 0, 10, 7));
            check(attention.forward(batch, listed).transpose(1, 2), expected(relevance, documents, few));
            LabelSelection shortlist = LabelSelection.Shortlisted.of(new int[] {0, 4, 10}, Compute.CPU);
            check(
                    dense(attention.sparse(batch, shortlist).orElseThrow(), batch, 3)
                            .transpose(1, 2),
                    expected(relevance, documents, new int[] {0, 4, 10}));
        }
    }

    private static Tensor dense(StaticAttention.SparseAttention sparse, Batch batch, int labels) {
        int documents = batch.lengths().length;
        return torch.zeros((long) documents * batch.width() * labels)
                .scatter_(0, sparse.slots(), sparse.weights())
                .view(documents, batch.width(), labels);
    }

    private static void check(Tensor weights, double[] expected) {
        assertThat(Golden.values(weights)).containsExactly(expected, within(1e-6));
    }
}
