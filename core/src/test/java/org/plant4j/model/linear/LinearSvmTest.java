package org.plant4j.model.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.model.InMemoryExamples;
import org.plant4j.model.LabelTasks;

class LinearSvmTest {

    private static final int VOCABULARY = 8;

    /** Labels 0 and 1 as below; label 2 occurs in every document, label 3 in none, label 4 is not trained. */
    private static final InMemoryExamples SMALL = new InMemoryExamples(
            List.of(
                    new int[] {2, 3, 3, 4},
                    new int[] {2, 4, 5, 1},
                    new int[] {3, 5, 5, 5, 6},
                    new int[] {2, 6, 7},
                    new int[] {4, 7, 7}),
            List.of(new int[] {0, 2}, new int[] {0, 1, 2}, new int[] {1, 2}, new int[] {0, 2}, new int[] {1, 2, 4}));

    private static final LinearSvm.Config EXACT = new LinearSvm.Config(1, false, 1e-10, 100_000, 0);

    // docs = [[2,3,3,4],[2,4,5],[3,5,5,5,6],[2,6,7],[4,7,7]]; labels = [[0],[0,1],[1],[0],[1]]
    // X = np.zeros((5, 6))
    // for i, d in enumerate(docs):
    //     for t in d: X[i, t - 2] += 1
    // A = TfidfTransformer(sublinear_tf=sub).fit_transform(X).toarray()
    // m = LinearSVC(C=1, tol=1e-10, max_iter=100000, random_state=0).fit(A, [int(l in v) for v in labels])
    // print(m.coef_[0], m.intercept_[0])   # scikit-learn 1.2.1
    @Test
    void weightsEqualLinearSvc() {
        LinearSvm plain = train(EXACT, SMALL);
        assertWeights(plain, 0, 0.039186, 1.266161, 0.128596, 0.260874, -0.545186, 0.230587, -0.5466);
        assertWeights(plain, 1, 0.131975, -0.615892, -0.653968, 0.401326, 1.007744, -0.553153, 0.211691);
        LinearSvm sublinear = train(new LinearSvm.Config(1, true, 1e-10, 100_000, 0), SMALL);
        assertWeights(sublinear, 0, 0.034192, 1.323063, 0.019542, 0.201529, -0.504045, 0.124181, -0.52076);
        assertWeights(sublinear, 1, 0.149399, -0.704991, -0.585264, 0.383956, 1.063817, -0.457815, 0.178143);
    }

    private static void assertWeights(LinearSvm model, int label, double bias, double... weights) {
        assertThat(model.bias(label)).isEqualTo((float) bias, within(2e-6f));
        for (int i = 0; i < weights.length; i++) {
            assertThat(model.weight(i + 2, label)).isEqualTo((float) weights[i], within(2e-6f));
        }
    }

    @Test
    void scoreIsTheSigmoidOfTheMargin() {
        float[][] scores = train(EXACT, SMALL).score(List.of(new int[] {2}, new int[0]));
        assertThat(scores[0][0]).isEqualTo((float) (1 / (1 + Math.exp(-1.266161 - 0.039186))), within(1e-6f));
        assertThat(scores[1][0]).isEqualTo((float) (1 / (1 + Math.exp(-0.039186))), within(1e-6f));
    }

    @Test
    void labelsOfAllOrNoDocumentsHaveNoWeights() {
        LinearSvm model = train(EXACT, SMALL);
        assertThat(model.labels()).isEqualTo(4);
        float[] scores = model.score(List.of(new int[] {2, 5}))[0];
        assertThat(scores[2]).isGreaterThan(0.5f);
        assertThat(scores[3]).isLessThan(0.5f);
        assertThat(model.evidence(new int[] {2, 5}, new int[] {2, 3})).isDeepEqualTo(new float[2][2]);
    }

    @Test
    void evidenceIsThePositivePartOfTheMarginPerOccurrence() {
        LinearSvm model = train(EXACT, SMALL);
        int[] document = {7, 2, 1, 3, 0, 3}; // token 7 has a negative weight for label 0, tokens 2 and 3 positive ones
        float[] evidence = model.evidence(document, new int[] {0})[0];
        double two = 1.266161 * (Math.log(6.0 / 4) + 1);
        double three = 0.128596 * 2 * (Math.log(6.0 / 3) + 1);
        float first = (float) (two / (two + three));
        float half = (float) (three / 2 / (two + three));
        assertThat(evidence).containsExactly(new float[] {0, first, 0, half, 0, half}, within(1e-5f));
        assertThat(model.evidence(new int[] {5, 7}, new int[] {0})[0]).containsExactly(0, 0);
    }

    @Test
    void evidenceOfRandomDocumentsSumsToOneOrZero() {
        InMemoryExamples random = random(3);
        LinearSvm model = train(LinearSvm.Config.DEFAULTS, random);
        for (int[] document : random.documents()) {
            for (float[] row : model.evidence(document, new int[] {0, 1, 2, 3})) {
                double sum = 0;
                for (float weight : row) {
                    assertThat(weight).isNotNegative();
                    sum += weight;
                }
                assertThat(sum)
                        .satisfiesAnyOf(
                                s -> assertThat(s).isZero(), s -> assertThat(s).isEqualTo(1, within(1e-5)));
            }
        }
    }

