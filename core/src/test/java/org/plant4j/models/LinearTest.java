package org.plant4j.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
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

class LinearTest {

    private static final int VOCABULARY = 8;

    /** Labels 0 and 1 as below; label 2 stands in every document, label 3 in none, label 4 is not learned. */
    private static final ListedExamples SMALL = new ListedExamples(
            List.of(
                    new int[] {2, 3, 3, 4},
                    new int[] {2, 4, 5, 1},
                    new int[] {3, 5, 5, 5, 6},
                    new int[] {2, 6, 7},
                    new int[] {4, 7, 7}),
            List.of(new int[] {0, 2}, new int[] {0, 1, 2}, new int[] {1, 2}, new int[] {0, 2}, new int[] {1, 2, 4}));

    private static final Linear.Config EXACT = new Linear.Config(1, false, 1e-10, 100_000, 0);

    // docs = [[2,3,3,4],[2,4,5],[3,5,5,5,6],[2,6,7],[4,7,7]]; labels = [[0],[0,1],[1],[0],[1]]
    // X = np.zeros((5, 6))
    // for i, d in enumerate(docs):
    //     for t in d: X[i, t - 2] += 1
    // A = TfidfTransformer(sublinear_tf=sub).fit_transform(X).toarray()
    // m = LinearSVC(C=1, tol=1e-10, max_iter=100000, random_state=0).fit(A, [int(l in v) for v in labels])
    // print(m.coef_[0], m.intercept_[0])   # scikit-learn 1.2.1
    @Test
    void weightsAreThoseOfLinearSvc() {
        Linear plain = train(EXACT, SMALL);
        assertWeights(plain, 0, 0.039186, 1.266161, 0.128596, 0.260874, -0.545186, 0.230587, -0.5466);
        assertWeights(plain, 1, 0.131975, -0.615892, -0.653968, 0.401326, 1.007744, -0.553153, 0.211691);
        Linear sublinear = train(new Linear.Config(1, true, 1e-10, 100_000, 0), SMALL);
        assertWeights(sublinear, 0, 0.034192, 1.323063, 0.019542, 0.201529, -0.504045, 0.124181, -0.52076);
        assertWeights(sublinear, 1, 0.149399, -0.704991, -0.585264, 0.383956, 1.063817, -0.457815, 0.178143);
    }

    private static void assertWeights(Linear model, int label, double bias, double... weights) {
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
    void labelsOfAllOrNoDocumentsAreDecidedWithoutWords() {
        Linear model = train(EXACT, SMALL);
        assertThat(model.labels()).isEqualTo(4);
        float[] scores = model.score(List.of(new int[] {2, 5}))[0];
        assertThat(scores[2]).isGreaterThan(0.5f);
        assertThat(scores[3]).isLessThan(0.5f);
        assertThat(model.evidence(new int[] {2, 5}, new int[] {2, 3})).isDeepEqualTo(new float[2][2]);
    }

    @Test
    void evidenceIsThePositivePartOfTheMarginSharedByOccurrences() {
        Linear model = train(EXACT, SMALL);
        int[] document = {7, 2, 1, 3, 0, 3}; // word 7 speaks against label 0, words 2 and 3 for it
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
        ListedExamples random = random(3);
        Linear model = train(Linear.Config.DEFAULTS, random);
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
    void equalSeedsGiveEqualModelsOnAnyNumberOfThreads(@TempDir Path folder) throws Exception {
        ListedExamples random = random(5);
        Linear.Config loose = new Linear.Config(1, true, 0.5, 2, 0); // far from the optimum, where the order shows
        byte[] one = trainedWith(1, loose, random, 7, folder.resolve("one"));
        assertThat(trainedWith(4, loose, random, 7, folder.resolve("four"))).isEqualTo(one);
        assertThat(trainedWith(4, loose, random, 8, folder.resolve("other"))).isNotEqualTo(one);
    }

    private static byte[] trainedWith(
            int threads, Linear.Config config, ListedExamples documents, long seed, Path folder) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(threads);
        try {
            pool.submit(() -> Linear.train(config, VOCABULARY, 4, documents, seed, Progress.NONE)
                            .save(folder))
                    .get();
        } finally {
            pool.shutdown();
        }
        return Files.readAllBytes(folder.resolve("linear.bin"));
    }

    @Test
    void loadedModelScoresExactlyTheSame(@TempDir Path folder) {
        ListedExamples random = random(9);
        Linear model = train(Linear.Config.DEFAULTS, random);
        model.save(folder);
        Linear loaded = Linear.load(folder);
        assertThat(loaded.score(random.documents())).isDeepEqualTo(model.score(random.documents()));
        assertThat(loaded.evidence(random.tokens(0), new int[] {0, 1}))
                .isDeepEqualTo(model.evidence(random.tokens(0), new int[] {0, 1}));
    }

    @Test
    void prunedWeightsAreGoneAndTheOthersStay() {
        Linear pruned = train(new Linear.Config(1, false, 1e-10, 100_000, 0.25), SMALL);
        assertWeights(pruned, 0, 0.039186, 1.266161, 0, 0.260874, -0.545186, 0, -0.5466);
    }

    @Test
    void missingForeignAndTruncatedFilesAreUserErrors(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> Linear.load(folder)).isInstanceOf(UserError.class);
        train(EXACT, SMALL).save(folder);
        Path file = folder.resolve("linear.bin");
        byte[] whole = Files.readAllBytes(file);
        for (int length : new int[] {0, 8, 20, 100, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> Linear.load(folder)).isInstanceOf(UserError.class);
        }
        whole[0] = 'X';
        Files.write(file, whole);
        assertThatThrownBy(() -> Linear.load(folder)).isInstanceOf(UserError.class);
    }

    private static Linear train(Linear.Config config, ListedExamples documents) {
        return Linear.train(config, VOCABULARY, 4, documents, 1, Progress.NONE);
    }

    private static ListedExamples random(long seed) {
        Random random = new Random(seed);
        List<int[]> documents = new ArrayList<>();
        List<int[]> gold = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            documents.add(random.ints(random.nextInt(12), 0, VOCABULARY).toArray());
            gold.add(random.ints(2, 0, 4).distinct().sorted().toArray());
        }
        return new ListedExamples(documents, gold);
    }
}
