package org.plant4j.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.RankedCode;
import org.plant4j.UserError;

class RankingFileTest {

    @TempDir
    Path directory;

    /** Writes lines whose columns are separated by spaces here. */
    private RankingFile file(String name, String... lines) throws IOException {
        return RankingFile.read(written(name, lines));
    }

    private Path written(String name, String... lines) throws IOException {
        return Files.writeString(
                directory.resolve(name), String.join("\n", lines).replace(' ', '\t') + "\n");
    }

    private List<String> lines(List<Ranking> rankings) throws IOException {
        Path file = directory.resolve("out.tsv");
        RankingFile.write(file, rankings, false);
        return Files.readAllLines(file).stream()
                .map(line -> line.replace('\t', ' '))
                .toList();
    }

    @Test
    void scoresAreAveragedWithZeroForMissingCodes() throws IOException {
        RankingFile first = file("first.tsv", "n1 A 1 0.9", "n1 B 2 0.5", "n2 C 1 0.2");
        RankingFile second = file("second.tsv", "n2 C 1 0.4", "n1 B 1 0.8", "n1 D 2 0.7");
        // n1: A (0.9 + 0) / 2, B (0.5 + 0.8) / 2, D (0 + 0.7) / 2; n2: C (0.2 + 0.4) / 2
        assertThat(lines(RankingFile.merge(List.of(first, second), List.of(1.0, 1.0), 100)))
                .containsExactly("n1 B 1 0.650000", "n1 A 2 0.450000", "n1 D 3 0.350000", "n2 C 1 0.300000");
    }

    @Test
    void weightsShiftTheMean() throws IOException {
        RankingFile first = file("first.tsv", "n1 A 1 0.9", "n1 B 2 0.5");
        RankingFile second = file("second.tsv", "n1 B 1 0.8", "n1 D 2 0.7");
        // weights 3 and 1: A 2.7 / 4, B (1.5 + 0.8) / 4, D 0.7 / 4
        assertThat(lines(RankingFile.merge(List.of(first, second), List.of(3.0, 1.0), 100)))
                .containsExactly("n1 A 1 0.675000", "n1 B 2 0.575000", "n1 D 3 0.175000");
    }

    @Test
    void weightsMayBeOfAnySize() throws IOException {
        RankingFile first = file("first.tsv", "n1 A 1 0.9", "n1 B 2 0.5");
        RankingFile second = file("second.tsv", "n1 B 1 0.8", "n1 D 2 0.7");
        List<String> expected = List.of("n1 B 1 0.650000", "n1 A 2 0.450000", "n1 D 3 0.350000");
        for (double weight : List.of(1e308, 1e-300)) { // twice 1e308 overflows a double
            assertThat(lines(RankingFile.merge(List.of(first, second), List.of(weight, weight), 100)))
                    .isEqualTo(expected);
        }
    }

    @Test
    void onlyTheBestCodesAreKept() throws IOException {
        RankingFile one = file("one.tsv", "n1 A 1 0.9", "n1 B 2 0.5");
        RankingFile two = file("two.tsv", "n1 B 1 0.8", "n1 D 2 0.7");
        assertThat(lines(RankingFile.merge(List.of(one, two), List.of(1.0, 1.0), 2)))
                .containsExactly("n1 B 1 0.650000", "n1 A 2 0.450000");
    }

    @Test
    void tiesAreOrderedByCodeRegardlessOfTheFileOrder() throws IOException {
        // In doubles 0.1 + 0.2 + 0.3 is more than 0.3 + 0.2 + 0.1, which would put Y first.
        RankingFile one = file("one.tsv", "n1 X 1 0.3", "n1 Y 2 0.1");
        RankingFile two = file("two.tsv", "n1 Y 1 0.2", "n1 X 2 0.2");
        RankingFile three = file("three.tsv", "n1 Y 1 0.3", "n1 X 2 0.1");
        List<Double> weights = List.of(1.0, 1.0, 1.0);
        List<String> expected = List.of("n1 X 1 0.200000", "n1 Y 2 0.200000");
        assertThat(lines(RankingFile.merge(List.of(one, two, three), weights, 100)))
                .isEqualTo(expected);
        assertThat(lines(RankingFile.merge(List.of(three, two, one), weights, 100)))
                .isEqualTo(expected);
    }

