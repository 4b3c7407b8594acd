package org.plant4j.model.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.model.InMemoryExamples;
import org.plant4j.model.LabelTasks;

class LabelTreeTest {

    private static final LabelTree.Solver EXACT = new LabelTree.Solver(1, 1e-10, 100_000, 0);

    /** As in {@link LinearSvmTest}: label 2 occurs in every document, label 3 in none, label 4 is not trained. */
    private static final InMemoryExamples SMALL = new InMemoryExamples(
            List.of(
                    new int[] {2, 3, 3, 4},
                    new int[] {2, 4, 5, 1},
                    new int[] {3, 5, 5, 5, 6},
                    new int[] {2, 6, 7},
                    new int[] {4, 7, 7}),
            List.of(new int[] {0, 2}, new int[] {0, 1, 2}, new int[] {1, 2}, new int[] {0, 2}, new int[] {1, 2, 4}));

    private static LabelTree.Config config(int leafLabels, int negatives, int beam) {
        return new LabelTree.Config(1, 2, leafLabels, negatives, beam, 0, EXACT);
    }

    private static LabelTree train(LabelTree.Config config, InMemoryExamples documents, int vocabulary, int labels) {
        return LabelTree.train(config, vocabulary, labels, documents, 1, Progress.NONE);
    }

    @Test
    void aSingleLeafNodeHasTheWeightsOfTheOneVsRestModel() {
        LabelTree tree = train(config(4, 0, 1), SMALL, 8, 4);
        LinearSvm svm = LinearSvm.train(
                new LinearSvm.Config(1, true, 1e-10, 100_000, 0), 8, 4, SMALL, 1, LabelTasks.LOCAL, Progress.NONE);
        for (int token = 2; token < 8; token++) {
            for (int label : new int[] {0, 1}) {
                assertThat(tree.weight(token, label)).isEqualTo(svm.weight(token, label), within(2e-6));
            }
        }
        float[] scores = tree.score(List.of(new int[] {2, 5}))[0];
        float[] expected = svm.score(List.of(new int[] {2, 5}))[0];
        assertThat(scores[0]).isEqualTo(expected[0], within(1e-6f));
        assertThat(scores[1]).isEqualTo(expected[1], within(1e-6f));
        assertThat(scores[2]).isGreaterThan(0.5f);
        assertThat(scores[3]).isZero(); // no training document
    }

    /** With all documents as negatives and a beam over all leaf nodes, only the tree differs from one-vs-rest. */
    @Test
    void aTreeThatSeesEverythingScoresLikeTheOneVsRestModel() {
        InMemoryExamples topics = topics(80);
        LabelTree tree = train(config(2, 1000, 100), topics, 40, 8);
        LinearSvm svm = LinearSvm.train(
                new LinearSvm.Config(1, true, 1e-10, 100_000, 0), 40, 8, topics, 1, LabelTasks.LOCAL, Progress.NONE);
        float[][] scores = tree.score(topics.documents());
        float[][] expected = svm.score(topics.documents());
        for (int d = 0; d < scores.length; d++) {
            assertThat(scores[d]).containsExactly(expected[d], within(1e-5f));
        }
    }

    @Test
    void onlyTheLabelsOfTheBestClustersHaveAScore() {
        InMemoryExamples topics = topics(200);
        LabelTree tree = train(config(2, 20, 1), topics, 40, 8);
        for (int d = 0; d < topics.size(); d++) {
            float[] scores = tree.score(List.of(topics.tokens(d)))[0];
            int[] scored = IntStream.range(0, 8).filter(l -> scores[l] > 0).toArray();
            assertThat(scored).hasSize(2).contains(topics.labels(d)[0]);
            assertThat(tree.labels(topics.tokens(d), 1)).containsExactly(topics.labels(d)[0]);
            assertThat(tree.labels(topics.tokens(d), 9)).isEqualTo(scored);
        }
    }

