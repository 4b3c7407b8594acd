package org.plant4j.spark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Encoders;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.spark.LocalSpark;
import org.plant4j.support.FileTree;

/** Every file of a cached stage and of a linear model equals the one that {@code plant run} writes. */
class PrepareCommandTest {

    @TempDir
    static Path directory;

    @BeforeAll
    static void writeCorpora() throws IOException {
        LocalSpark.session();
        DemoCorpus.Sizes sizes = new DemoCorpus.Sizes(40, 12, 8);
        for (Split split : Split.values()) {
            List<Document> documents =
                    new ArrayList<>(new DemoCorpus(split, 1, sizes).documents().toList());
            documents.add(new Document(
                    split + " \u00e9\ud83d\ude00", "Fi\u00e8vre, \u201cpneumonia\u201d\nand \ud835\udc00", Set.of()));
            if (split == Split.TEST) {
                documents.add(new Document("unseen", "A code that training does not have", Set.of("Z99.9", "A00.0")));
            }
            write(split.toString(), documents);
        }
        write("one", new DemoCorpus(Split.DEV, 5, sizes).documents().limit(1).toList());
        write("none", List.of());
    }

    /** As JSON Lines, CSV and Parquet; Parquet in two files, of which the second is larger. */
    private static void write(String name, List<Document> documents) throws IOException {
        List<String> lines = documents.stream().map(JsonLinesCorpus::toJson).toList();
        Files.write(directory.resolve(name + ".jsonl"), lines);
        List<String> rows = new ArrayList<>(List.of("id,text,codes"));
        documents.forEach(document -> rows.add("\"" + document.id() + "\",\""
                + document.text().replace("\"", "\"\"") + "\"," + String.join(";", document.codes())));
        Files.write(directory.resolve(name + ".csv"), rows);
        Path target = Files.createDirectories(directory.resolve(name + ".parquet"));
        int first = lines.size() / 3;
        parquet(lines.subList(0, first), target.resolve("part-1.parquet"));
        parquet(lines.subList(first, lines.size()), target.resolve("part-2.parquet"));
    }