    @Test
    void codesAreComparedRegardlessOfCaseAndKeepTheFirstSpelling() throws IOException {
        RankingFile lower = file("lower.tsv", "n1 n44.8 1 0.5");
        RankingFile upper = file("upper.tsv", "n1 N44.8 1 0.7", "n1 I10 2 0.2");
        assertThat(lines(RankingFile.merge(List.of(lower, upper), List.of(1.0, 1.0), 100)))
                .containsExactly("n1 n44.8 1 0.600000", "n1 I10 2 0.100000");
    }

    @Test
    void everyFileMustRankTheSameDocuments() throws IOException {
        RankingFile both = file("both.tsv", "n1 A 1 0.9", "n2 A 1 0.9", "n3 A 1 0.9");
        RankingFile one = file("one.tsv", "n1 A 1 0.9");
        for (List<RankingFile> files : List.of(List.of(both, one), List.of(one, both))) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> RankingFile.merge(files, List.of(1.0, 1.0), 100))
                    .satisfies(error -> {
                        assertThat(error.what()).startsWith("2 documents that ").contains("both.tsv", "'n2'");
                        assertThat(error.where()).isEqualTo(one.file().toString());
                        assertThat(error.remedy()).contains("--ranking");
                    });
        }
    }

    @Test
    void writtenFilesCanBeReadPlainAndCompressed() throws IOException {
        List<Ranking> rankings = List.of(
                new Ranking("n2", List.of(new RankedCode("N44.8", 0.75), new RankedCode("I10", 0.0001234567))),
                new Ranking("n1", List.of(new RankedCode("8000/6/H", 0))));
        for (String name : List.of("codes.tsv", "codes.tsv.gz")) {
            Path file = directory.resolve(name);
            RankingFile.write(file, rankings, true);
            assertThat(RankingFile.read(file).rankings().values())
                    .containsExactly(
                            new Ranking(
                                    "n2", List.of(new RankedCode("n44.8", 0.75), new RankedCode("i10", 0.000123457))),
                            new Ranking("n1", List.of(new RankedCode("8000/6/h", 0))));
        }
        try (InputStream packed = new GZIPInputStream(Files.newInputStream(directory.resolve("codes.tsv.gz")))) {
            assertThat(packed.readAllBytes()).isEqualTo(Files.readAllBytes(directory.resolve("codes.tsv")));
        }
        try (var left = Files.list(directory)) {
            assertThat(left).hasSize(2); // no temporary files
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "n1 B 2, 3 columns",
                "n1 B two 0.5, rank is 'two' where 2",
                "n1 B 3 0.5, rank is '3' where 2",
                "n1 B 1 0.5, rank is '1' where 2",
                "n1 B 2 half, 'half' is not a number",
                "n1 B 2 NaN, 'NaN' is not a number",
                "n1 B 2 -0.1, '-0.1' is not a number between 0 and 1",
                "n1 B 2 0.95, higher than",
                "n1 a 2 0.5, 'a' is listed twice",
                "n1  2 0.5, has no code"
            })
    void anInvalidLineIsReportedWithItsNumber(String line, String what) throws IOException {
        Path file = written("bad.tsv", "n1 A 1 0.9", "", line);
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> RankingFile.read(file))
                .satisfies(error -> {
                    assertThat(error.what()).contains(what);
                    assertThat(error.where()).isEqualTo(file + ":3");
                });
    }

    @Test
    void anEmptyFileIsRejected() throws IOException {
        Path file = written("empty.tsv", "");
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> RankingFile.read(file))
                .satisfies(error -> assertThat(error.what()).contains("contains no rankings"));
    }
}
