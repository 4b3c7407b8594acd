package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartialDocumentsTest {

    private static final int DOCUMENTS = 3000;
    private static final int LENGTH = 99;

    /** Document d has the tokens 2 to 100 and label d. */
    private static final Dataset CORPUS =
            new InMemory(DOCUMENTS, document -> IntStream.range(2, LENGTH + 2).toArray());

    private record InMemory(int size, IntFunction<int[]> documents) implements Dataset {
        @Override
        public int[] tokens(int document) {
            return documents.apply(document);
        }

        @Override
        public int[] labels(int document) {
            return new int[] {document};
        }

        @Override
        public List<TokenEvidence> evidence(int document) {
            return List.of(new TokenEvidence(document, 1, 2));
        }
    }

    @Test
    void withoutPartialDocumentsAndUnknownTokensTheDatasetIsUnchanged() {
        assertThat(PartialDocuments.NONE.sample(CORPUS, 1, 0)).isSameAs(CORPUS);
    }

    @Test
    void partialDocumentsFollowTheWholeOnes() {
        Dataset sample = new PartialDocuments(0.2, 0).sample(CORPUS, 1, 0);
        assertThat(sample.size()).isEqualTo(DOCUMENTS + 600);
        for (int document = 0; document < DOCUMENTS; document += 100) {
            assertThat(sample.tokens(document)).containsExactly(CORPUS.tokens(document));
            assertThat(sample.labels(document)).containsExactly(document);
            assertThat(sample.evidence(document)).containsExactly(new TokenEvidence(document, 1, 2));
        }
        assertThat(sample.evidence(DOCUMENTS)).isEmpty();
    }

    @Test
    void halfOfThePartialDocumentsHaveUnknownTokensAndTheOthersAreMostlyShort() {
        List<int[]> partial = partialDocuments(new PartialDocuments(1, 0), 1, 0);
        // Without unknown tokens lengths are log-uniform between 0 and 99: half of them have 10 tokens or more.
        assertThat(share(partial, tokens -> tokens.length > 8 && unknown(tokens) == 0))
                .isCloseTo(0.25, within(0.03));
        assertThat(share(partial, tokens -> tokens.length == 0))
                .isCloseTo(0.5 * Math.log(2) / Math.log(100), within(0.02));
        // The others have lengths and rates of unknown tokens between nothing and all.
        assertThat(share(partial, tokens -> tokens.length >= 50 && unknown(tokens) > tokens.length / 2))
                .isCloseTo(0.5 / 2 / 2, within(0.02));
    }

    @Test
    void aPartialDocumentKeepsTheLabelsOfItsDocument() {
        // Document d has token d + 2 only, and label d.
        Dataset corpus = new InMemory(10, document -> new int[] {document + 2, document + 2, document + 2});
        Dataset sample = new PartialDocuments(20, 0).sample(corpus, 1, 0);
        assertThat(sample.size()).isEqualTo(210);
        for (int document = 0; document < sample.size(); document++) {
            for (int token : sample.tokens(document)) {
                assertThat(token).isIn(Vocabulary.UNKNOWN, sample.labels(document)[0] + 2);
            }
        }
    }

    @Test
    void windowsAreContiguousAndKnownTokensStayInPlace() {
        partialDocuments(new PartialDocuments(1, 0), 7, 3).forEach(tokens -> {
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
    void lengthsAreThoseOfTheSample() {
        Dataset sample = new PartialDocuments(0.5, 0.1).sample(CORPUS, 1, 0);
        for (int document = DOCUMENTS - 100; document < DOCUMENTS + 200; document++) {
            assertThat(sample.length(document)).isEqualTo(sample.tokens(document).length);
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
        Dataset empty = new InMemory(1, document -> new int[0]);
        for (int epoch = 0; epoch < 20; epoch++) {
            assertThat(new PartialDocuments(1, 0.5).sample(empty, 1, epoch).tokens(1))
                    .isEmpty();
        }
    }

    @Test
    void boundsAreChecked() {
        assertThatThrownBy(() -> new PartialDocuments(-0.1, 0)).hasMessageStartingWith("partialDocuments: -0.1");
        assertThatThrownBy(() -> new PartialDocuments(0, 1)).hasMessageStartingWith("unknownRate: 1");
    }

    private static List<int[]> partialDocuments(PartialDocuments settings, long seed, int epoch) {
        Dataset sample = settings.sample(CORPUS, seed, epoch);
        return IntStream.range(DOCUMENTS, sample.size())
                .mapToObj(sample::tokens)
                .toList();
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