    private static void parquet(List<String> lines, Path file) throws IOException {
        Path written = directory.resolve("written");
        LocalSpark.session()
                .read()
                .schema("id string, text string, codes array<string>,"
                        + " evidence array<struct<code: string, spans: array<array<int>>>>")
                .json(LocalSpark.session().createDataset(lines, Encoders.STRING()))
                .coalesce(1)
                .write()
                .parquet(written.toString());
        try (Stream<Path> parts = Files.list(written)) {
            Path part = parts.filter(path -> path.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
            Files.move(part, file);
        }
        FileTree.delete(written);
    }

    private static Path experiment(String format, String extended, String more) throws IOException {
        String name = extended + "-" + format;
        String yaml = """
                extends: %1$s
                name: %2$s
                corpus:
                  {format: %3$s, path: %4$s, train: [train.%3$s], dev: [dev.%3$s], test: [test.%3$s], options: {uncoded: keep}}
                evaluation: {bootstrap_samples: 20}
                compute: {device: cpu, threads: 1}
                """;
        return Files.writeString(
                directory.resolve(name + ".yaml"), yaml.formatted(extended, name, format, directory) + more);
    }

    /** The stages of one machine, from JSON Lines. */
    private static Pipeline local(Path experiment, Path runs) {
        return new Pipeline(
                ExperimentFile.read(experiment, List.of()),
                runs,
                new Session("a test", BadRowHandler.fail(), false, Progress.NONE, () -> false, (stage, outcome) -> {}));
    }

    private static String settings(String format) {
        return """
                preprocessing: {min_token_count: 2, min_label_documents: 2, max_training_documents: 30, passage_tokens: 8}
                unlabelled:
                  - {format: %1$s, path: %2$s, train: [dev.%1$s, one.%1$s, none.%1$s], options: {uncoded: keep}}
                """.formatted(format, directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "parquet"})
    void preparedCorpusAndMutualInformationAreThoseOfOneMachine(String format) throws IOException {
        Path runs = directory.resolve("local-" + format);
        local(experiment("jsonl", "plant", settings("jsonl")), runs).relevance();
        Path sparkRuns = directory.resolve("spark-" + format);

        assertThat(run("count", experiment(format, "plant", settings(format)), sparkRuns))
                .isZero();

        assertSameFiles(
                runs,
                "prepare",
                sparkRuns,
                "vocabulary.tsv",
                "labels.tsv",
                "train.tokens",
                "dev.tokens",
                "test.tokens",
                "unlabelled.tokens",
                "passages.tokens");
        assertSameFiles(runs, "mutual-information", sparkRuns, "");
    }

    @Test
    void csvIsPreparedByOneTaskPerFile() throws IOException {
        Path runs = directory.resolve("local-csv");
        Path csv = experiment("csv", "plant", "");
        local(csv, runs).prepare();

        assertThat(run("prepare", csv, directory.resolve("spark-csv"))).isZero();

        assertSameFiles(
                runs,
                "prepare",
                directory.resolve("spark-csv"),
                "vocabulary.tsv",
                "labels.tsv",
                "train.tokens",
                "dev.tokens",
                "test.tokens");
    }

    @Test
    void linearModelHasTheWeightsOfOneMachine() throws IOException {
        Path experiment = experiment("jsonl", "linear", "");
        local(experiment, directory.resolve("local-linear")).run();

        assertThat(run("run", experiment, directory.resolve("spark-linear"))).isZero();

        for (String file : List.of("linear.bin", "metrics-test.json", "thresholds.json")) {
            assertThat(directory.resolve("spark-linear/linear-jsonl").resolve(file))
                    .hasSameBinaryContentAs(
                            directory.resolve("local-linear/linear-jsonl").resolve(file));
        }
    }

    @Test
    void corporaAreSplitByFractionsAsOnOneMachineAlsoIfPartitionsAreEmpty() throws IOException {
        Path whole =
                Files.writeString(directory.resolve("fractions.yaml"), """
                extends: linear
                name: fractions
                corpus: {format: jsonl, path: %s, options: {fractions: 60/20/20, uncoded: keep}}
                """.formatted(directory.resolve("dev.jsonl")));
        Path runs = directory.resolve("local-fractions");
        local(whole, runs).prepare();

        assertThat(run("prepare", whole, directory.resolve("spark-fractions"), "1000"))
                .isZero();

        assertSameFiles(
                runs,
                "prepare",
                directory.resolve("spark-fractions"),
                "vocabulary.tsv",
                "labels.tsv",
                "train.tokens",
                "dev.tokens",
                "test.tokens");
    }

    @Test
    void badLinesAreErrorsThatNameTheFile() throws IOException {
        Path bad = Files.createDirectories(directory.resolve("bad"));
        byte[] latin1 = "{\"id\": \"1\", \"text\": \"fi\u00e8vre\", \"codes\": [\"A\"]}\n"
                .getBytes(StandardCharsets.ISO_8859_1);
        Files.write(bad.resolve("train.jsonl"), latin1);
        Path experiment = Files.writeString(directory.resolve("bad.yaml"), """
                extends: linear
                name: bad
                corpus: {format: jsonl, path: %s, train: [train.jsonl]}
                """.formatted(bad));
        assertThat(run("prepare", experiment, directory.resolve("bad-runs"))).isEqualTo(2);
        Files.writeString(bad.resolve("train.jsonl"), "{\"id\": \"1\", \"text\": \"fever\"}\n");
        assertThat(run("prepare", experiment, directory.resolve("bad-runs"))).isEqualTo(2);
        Files.delete(bad.resolve("train.jsonl"));
        assertThat(run("prepare", experiment, directory.resolve("bad-runs"))).isEqualTo(2);
    }

    /** With several tasks per file. */
    private static int run(String command, Path experiment, Path runs) {
        return run(command, experiment, runs, "20000");
    }

    private static int run(String command, Path experiment, Path runs, String partitionBytes) {
        return Main.run(command, experiment.toString(), "--runs", runs.toString(), "--partition-bytes", partitionBytes);
    }

    private static void assertSameFiles(Path runs, String stage, Path otherRuns, String... files) throws IOException {
        Path expected = stage(runs, stage);
        Path actual = stage(otherRuns, stage);
        for (String file : files) {
            assertThat(actual.resolve(file)).hasSameBinaryContentAs(expected.resolve(file));
        }
        if (Files.isDirectory(expected)) {
            try (Stream<Path> all = Files.list(expected)) {
                assertThat(all.map(path -> path.getFileName().toString()))
                        .containsExactlyInAnyOrderElementsOf(Arrays.asList(files));
            }
        }
    }

    private static Path stage(Path runs, String stage) throws IOException {
        try (Stream<Path> all = Files.list(runs.resolve(".cache"))) {
            return all.filter(path -> path.getFileName().toString().startsWith(stage + "-"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
