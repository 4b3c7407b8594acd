package org.plant4j.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.model.ensemble.MergeRegressionTest;

class RankingMergeTest {

    @TempDir
    Path directory;

    /** Writes lines whose columns are separated by spaces here. */
    private RankingFile file(String name, String... lines) throws IOException {
        return RankingFile.read(Files.writeString(
                directory.resolve(name), String.join("\n", lines).replace(' ', '\t') + "\n"));
    }

    private static Corpus corpus(Document... documents) {
        return new Corpus() {
            @Override
            public String name() {
                return "dev";
            }

            @Override
            public Stream<Document> documents() {
                return Stream.of(documents);
            }
        };
    }

    private static Document document(String id, String... codes) {
        return new Document(id, "", Set.of(codes));
    }

    @Test
    void documentsOfACodeAreCountedRegardlessOfCase() {
        var frequencies = RankingMerge.frequencies(corpus(document("1", "i10", "E11"), document("2", "I10")));
        assertThat(frequencies.applyAsInt("I10")).isEqualTo(2);
        assertThat(frequencies.applyAsInt("e11")).isEqualTo(1);
        assertThat(frequencies.applyAsInt("J18.9")).isZero();
    }

    @Test
    void aCodeThatARankingDoesNotListHasItsLowestScore() throws IOException {
        RankingFile one = file("one.tsv", "n1 A 1 0.75", "n1 b 2 0.5");
        RankingFile two = file("two.tsv", "n1 B 1 0.9", "n1 C 2 0.25");
        RankingMerge stack = new RankingMerge(MergeRegressionTest.sumOfScores(2), 1, List.of(0.0, 0.0), 0, 0);
        // A 0.75 + 0.25, B 0.5 + 0.9, C 0.5 + 0.25, and their sigmoids
        List<Ranking> merged = stack.merge(List.of(one, two), code -> 0, 2);
        assertThat(merged).hasSize(1);
        assertThat(merged.get(0).codes()).extracting(code -> code.code()).containsExactly("b", "A");
        assertThat(merged.get(0).codes().get(0).score()).isCloseTo(1 / (1 + Math.exp(-1.4)), within(1e-6));
        assertThat(merged.get(0).codes().get(1).score()).isCloseTo(1 / (1 + Math.exp(-1)), within(1e-6));
    }

    /** The first ranking is right and the second wrong, in ten documents. */
    private RankingMerge.Fit fitted() throws IOException {
        String[] good = new String[20];
        String[] bad = new String[20];
        Document[] gold = new Document[11];
        for (int i = 0; i < 10; i++) {
            good[2 * i] = "n" + i + " A 1 0.9";
            good[2 * i + 1] = "n" + i + " B 2 0.1";
            bad[2 * i] = "n" + i + " B 1 0.8";
            bad[2 * i + 1] = "n" + i + " A 2 0.3";
            gold[i] = document("n" + i, "a", "Z"); // Z is never found
        }
        gold[10] = document("not ranked", "A");
        return RankingMerge.fit(List.of(file("good.tsv", good), file("bad.tsv", bad)), corpus(gold), code -> 3);
    }

    @Test
    void mapComesFromTheGoldCodes() throws IOException {
        RankingMerge stack = fitted().stack();
        assertThat(stack.documents()).isEqualTo(10);
        assertThat(stack.memberMap()).containsExactly(0.5, 0.25);
        assertThat(stack.meanMap()).isEqualTo(0.5); // A 1.2 / 2, B 0.9 / 2
        assertThat(stack.map()).isEqualTo(0.5);
    }

    @Test
    void documentsThatAreNotRankedAreReturned() throws IOException {
        assertThat(fitted().unranked()).containsExactly("not ranked");
    }

    /** The same document several times, with gold code A, which the first ranking does not list and the second one does. */
    private RankingMerge.Fit fitOfDisjointRankings(int documents) throws IOException {
        List<Integer> ids = IntStream.range(0, documents).boxed().toList();
        return RankingMerge.fit(
                List.of(
                        file(
                                "one.tsv",
                                ids.stream().map(i -> "n" + i + " Z 1 0.9").toArray(String[]::new)),
                        file(
                                "two.tsv",
                                ids.stream().map(i -> "n" + i + " A 1 0.8").toArray(String[]::new))),
                corpus(ids.stream().map(i -> document("n" + i, "A")).toArray(Document[]::new)),
                code -> 3);
    }

    @Test
    void aCodeThatARankingDoesNotListIsNotFoundByIt() throws IOException {
        RankingMerge stack = fitOfDisjointRankings(5).stack();
        assertThat(stack.memberMap()).containsExactly(0.0, 1.0);
        assertThat(stack.meanMap()).isEqualTo(0.5); // Z 0.9 / 2, A 0.8 / 2
    }

    @Test
    void fourDocumentsAreTooFew() {
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> fitOfDisjointRankings(4))
                .satisfies(error -> {
                    assertThat(error.what()).startsWith("Only 4 of the ranked documents have gold codes");
                    assertThat(error.remedy()).contains("at least 5 documents");
                });
    }

    @Test
    void whatIsWrittenCanBeRead() throws IOException {
        Path file = directory.resolve("merge.json");
        RankingMerge written = fitted().stack();
        written.write(file);
        assertThat(RankingMerge.read(file)).usingRecursiveComparison().isEqualTo(written);
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> RankingMerge.read(Files.writeString(file, "{}")))
                .satisfies(error -> assertThat(error.remedy()).contains("plant ranking fit"));
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> RankingMerge.read(directory.resolve("none.json")))
                .satisfies(error -> assertThat(error.what()).contains("does not exist"));
    }

    @Test
    void aDamagedFileIsNamed() throws IOException {
        Path file = directory.resolve("merge.json");
        fitted().stack().write(file);
        String json = Files.readString(file);
        for (String key : List.of("lowest", "highest", "mean", "scale", "weights", "member_map")) {
            for (String value : List.of("[ ]", "null", "[ 1.0 ]")) {
                Files.writeString(
                        file, json.replaceFirst("\"" + key + "\" : \\[[^\\]]*\\]", "\"" + key + "\" : " + value));
                assertThatExceptionOfType(UserError.class)
                        .as(key + " " + value)
                        .isThrownBy(() -> RankingMerge.read(file))
                        .satisfies(error -> assertThat(error.what()).contains("damaged"));
            }
        }
    }

    @Test
    void rankingsOfOtherDocumentsAreRejected() throws IOException {
        RankingFile ranked = file("one.tsv", "n1 A 1 0.75");
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> RankingMerge.fit(
                        List.of(ranked, ranked), corpus(document("n2", "A"), document("n3")), code -> 1))
                .satisfies(error -> assertThat(error.what()).contains("No ranking lists a gold code"));
    }
}
