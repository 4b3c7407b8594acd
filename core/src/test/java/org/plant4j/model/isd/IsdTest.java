package org.plant4j.model.isd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.LogitsWithAttention;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.model.output.SharedViews;
import org.plant4j.model.registry.TinyTraining;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.train.Loss;

class IsdTest {

    private static final EncoderConfig CONVOLUTIONS = new EncoderConfig.Convolutions(3, 2, List.of(3, 4), 0);
    private static final List<int[]> DESCRIPTIONS =
            List.of(new int[] {2, 3}, new int[] {4}, new int[0], new int[] {5, 6, 2}, new int[] {3});

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static Isd golden(double missing, double wrong) {
        Isd.LossWeights weights = new Isd.LossWeights(0.5, missing, wrong, 0.5, 0.02);
        Isd isd = Isd.Config.builder(CONVOLUTIONS)
                .queries(3)
                .layers(2)
                .intermediate(5)
                .weights(weights)
                .build()
                .build(7, 5, Compute.CPU);
        isd.setDescriptions(DESCRIPTIONS);
        Golden.fill(isd.parameters());
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Golden.tensor(isd.parameters(), "encoder.embedding.weight")
                    .select(0, 0)
                    .zero_();
        }
        return isd;
    }

    /** Labels 0 and 2 belong to one category, label 1 to another, so that there are two views. */
    @Test
    void queriesCanStartFromTheMeanEmbeddingOfEachCategory() {
        try (PointerScope scope = new PointerScope();
                Isd isd = new Isd(
                        Isd.Config.builder(CONVOLUTIONS).queries(0).build(), 7, new int[] {0, 1, 0}, Compute.CPU)) {
            isd.setDescriptions(List.of(new int[] {2, 3}, new int[] {4}, new int[] {5}));
            double[][] labels = rows(isd.labelEmbeddings());
            double[][] queries = rows(Golden.tensor(isd.parameters(), "queries.weight"));
            assertThat(queries).hasDimensions(2, labels[0].length);
            double length = Math.sqrt(labels[0].length); // the query deviation is 1
            double[] sum = new double[labels[0].length];
            Arrays.setAll(sum, i -> labels[0][i] + labels[2][i]);
            for (int view = 0; view < 2; view++) {
                double[] mean = view == 0 ? sum : labels[1];
                double norm = Math.sqrt(Arrays.stream(mean).map(x -> x * x).sum());
                double[] expected =
                        Arrays.stream(mean).map(x -> x / norm * length).toArray();
                assertThat(queries[view]).containsExactly(expected, within(1e-5));
            }
        }
    }

    private static double[][] rows(Tensor matrix) {
        double[] values = Golden.values(matrix);
        int columns = (int) matrix.size(1);
        return IntStream.range(0, (int) matrix.size(0))
                .mapToObj(row -> Arrays.copyOfRange(values, row * columns, (row + 1) * columns))
                .toArray(double[][]::new);
    }

    private static SharedViews sharedViews(Isd isd, int[] document, int... labels) {
        return isd.predict(List.of(document), PredictionRequest.evidence(labels).withSharedViews())
                .get(0)
                .sharedViews()
                .orElseThrow();
    }

    @Test
    void logitsEvidenceAndGradientsEqualPyTorch() {
        try (PointerScope scope = new PointerScope();
                Isd isd = golden(0, 0)) {
            LogitsWithAttention scores =
                    isd.forward(Batch.forTraining(Golden.DOCUMENTS, Compute.CPU), LabelSelection.ALL);
            Golden golden = Golden.of("isd");
            golden.check("attention", scores.attention());
            golden.check("output", scores.logits());
            Golden.backward(scores.logits());
            Map<String, Tensor> parameters = new LinkedHashMap<>(isd.parameters());
            parameters.remove("codes.mask"); // used by the label set tasks only
            golden.checkGradients(parameters);
        }
    }

    /** With one label per document, the removed label does not depend on the random generator. */
    @Test
    void gradientsWithAMissingLabelEqualPyTorch() {
        checkGradients("isdMissing", 0.01, 0, new int[][] {{1}, {3}, {2}});
    }

    /** With all labels but one, neither does the added label. */
    @Test
    void gradientsWithAWrongLabelEqualPyTorch() {
        checkGradients("isdWrong", 0, 0.01, new int[][] {{0, 1, 2, 3}, {1, 2, 3, 4}, {0, 2, 3, 4}});
    }

    private static void checkGradients(String name, double missing, double wrong, int[][] gold) {
        try (PointerScope scope = new PointerScope();
                Isd isd = golden(missing, wrong)) {
            float[] targets = new float[3 * 5];
            for (int row = 0; row < 3; row++) {
                for (int label : gold[row]) {
                    targets[row * 5 + label] = 1;
                }
            }
            Segments documents = new Segments(Golden.DOCUMENTS, Integer.MAX_VALUE, true, Compute.CPU);
            Tensor prediction = isd.computeGradients(documents, Tensor.create(targets, 3, 5), Loss.PLAIN);
            Golden golden = Golden.of(name);
            golden.check("prediction", prediction);
            golden.checkGradients(isd.parameters());
        }
    }

    @Test
    void aRemovedLabelIsNotInItsSet() {
        int[][] gold = {{1, 4, 6}, {}, {2}};
        boolean[] hidden = new boolean[8];
        for (int seed = 0; seed < 50; seed++) {
            CompletionTask sets = CompletionTask.missing(gold, 8, new Random(seed));
            assertThat(sets.documents()).containsExactly(0, 2);
            for (int i = 0; i < 2; i++) {
                int target = sets.targets()[i];
                hidden[target] = true;
                assertThat(sets.labelSets()[i]).startsWith(8).doesNotContain(target); // 8 is the mask
                int[] others = Arrays.stream(gold[sets.documents()[i]])
                        .filter(label -> label != target)
                        .toArray();
                assertThat(Arrays.copyOfRange(sets.labelSets()[i], 1, sets.labelSets()[i].length))
                        .containsExactlyInAnyOrder(others);
            }
        }
        assertThat(hidden).containsExactly(false, true, true, false, true, false, true, false);
    }

    @Test
    void anAddedLabelIsNotOneOfTheDocumentAndTheMaskIsItsTarget() {
        int[][] gold = {{1, 4}, {}, {0, 1, 2, 3, 4}};
        for (int seed = 0; seed < 50; seed++) {
            CompletionTask sets = CompletionTask.wrong(gold, 5, new Random(seed));
            assertThat(sets.documents()).containsExactly(0, 1); // the last document has all labels
            assertThat(sets.labelSets()[0]).hasSize(3).endsWith(1, 4);
            assertThat(sets.labelSets()[0][0]).isIn(0, 2, 3);
            assertThat(sets.labelSets()[1]).hasSize(1);
            assertThat(sets.targets()).containsExactly(5, 5);
        }
    }

    @Test
    void aTeacherDocumentConcatenatesTheDescriptionsOfTheLabels() {
        int[][] gold = {{0, 3}, {2}, {0, 1, 2}};
        DescriptionDocuments documents =
                DescriptionDocuments.of(gold, DESCRIPTIONS).orElseThrow();
        // Labels 0, 1 and 3 are encoded, each padded to three tokens. Label 2 has no description, so document 1 is left
        // out.
        assertThat(documents.descriptions()).containsExactly(new int[] {2, 3}, new int[] {4}, new int[] {5, 6, 2});
        assertThat(documents.rows()).containsExactly(0, 2);
        assertThat(documents.tokenPositions()).isDeepEqualTo(new int[][] {{0, 1, 6, 7, 8}, {0, 1, 3}});
        assertThat(DescriptionDocuments.of(new int[][] {{2}, {}}, DESCRIPTIONS)).isEmpty();
    }

    @Test
    void distillationMatchesViewsPerDocumentWithoutGradientsForTheTeacher() {
        try (PointerScope scope = new PointerScope()) {
            Tensor student = Tensor.create(new float[] {1, 0, 0, 2, 3, 0, 0, 1}, 2, 2, 2);
            // In the first document the teacher has the same two views in reverse order; in the second (0, 1) and (3,
            // 4).
            Tensor teacher = Tensor.create(new float[] {0, 5, 7, 0, 0, 1, 3, 4}, 2, 2, 2);
            student.set_requires_grad(true);
            teacher.set_requires_grad(true);
            Tensor distances = DistillationLoss.distances(student, teacher, Compute.CPU);
            // (3, 0) and (3, 4) have a cosine of 0.6; the other pairing there would give 0 and 0.8.
            assertThat(Golden.values(distances)).containsExactly(new double[] {0, 0, 0.4, 0}, within(1e-6));
            distances.sum().backward();
            assertThat(teacher.grad().defined()).isFalse();
            // d(1 − cos)/dx of (3, 0) against (0.6, 0.8): −(t − cos · u)/|x| = −(0, 0.8)/3.
            assertThat(Golden.values(student.grad()))
                    .containsExactly(new double[] {0, 0, 0, 0, 0, -0.8 / 3, 0, 0}, within(1e-6));
        }
    }

    @Test
    void eachLabelReportsItsViewAndEvidenceIsWithinIt(@TempDir Path directory) {
        try (Isd isd = golden(0, 0)) {
            int[] document = {2, 3, 4, 5, 6};
            int[] labels = {4, 0};
            SharedViews views = sharedViews(isd, document, labels);
            assertThat(views.attention().length).isEqualTo(3);
            for (float[] view : views.attention()) {
                double sum = 0;
                for (float weight : view) {
                    sum += weight;
                }
                assertThat(view).hasSize(5);
                assertThat(sum).isCloseTo(1, within(1e-5));
            }
            assertThat(views.chosen()).hasSize(2);
            float[][] evidence = isd.evidence(document, labels);
            for (int i = 0; i < labels.length; i++) {
                for (int t = 0; t < document.length; t++) {
                    if (evidence[i][t] > 0) {
                        assertThat(views.attention()[views.chosen()[i]][t]).isPositive();
                    }
                }
            }
            assertThat(sharedViews(isd, new int[0], labels).attention()[0]).isEmpty();
        }
    }

    @Test
    void aTrainedDecoderFindsMissingAndWrongLabels(@TempDir Path directory) {
        Isd.LossWeights weights = new Isd.LossWeights(0.5, 0.1, 0.1, 0, 0);
        EncoderConfig encoder = new EncoderConfig.Convolutions(12, 8, List.of(1, 3), 0);
        Isd.Config config = Isd.Config.builder(encoder)
                .layers(1)
                .selfDistillation(false)
                .weights(weights)
                .initialBias(-1)
                .build();
        TinyCorpus corpus = TinyCorpus.of(60, 1);
        TinyTraining training = TinyTraining.of(config, 0.01, corpus, 1, 40, directory.resolve("isd"));
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard();
                Isd isd = (Isd) training.load(training.directory(), Compute.CPU)) {
            int[][] gold = corpus.gold().toArray(int[][]::new);
            Batch documents = Batch.of(corpus.documents(), Compute.CPU);
            Isd.Views views = isd.computeViews(isd.hiddenStates(documents), documents.mask(), false);
            Tensor vectors = isd.withMask(isd.labelEmbeddings());
            IsdTraining losses = new IsdTraining(isd, Loss.PLAIN);
            CompletionTask missing = CompletionTask.missing(gold, TinyCorpus.LABELS, new Random(5));
            CompletionTask wrong = CompletionTask.wrong(gold, TinyCorpus.LABELS, new Random(5));
            double uniformLoss = Math.log(TinyCorpus.LABELS + 1); // of a uniform distribution
            for (CompletionTask sets : List.of(missing, wrong)) {
                double mean =
                        losses.completionLoss(sets, vectors, views.memory().orElseThrow())
                                        .item_float()
                                / sets.documents().length;
                assertThat(mean).isLessThan(uniformLoss / 2);
            }
        }
    }

    @Test
    void aDocumentWithoutDescriptionsIsTrained() {
        try (PointerScope scope = new PointerScope();
                Isd isd = golden(0.01, 0.01)) {
            Segments documents = new Segments(Golden.DOCUMENTS, Integer.MAX_VALUE, true, Compute.CPU);
            Tensor loss = isd.computeGradients(documents, Tensor.create(new float[15], 3, 5), Loss.PLAIN);
            assertThat(loss.item_float()).isPositive().isFinite();
        }
    }
}
