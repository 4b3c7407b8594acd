package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.rank.MutualInformation.Kind;
import org.plant4j.text.Dataset;
import org.plant4j.text.DocumentCounts;
import org.plant4j.text.DocumentFrequencies;

public class MutualInformationTest {

    private record TestDataset(List<int[]> documents, List<int[]> gold) implements Dataset {

        /** Tokens with Zipf-like frequencies, including ids 0 and 1; some documents have no tokens, some no labels. */
        static TestDataset random(int size, int vocabulary, int labels, Random random) {
            return new TestDataset(
                    Stream.generate(() -> random.ints(random.nextInt(12), 0, vocabulary)
                                    .map(bound -> random.nextInt(bound + 1))
                                    .toArray())
                            .limit(size)
                            .toList(),
                    Stream.generate(() -> random.ints(random.nextInt(4), 0, labels)
                                    .sorted()
                                    .distinct()
                                    .toArray())
                            .limit(size)
                            .toList());
        }

        static TestDataset of(int[][] documents, int[][] gold) {
            return new TestDataset(List.of(documents), List.of(gold));
        }

        /** Disjoint parts in random order, some of which may be empty. */
        List<TestDataset> partition(int parts, Random random) {
            int[] partOf = random.ints(size(), 0, parts).toArray();
            return IntStream.range(0, parts)
                    .mapToObj(part -> {
                        int[] own = IntStream.range(0, size())
                                .filter(document -> partOf[document] == part)
                                .toArray();
                        return new TestDataset(
                                IntStream.of(own).mapToObj(documents::get).toList(),
                                IntStream.of(own).mapToObj(gold::get).toList());
                    })
                    .toList();
        }

        @Override
        public int size() {
            return documents.size();
        }

        @Override
        public int[] tokens(int document) {
            return documents.get(document);
        }

        @Override
        public int[] labels(int document) {
            return gold.get(document);
        }

        boolean has(int document, int token, int label, boolean tokenPresent, boolean labelPresent) {
            return IntStream.of(tokens(document)).anyMatch(t -> t == token) == tokenPresent
                    && IntStream.of(labels(document)).anyMatch(l -> l == label) == labelPresent;
        }

        /** The fraction of documents in one cell. */
        double share(int token, int label, boolean tokenPresent, boolean labelPresent) {
            return (double) IntStream.range(0, size())
                            .filter(document -> has(document, token, label, tokenPresent, labelPresent))
                            .count()
                    / size();
        }

        /** By the definition, cell by cell; 0 unless token and label are positively associated. */
        double relevance(int token, int label, Kind kind) {
            double[][] joint = new double[2][2];
            for (int t = 0; t < 2; t++) {
                for (int l = 0; l < 2; l++) {
                    joint[t][l] = share(token, label, t == 1, l == 1);
                }
            }
            double information = 0;
            double jointEntropy = 0;
            for (int t = 0; t < 2; t++) {
                for (int l = 0; l < 2; l++) {
                    double p = joint[t][l];
                    double chance = (joint[t][0] + joint[t][1]) * (joint[0][l] + joint[1][l]);
                    information += p > 0 ? p * Math.log(p / chance) : 0;
                    jointEntropy -= p > 0 ? p * Math.log(p) : 0;
                }
            }
            double excess = joint[1][1] - (joint[1][0] + joint[1][1]) * (joint[0][1] + joint[1][1]);
            if (excess < 1e-9) {
                return 0;
            }
            return kind == Kind.GAIN ? information : information / jointEntropy;
        }
    }

    static Stream<Arguments> corpora() {
        return IntStream.range(0, 8)
                .boxed()
                .flatMap(seed -> Arrays.stream(Kind.values()).map(kind -> Arguments.of(seed, kind)));
    }