    /** Root with two leaf nodes of two labels; token 2 has weight 2 for the first and -1 for the second. */
    @Test
    void aScoreIsTheSigmoidOfTheMarginTimesThePowerOfThePath() {
        TreeNode first = leaf(new int[] {0, 3}, 1, -1);
        TreeNode second = leaf(new int[] {1, 2}, 0.5f, 3);
        NodeWeights root = new NodeWeights(
                new int[] {2}, new int[] {0, 2}, new int[] {0, 1}, new float[] {2, -1}, new float[] {0.5f, 0});
        List<TreeNode> trees = List.of(new TreeNode(List.of(first, second), new int[0], root));
        TfIdf features = new TfIdf(new double[] {0, 0, 1, 1}, true);
        LabelTree.Config two = new LabelTree.Config(1, 2, 2, 0, 2, 0.5, EXACT);
        float[] scores = new LabelTree(two, features, 4, trees).score(List.of(new int[] {2}))[0];
        double left = Math.sqrt(sigmoid(2.5));
        double right = Math.sqrt(sigmoid(-1));
        assertThat(scores)
                .containsExactly(
                        new float[] {
                            (float) (left * sigmoid(1)),
                            (float) (right * sigmoid(0.5)),
                            (float) (right * sigmoid(3)),
                            (float) (left * sigmoid(-1))
                        },
                        within(1e-6f));
        LabelTree.Config one = new LabelTree.Config(1, 2, 2, 0, 1, 0.5, EXACT);
        scores = new LabelTree(one, features, 4, trees).score(List.of(new int[] {2}))[0];
        assertThat(scores[1]).isZero();
        assertThat(scores[2]).isZero();
        assertThat(scores[0]).isEqualTo((float) (left * sigmoid(1)), within(1e-6f));
    }

    /** The weight of token 2 for both labels. */
    private static TreeNode leaf(int[] labels, float one, float other) {
        return new TreeNode(
                List.of(),
                labels,
                new NodeWeights(
                        new int[] {2}, new int[] {0, 2}, new int[] {0, 1}, new float[] {one, other}, new float[] {0, 0
                        }));
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    @Test
    void evidenceIsThatOfTheLabelsOwnClassifier() {
        LabelTree tree = train(config(2, 1000, 100), topics(80), 40, 8);
        // Documents of label 5 contain the tokens 17 and 18 of its topic, and tokens of none.
        float[] evidence = tree.evidence(new int[] {30, 17, 2, 18}, 5)[0];
        assertThat(evidence[1] + evidence[3]).isGreaterThan(0.9f);
    }

    @Test
    void equalSeedsGiveEqualModelsOnAnyNumberOfThreads(@TempDir Path directory) throws Exception {
        byte[] one = trainedWith(1, 7, directory.resolve("one"));
        assertThat(trainedWith(4, 7, directory.resolve("four"))).isEqualTo(one);
        assertThat(trainedWith(4, 8, directory.resolve("other"))).isNotEqualTo(one);
    }

    private static byte[] trainedWith(int threads, long seed, Path directory) throws Exception {
        LabelTree.Config loose = new LabelTree.Config(2, 2, 2, 10, 2, 0.1, new LabelTree.Solver(1, 0.5, 2, 0));
        ForkJoinPool pool = new ForkJoinPool(threads);
        try {
            pool.submit(() -> LabelTree.train(loose, 40, 8, topics(80), seed, Progress.NONE)
                            .save(directory))
                    .get();
        } finally {
            pool.shutdown();
        }
        return Files.readAllBytes(directory.resolve("label-tree.bin"));
    }

    @Test
    void missingForeignAndTruncatedFilesAreUserErrors(@TempDir Path directory) throws IOException {
        LabelTree.Config config = config(2, 0, 2);
        assertThatThrownBy(() -> LabelTreeFile.read(directory, config)).isInstanceOf(UserError.class);
        train(config, topics(80), 40, 8).save(directory);
        Path file = directory.resolve("label-tree.bin");
        byte[] whole = Files.readAllBytes(file);
        for (int length : new int[] {0, 8, 20, 400, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> LabelTreeFile.read(directory, config)).isInstanceOf(UserError.class);
        }
        whole[0] = 'X';
        Files.write(file, whole);
        assertThatThrownBy(() -> LabelTreeFile.read(directory, config)).isInstanceOf(UserError.class);
    }

    /** Document d has label d mod 8, the two tokens of its topic, and three of ten tokens without a topic. */
    private static InMemoryExamples topics(int size) {
        Random random = new Random(4);
        return new InMemoryExamples(
                IntStream.range(0, size)
                        .mapToObj(d -> IntStream.concat(
                                        IntStream.of(7 + 2 * (d % 8), 8 + 2 * (d % 8)), random.ints(3, 25, 35))
                                .toArray())
                        .toList(),
                IntStream.range(0, size).mapToObj(d -> new int[] {d % 8}).toList());
    }
}
