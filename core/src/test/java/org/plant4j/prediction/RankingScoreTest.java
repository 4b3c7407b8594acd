package org.plant4j.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;

class RankingScoreTest {

    @TempDir
    Path directory;

    private RankingFile ranked(String... lines) throws IOException {
        return RankingFile.read(Files.writeString(
                directory.resolve("codes.tsv"), String.join("\n", lines).replace(' ', '\t') + "\n"));
    }

    private static Corpus dev(Document... documents) {
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
        return new Document(id, "A note.", Set.of(codes));
    }

    @Test
    void metricsAreMeansOverDocumentsWithGoldCodes() throws IOException {
        RankingFile ranked = ranked(
                "n1 a 1 0.9",
                "n1 x 2 0.8",
                "n1 b 3 0.7",
                "n1 y 4 0.6",
                "n1 z 5 0.5",
                "n1 v 6 0.4",
                "n1 c 7 0.3",
                "n2 x 1 0.9",
                "n2 d 2 0.8",
                "none a 1 0.9",
                "elsewhere a 1 0.9");
        RankingScore score = RankingScore.compute(
                ranked,
                dev(
                        document("n1", "A", "B", "C", "W"), // W is not listed
                        document("n2", "D"),
                        document("lost", "A"),
                        document("none")));
        assertThat(score.documents()).isEqualTo(3);
        assertThat(score.missing()).containsExactly("lost");
        assertThat(score.extra()).isEqualTo(2);
        assertThat(score.metrics().keySet()).containsExactly("MAP", "P@5", "P@8", "P@15");
        double n1 = (1 / 1.0 + 2 / 3.0 + 3 / 7.0) / 4;
        double n2 = 1 / 2.0;
        assertThat(score.metrics().get("MAP")).isCloseTo((n1 + n2 + 0) / 3, within(1e-12));
        assertThat(score.metrics().get("P@5")).isCloseTo((2 / 5.0 + 1 / 5.0 + 0) / 3, within(1e-12));
        assertThat(score.metrics().get("P@8")).isCloseTo((3 / 8.0 + 1 / 8.0 + 0) / 3, within(1e-12));
        assertThat(score.metrics().get("P@15")).isCloseTo((3 / 15.0 + 1 / 15.0 + 0) / 3, within(1e-12));
    }

    @Test
    void aSplitWithoutGoldCodesIsRejected() throws IOException {
        RankingFile ranked = ranked("n1 A 1 0.9");
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> RankingScore.compute(ranked, dev(document("n1"))))
                .satisfies(error -> assertThat(error.what()).contains("no gold codes"));
    }

    @Test
    void aRankingOfOtherDocumentsIsRejected() throws IOException {
        RankingFile ranked = ranked("n1 A 1 0.9");
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> RankingScore.compute(ranked, dev(document("n2", "A"))))
                .satisfies(error -> {
                    assertThat(error.what()).contains("None of the ranked documents", "dev");
                    assertThat(error.where()).endsWith("codes.tsv");
                });
    }
}
