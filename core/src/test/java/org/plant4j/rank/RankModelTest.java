package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;

class RankModelTest {

    private static final int VOCABULARY = 9;
    private static final int LABELS = 5;
    private static final int SIZE = 4;
    private static final int HIDDEN = 6;
    private static final long[] IDS = {3, 8, 2, 5, 2, 7}; // two documents of three tokens

    @TempDir
    Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    /** All parameters are random, biases too, so that an omitted one is noticed. */
    private static RankModel model(RankModel.Scorer scorer) {
        Engine.setSeed(7);
        RankModel model = new RankModel(new RankModel.Config(scorer, SIZE, HIDDEN), VOCABULARY, LABELS, Compute.CPU);
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Random random = new Random(3);
            for (Tensor parameter : model.parameters().values()) {
                float[] values = new float[(int) parameter.numel()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = (float) random.nextGaussian();
                }
                parameter.copy_(Tensor.create(values, parameter.shape()));
            }
        }
        return model;
    }

    private static float[] values(Tensor tensor) {
        float[] values = new float[(int) tensor.numel()];
        new FloatPointer(tensor.detach().contiguous().data_ptr_float()).get(values);
        return values;
    }

    private static Tensor ids() {
        return Tensor.create(IDS, 2, 3);
    }

    private static Tensor parameter(RankModel model, String name) {
        return Objects.requireNonNull(model.parameters().get(name), name);
    }

    private static float[] row(RankModel model, String name, int row, int size) {
        return Arrays.copyOfRange(values(parameter(model, name)), row * size, (row + 1) * size);
    }

    /** f([e_l; e_t]) pair by pair, in double precision, from the named parameters. */
    private static double literal(RankModel model, int label, int token) {
        float[] e = row(model, "tokens.weight", token, SIZE);
        float[] l = row(model, "labels.weight", label, SIZE);
        if (model.config().scorer() == RankModel.Scorer.DOT) {
            return dot(e, l) + row(model, "tokens.bias", token, 1)[0] + row(model, "labels.bias", label, 1)[0];
        }
        double score = row(model, "second.bias", 0, 1)[0];
        for (int h = 0; h < HIDDEN; h++) {
            double hidden = dot(row(model, "first.label", h, SIZE), l)
                    + dot(row(model, "first.token", h, SIZE), e)
                    + row(model, "first.bias", h, 1)[0];
            score += row(model, "second.weight", h, 1)[0] * Math.max(0, hidden);
        }
        return model.config().scorer() == RankModel.Scorer.MLP_RELU ? Math.max(0, score) : score;
    }

    private static double dot(float[] a, float[] b) {
        return IntStream.range(0, a.length)
                .mapToDouble(i -> (double) a[i] * b[i])
                .sum();
    }

    @ParameterizedTest
    @EnumSource(RankModel.Scorer.class)
    void scoresEqualTheLiteralFormula(RankModel.Scorer scorer) {
        try (PointerScope scope = new PointerScope();
                RankModel model = model(scorer)) {
            Tensor scores =
                    model.score(model.encodeTokens(ids()), LabelSelection.ALL).transpose(1, 2);

            assertThat(scores.shape()).containsExactly(2, LABELS, 3);
            float[] found = values(scores);
            for (int b = 0, i = 0; b < 2; b++) {
                for (int label = 0; label < LABELS; label++) {
                    for (int t = 0; t < 3; t++, i++) {
                        assertThat((double) found[i])
                                .isCloseTo(literal(model, label, (int) IDS[b * 3 + t]), within(1e-5));
                    }
                }
            }
        }
    }

    /** The formula over each pair's concatenated embeddings, through autograd. */
    private static Tensor unsplit(RankModel model, int label, long token) {
        Tensor e = parameter(model, "tokens.weight").select(0, token);
        Tensor l = parameter(model, "labels.weight").select(0, label);
        if (model.config().scorer() == RankModel.Scorer.DOT) {
            return e.mul(l)
                    .sum()
                    .add(parameter(model, "tokens.bias").select(0, token))
                    .add(parameter(model, "labels.bias").select(0, label));
        }
        Tensor first = torch.cat(new TensorVector(parameter(model, "first.label"), parameter(model, "first.token")), 1);
        Tensor hidden =
                torch.relu(first.matmul(torch.cat(new TensorVector(l, e), 0)).add(parameter(model, "first.bias")));
        Tensor score = parameter(model, "second.weight")
                .matmul(hidden)
                .add(parameter(model, "second.bias"))
                .sum();
        return model.config().scorer() == RankModel.Scorer.MLP_RELU ? torch.relu(score) : score;
    }

    private static Map<String, float[]> gradients(RankModel model) {
        Map<String, float[]> gradients = new TreeMap<>();
        model.parameters().forEach((name, tensor) -> {
            gradients.put(name, values(tensor.grad()));
            tensor.mutable_grad().reset();
        });
        return gradients;
    }

    private static void assertClose(Map<String, float[]> found, Map<String, float[]> expected) {
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, values) -> assertThat(found.get(name)).as(name).containsExactly(values, within(1e-4f)));
    }

    @ParameterizedTest
    @EnumSource(RankModel.Scorer.class)
    void gradientsEqualThoseOfTheUnsplitFormulaWhetherAllLabelsOrRangesAreScored(RankModel.Scorer scorer) {
        try (PointerScope scope = new PointerScope();
                RankModel model = model(scorer)) {
            Tensor loss = torch.zeros();
            for (int label = 0; label < LABELS; label++) {
                for (long token : IDS) {
                    loss = loss.add(unsplit(model, label, token).square());
                }
            }
            loss.backward();
            Map<String, float[]> expected = gradients(model);

            model.score(model.encodeTokens(ids()), LabelSelection.ALL)
                    .square()
                    .sum()
                    .backward();
            assertClose(gradients(model), expected);

            for (LabelSelection range :
                    new LabelSelection[] {new LabelSelection.Range(0, 2), new LabelSelection.Range(2, 3)}) {
                model.score(model.encodeTokens(ids()), range).square().sum().backward();
            }
            assertClose(gradients(model), expected);
        }
    }

    @ParameterizedTest
    @EnumSource(RankModel.Scorer.class)
    void rangesAndSelectedLabelsScoreLikeAllLabels(RankModel.Scorer scorer) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard();
                RankModel model = model(scorer)) {
            Tensor tokens = model.encodeTokens(ids());
            Tensor all = model.score(tokens, LabelSelection.ALL).transpose(1, 2);

            assertThat(values(
                            model.score(tokens, new LabelSelection.Range(1, 3)).transpose(1, 2)))
                    .containsExactly(values(all.narrow(1, 1, 3)), within(1e-6f));
            Tensor asked = Tensor.create(new long[] {4, 0});
            assertThat(values(model.score(tokens, new LabelSelection.Ids(asked)).transpose(1, 2)))
                    .containsExactly(values(all.index_select(1, asked)), within(1e-6f));
        }
    }

    @ParameterizedTest
    @EnumSource(RankModel.Scorer.class)
    void eachLabelScoresItsOwnRow(RankModel.Scorer scorer) {
        try (PointerScope scope = new PointerScope();
                RankModel model = model(scorer)) {
            Tensor rows = model.scoreRows(
                    model.encodeTokens(ids()), new LabelSelection.Ids(Tensor.create(new long[] {4, 1})));

            assertThat(rows.shape()).containsExactly(2, 3);
            assertThat(values(rows)[2]).isCloseTo((float) literal(model, 4, (int) IDS[2]), within(1e-5f));
            assertThat(values(rows)[3]).isCloseTo((float) literal(model, 1, (int) IDS[3]), within(1e-5f));
        }
    }

    @ParameterizedTest
    @EnumSource(RankModel.Scorer.class)
    void aLabelScoresTheWholeVocabulary(RankModel.Scorer scorer) {
        try (PointerScope scope = new PointerScope();
                RankModel model = model(scorer)) {
            float[] scores = model.scores(3);

            assertThat(scores).hasSize(VOCABULARY);
            IntStream.range(2, VOCABULARY)
                    .forEach(token ->
                            assertThat(scores[token]).isCloseTo((float) literal(model, 3, token), within(1e-5f)));
        }
    }

    @ParameterizedTest
    @EnumSource(RankModel.Scorer.class)
    void saveAndLoadRoundTrip(RankModel.Scorer scorer) {
        Path file = directory.resolve("ranker.safetensors");
        try (PointerScope scope = new PointerScope();
                RankModel model = model(scorer);
                RankModel other = new RankModel(model.config(), VOCABULARY, LABELS, Compute.CPU)) {
            model.save(file);
            other.load(file);

            assertThat(values(other.score(other.encodeTokens(ids()), LabelSelection.ALL)))
                    .isEqualTo(values(model.score(model.encodeTokens(ids()), LabelSelection.ALL)));
        }
    }

    @Test
    void wordVectorsReplaceTokenEmbeddingsExceptZeroRows() {
        try (PointerScope scope = new PointerScope();
                RankModel model = model(RankModel.Scorer.DOT)) {
            float[] drawn = values(parameter(model, "tokens.weight"));
            float[][] vectors = new float[VOCABULARY][SIZE];
            vectors[3] = new float[] {1, 2, 3, 4};

            model.setTokenVectors(vectors);

            float[] now = values(parameter(model, "tokens.weight"));
            IntStream.range(0, now.length)
                    .forEach(i -> assertThat(now[i]).isEqualTo(i / SIZE == 3 ? vectors[3][i % SIZE] : drawn[i]));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> model.setTokenVectors(new float[VOCABULARY][SIZE + 1]));
        }
    }
}