    @Test
    void equalSeedsGiveEqualModelsOnAnyNumberOfThreads(@TempDir Path directory) throws Exception {
        InMemoryExamples random = random(5);
        LinearSvm.Config loose =
                new LinearSvm.Config(1, true, 0.5, 2, 0); // far from the optimum, where the order of updates matters
        byte[] one = trainedWith(1, loose, random, 7, directory.resolve("one"));
        assertThat(trainedWith(4, loose, random, 7, directory.resolve("four"))).isEqualTo(one);
        assertThat(trainedWith(4, loose, random, 8, directory.resolve("other"))).isNotEqualTo(one);
    }

    private static byte[] trainedWith(
            int threads, LinearSvm.Config config, InMemoryExamples documents, long seed, Path directory)
            throws Exception {
        ForkJoinPool pool = new ForkJoinPool(threads);
        try {
            pool.submit(() -> LinearSvm.train(config, VOCABULARY, 4, documents, seed, LabelTasks.LOCAL, Progress.NONE)
                            .save(directory))
                    .get();
        } finally {
            pool.shutdown();
        }
        return Files.readAllBytes(directory.resolve("linear.bin"));
    }

    /** Solves each label in a copy of the problem that was serialized, in reverse order. */
    private static final class Remote implements LabelTasks {
        @Override
        public <S extends Serializable> List<S> solve(Problem<S> problem, int labels, Progress.Task progress) {
            List<S> solutions = new ArrayList<>();
            for (int label = labels - 1; label >= 0; label--) {
                solutions.add(0, copy(copy(problem).solve(label)));
            }
            return solutions;
        }

        @SuppressWarnings("unchecked")
        private static <T extends Serializable> T copy(T value) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
                out.flush();
                return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
            } catch (IOException | ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void labelsTrainedFromASerializedProblemHaveTheSameWeights(@TempDir Path directory) throws IOException {
        InMemoryExamples random = random(6);
        LinearSvm.Config config = new LinearSvm.Config(1, true, 0.5, 2, 0);
        int labels = 5; // the last one has no documents
        LinearSvm.train(config, VOCABULARY, labels, random, 7, LabelTasks.LOCAL, Progress.NONE)
                .save(directory.resolve("local"));
        LinearSvm.train(config, VOCABULARY, labels, random, 7, new Remote(), Progress.NONE)
                .save(directory.resolve("remote"));
        assertThat(directory.resolve("remote/linear.bin"))
                .hasSameBinaryContentAs(directory.resolve("local/linear.bin"));
    }

    @Test
    void loadedModelScoresExactlyTheSame(@TempDir Path directory) {
        InMemoryExamples random = random(9);
        LinearSvm model = train(LinearSvm.Config.DEFAULTS, random);
        model.save(directory);
        LinearSvm loaded = LinearSvm.load(directory);
        assertThat(loaded.score(random.documents())).isDeepEqualTo(model.score(random.documents()));
        assertThat(loaded.evidence(random.tokens(0), new int[] {0, 1}))
                .isDeepEqualTo(model.evidence(random.tokens(0), new int[] {0, 1}));
    }

    @Test
    void pruningDropsSmallWeightsOnly() {
        LinearSvm pruned = train(new LinearSvm.Config(1, false, 1e-10, 100_000, 0.25), SMALL);
        assertWeights(pruned, 0, 0.039186, 1.266161, 0, 0.260874, -0.545186, 0, -0.5466);
    }

    @Test
    void missingForeignAndTruncatedFilesAreUserErrors(@TempDir Path directory) throws IOException {
        assertThatThrownBy(() -> LinearSvm.load(directory)).isInstanceOf(UserError.class);
        train(EXACT, SMALL).save(directory);
        Path file = directory.resolve("linear.bin");
        byte[] whole = Files.readAllBytes(file);
        for (int length : new int[] {0, 8, 20, 100, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> LinearSvm.load(directory)).isInstanceOf(UserError.class);
        }
        whole[0] = 'X';
        Files.write(file, whole);
        assertThatThrownBy(() -> LinearSvm.load(directory)).isInstanceOf(UserError.class);
    }

    private static LinearSvm train(LinearSvm.Config config, InMemoryExamples documents) {
        return LinearSvm.train(config, VOCABULARY, 4, documents, 1, LabelTasks.LOCAL, Progress.NONE);
    }

    private static InMemoryExamples random(long seed) {
        Random random = new Random(seed);
        List<int[]> documents = new ArrayList<>();
        List<int[]> gold = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            documents.add(random.ints(random.nextInt(12), 0, VOCABULARY).toArray());
            gold.add(random.ints(2, 0, 4).distinct().sorted().toArray());
        }
        return new InMemoryExamples(documents, gold);
    }
}