    @ParameterizedTest
    @MethodSource("corpora")
    void equalsTheDefinitionWorkedOutForEveryPair(int seed, Kind kind) {
        int vocabulary = 30;
        int labels = 9;
        TestDataset dataset = TestDataset.random(40, vocabulary, labels, new Random(seed));

        Relevance relevance = new MutualInformation(kind, vocabulary).compute(dataset, vocabulary, labels);

        assertThat(relevance.labels()).isEqualTo(labels);
        for (int label = 0; label < labels; label++) {
            for (int token = 2; token < vocabulary; token++) {
                assertThat((double) relevance.gain(label, token))
                        .isEqualTo(dataset.relevance(token, label, kind), within(1e-6));
            }
            float[] gains = relevance.gains(label);
            int[] tokens = relevance.tokens(label);
            assertThat(tokens).hasSameSizeAs(gains).doesNotContain(0, 1).doesNotHaveDuplicates();
            for (int i = 1; i < gains.length; i++) {
                assertThat(gains[i]).isLessThanOrEqualTo(gains[i - 1]);
                if (gains[i] == gains[i - 1]) {
                    assertThat(tokens[i]).isGreaterThan(tokens[i - 1]);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void topKTokensAreThePrefixOfAllTokens(Kind kind) {
        TestDataset dataset = TestDataset.random(200, 100, 70, new Random(3));
        Relevance all = new MutualInformation(kind, 100).compute(dataset, 100, 70);

        Relevance top = new MutualInformation(kind, 5).compute(dataset, 100, 70);

        for (int label = 0; label < 70; label++) {
            assertThat(top.size(label)).isEqualTo(Math.min(5, all.size(label)));
            assertThat(all.tokens(label)).startsWith(top.tokens(label));
            assertThat(all.gains(label)).startsWith(top.gains(label));
        }
        assertThat(top.size(0)).isEqualTo(5);
    }

    /** Token 2 always comes with label 0, token 3 never, token 4 is everywhere; 5 and 6 tie. */
    @Test
    void onlyPositivelyAssociatedTokensAreKeptAndTiesGoToTheLowerToken() {
        TestDataset dataset = TestDataset.of(
                new int[][] {{6, 2, 4, 2, 5}, {0, 1, 2, 4}, {4, 3, 1}, {3, 4}}, new int[][] {{0}, {0}, {1}, {}});

        Relevance relevance = new MutualInformation(Kind.GAIN, 10).compute(dataset, 7, 2);

        assertThat(relevance.tokens(0)).containsExactly(2, 5, 6);
        assertThat(relevance.gains(0)[0]).isEqualTo((float) Math.log(2));
        assertThat(relevance.gains(0)[1]).isEqualTo(relevance.gains(0)[2]);
        assertThat(relevance.tokens(1)).containsExactly(3);
        assertThat(relevance.gain(0, 3)).isZero();
    }

    @Test
    void labelsOfAllOrNoDocumentsHaveNoTokens() {
        TestDataset dataset = TestDataset.of(new int[][] {{2, 3}, {}, {3}}, new int[][] {{0}, {0}, {0}});

        Relevance relevance = new MutualInformation(Kind.NORMALIZED, 10).compute(dataset, 4, 2);

        assertThat(relevance.size(0)).isZero();
        assertThat(relevance.size(1)).isZero();
    }

    @Test
    void labelsBeyondTheTrainedOnesAreIgnored() {
        TestDataset dataset = TestDataset.of(new int[][] {{2}, {3}}, new int[][] {{0, 7}, {7}});

        Relevance relevance = new MutualInformation(Kind.GAIN, 10).compute(dataset, 4, 1);

        assertThat(relevance.labels()).isOne();
        assertThat(relevance.tokens(0)).containsExactly(2);
    }

    @Test
    void noDocumentsGiveNoTokens() {
        Relevance relevance =
                new MutualInformation(Kind.GAIN, 10).compute(TestDataset.of(new int[0][], new int[0][]), 4, 3);

        assertThat(relevance.labels()).isEqualTo(3);
        assertThat(relevance.size(2)).isZero();
    }

    @Test
    void theNumberOfThreadsDoesNotChangeTheResult() throws Exception {
        TestDataset dataset = TestDataset.random(500, 300, 150, new Random(11));
        Relevance alone = on(1, dataset);

        Relevance together = on(4, dataset);

        for (int label = 0; label < 150; label++) {
            assertThat(together.tokens(label)).containsExactly(alone.tokens(label));
            assertThat(together.gains(label)).containsExactly(alone.gains(label));
        }
    }

    private static Relevance on(int threads, TestDataset dataset) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(threads);
        try {
            return pool.submit(() -> new MutualInformation(Kind.NORMALIZED, 20).compute(dataset, 300, 150))
                    .get();
        } finally {
            pool.shutdown();
        }
    }

    @ParameterizedTest
    @MethodSource("corpora")
    void countsOfAnyPartitionAddUpToTheSameResult(int seed, Kind kind, @TempDir Path directory) {
        Random random = new Random(seed);
        int labels = 12; // more than the documents have
        TestDataset dataset = TestDataset.random(60, 80, 9, random);
        MutualInformation information = new MutualInformation(kind, 15);
        information.compute(dataset, 80, labels).write(directory.resolve("whole"));

        List<TestDataset> parts = dataset.partition(1 + random.nextInt(20), random);
        DocumentCounts.Counter counter = new DocumentCounts.Counter(80);
        DocumentCounts none = counter.take();
        List<TokenLabelIndex> indexes =
                parts.stream().map(part -> TokenLabelIndex.of(part, 80, labels)).toList();
        DocumentFrequencies all = indexes.stream()
                .map(index -> index.countAll(counter))
                .reduce(none, DocumentCounts::plus)
                .toFrequencies(80);
        Relevance.of(IntStream.range(0, labels)
                        .mapToObj(label -> indexes.stream()
                                .map(index -> index.count(label, counter))
                                .reduce(none, DocumentCounts::plus))
                        .map(counts -> information.topTokens(counts, all))
                        .toList())
                .write(directory.resolve("parts"));

        assertThat(all).usingRecursiveComparison().isEqualTo(DocumentFrequencies.of(dataset, 80));
        assertThat(directory.resolve("parts")).hasSameBinaryContentAs(directory.resolve("whole"));
    }

    @Test
    void aTokenBeyondTheVocabularyIsNamed() {
        TestDataset dataset = TestDataset.of(new int[][] {{9}}, new int[][] {{0}});

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MutualInformation(Kind.GAIN, 10).compute(dataset, 4, 1))
                .withMessageContaining("token: 9 (expected: < 4)");
    }
}
