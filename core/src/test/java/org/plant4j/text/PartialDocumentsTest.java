package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartialDocumentsTest {

    private static final int DOCUMENTS = 3000;
    private static final int LENGTH = 99;

    /** Document d has the tokens 2 to 100 and label d. */
    private static final Dataset CORPUS = new Dataset() {
        @Override
        public int size() {
            return DOCUMENTS;
        }

        @Override
        public int[] tokens(int document) {
            return IntStream.range(2, LENGTH + 2).toArray();
        }

        @Override
        public int[] labels(int document) {
            return new int[] {document};
        }
    };

    @Test
    void withoutPartialDocumentsAndUnknownTokensTheDatasetIsUnchanged() {
        assertThat(PartialDocuments.NONE.sample(CORPUS, 1, 0)).isSameAs(CORPUS);
    }

    @Test
    void theShareOfDocumentsIsPartialAndTheOthersAreWhole() {
        List<int[]> documents = documents(new PartialDocuments(0.2, 0), 1, 0);
        long whole = documents.stream()
                .filter(tokens -> Arrays.equals(tokens, CORPUS.tokens(0)))
                .count();
        assertThat((double) whole / DOCUMENTS).isCloseTo(0.8, within(0.02));
    }

    @Test
    void aThirdOfThePartialDocumentsIsWholeWithUnknownTokensAndAThirdAreWindowsWithout() {
        List<int[]> documents = documents(new PartialDocuments(1, 0), 1, 0);
        assertThat(share(documents, tokens -> tokens.length == LENGTH)).isCloseTo(1 / 3.0, within(0.03));
        assertThat(share(documents, tokens -> tokens.length < LENGTH && unknown(tokens) == 0 && tokens.length > 9))
                .isCloseTo(
                        1 / 6.0, within(0.03)); // lengths are log-uniform: half of the windows have 10 tokens or more
        // log 2 / log 100 of the windows are empty
        assertThat(share(documents, tokens -> tokens.length == 0)).isCloseTo(0.1, within(0.02));
    }

    @Test
    void windowsAreContiguousAndKnownTokensStayInPlace() {
        documents(new PartialDocuments(1, 0), 7, 3).forEach(tokens -> {
            for (int i = 1; i < tokens.length; i++) {
                if (tokens[i] != Vocabulary.UNKNOWN && tokens[i - 1] != Vocabulary.UNKNOWN) {
                    assertThat(tokens[i]).isEqualTo(tokens[i - 1] + 1);
                }
            }
        });
    }

    @Test
    void tokensOfTheOtherDocumentsBecomeUnknownAtTheGivenRate() {
        List<int[]> documents = documents(new PartialDocuments(0, 0.05), 1, 0);
        double unknown =
                documents.stream().mapToLong(PartialDocumentsTest::unknown).sum() / (double) (DOCUMENTS * LENGTH);
        assertThat(unknown).isCloseTo(0.05, within(0.002));
    }

    @Test
    void lengthsAndLabelsAreThoseOfTheSample() {
        Dataset sample = new PartialDocuments(0.5, 0.1).sample(CORPUS, 1, 0);
        assertThat(sample.size()).isEqualTo(DOCUMENTS);
        for (int document = 0; document < 200; document++) {
            assertThat(sample.length(document)).isEqualTo(sample.tokens(document).length);
            assertThat(sample.labels(document)).containsExactly(document);
        }
    }

    @Test
    void samplesDependOnSeedAndEpochOnly() {
        PartialDocuments settings = new PartialDocuments(0.5, 0.1);
        assertThat(documents(settings, 1, 2)).containsExactlyElementsOf(documents(settings, 1, 2));
        assertThat(different(settings, 1, 3)).isGreaterThan(0.9);
        assertThat(different(settings, 2, 2)).isGreaterThan(0.9);
    }

    /** Share of the documents that differ from those of seed 1 and epoch 2. */
    private static double different(PartialDocuments settings, long seed, int epoch) {
        List<int[]> some = documents(settings, 1, 2);
        List<int[]> others = documents(settings, seed, epoch);
        return IntStream.range(0, DOCUMENTS)
                        .filter(i -> !Arrays.equals(some.get(i), others.get(i)))
                        .count()
                / (double) DOCUMENTS;
    }

    @Test
    void emptyDocumentsStayEmpty() {
        Dataset empty = new Dataset() {
            @Override
            public int size() {
                return 1;
            }

            @Override
            public int[] tokens(int document) {
                return new int[0];
            }

            @Override
            public int[] labels(int document) {
                return new int[0];
            }
        };
        for (int epoch = 0; epoch < 20; epoch++) {
            assertThat(new PartialDocuments(1, 0.5).sample(empty, 1, epoch).tokens(0))
                    .isEmpty();
        }
    }

    @Test
    void boundsAreChecked() {
        assertThatThrownBy(() -> new PartialDocuments(1.1, 0)).hasMessage("partialDocuments: 1.1 (expected: 0 to 1)");
        assertThatThrownBy(() -> new PartialDocuments(0, 1)).hasMessageStartingWith("unknownRate: 1");
    }

    private static List<int[]> documents(PartialDocuments settings, long seed, int epoch) {
        Dataset sample = settings.sample(CORPUS, seed, epoch);
        return IntStream.range(0, DOCUMENTS).mapToObj(sample::tokens).toList();
    }

    private static double share(List<int[]> documents, Predicate<int[]> condition) {
        return documents.stream().filter(condition).count() / (double) documents.size();
    }

    private static long unknown(int[] tokens) {
        return Arrays.stream(tokens)
                .filter(token -> token == Vocabulary.UNKNOWN)
                .count();
    }
}
