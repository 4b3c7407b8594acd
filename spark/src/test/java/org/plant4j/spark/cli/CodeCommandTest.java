package org.plant4j.spark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.corpus.Split;
import org.plant4j.prediction.RankingFile;
import org.plant4j.spark.DemoRun;
import org.plant4j.spark.LocalSpark;

class CodeCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Document> NOTES = DemoRun.documents(Split.DEV);

    @TempDir
    static Path directory;

    private static Path notes;

    @BeforeAll
    static void writeNotes() throws IOException {
        LocalSpark.session();
        List<String> lines = new ArrayList<>();
        for (Document note : NOTES) {
            lines.add(JSON.writeValueAsString(Map.of("id", note.id(), "text", note.text(), "codes", note.codes())));
        }
        notes = Files.write(directory.resolve("notes.jsonl"), lines);
    }

    @Test
    void everyFormatHasTheSameCodes() throws IOException {
        List<Row> documents = DocumentFormat.JSONL
                .read(LocalSpark.session(), notes.toString())
                .collectAsList();
        assertThat(documents).hasSize(NOTES.size());
        Dataset<Row> rows = DocumentFormat.JSONL.read(LocalSpark.session(), notes.toString());
        rows.write().parquet(directory.resolve("notes.parquet").toString());
        rows.write()
                .option("header", true)
                .option("escape", "\"")
                .csv(directory.resolve("notes.csv").toString());
        Path texts = Files.createDirectory(directory.resolve("notes.text"));
        for (Document note : NOTES) {
            Files.writeString(texts.resolve(note.id() + ".txt"), note.text());
        }

        Path ranking = code("jsonl", notes, "text");

        for (String format : List.of("parquet", "csv", "text")) {
            Path coded = code(format, directory.resolve("notes." + format), "text");
            assertThat(lines(coded)).containsExactlyInAnyOrderElementsOf(lines(ranking));
        }
        Path one = Files.write(directory.resolve("ranking.tsv"), lines(ranking));
        assertThat(RankingFile.read(one).rankings()).hasSize(NOTES.size());
    }

    @Test
    void csvAndParquetContainEverySuggestion() throws IOException {
        assertThat(lines(code("jsonl", notes, "csv")).stream()
                        .filter(line -> !line.startsWith("id,rank,code,description,score"))
                        .count())
                .isGreaterThanOrEqualTo(3L * NOTES.size());
        Path parquet = code("jsonl", notes, "parquet");
        assertThat(LocalSpark.session()
                        .read()
                        .parquet(parquet.toString())
                        .selectExpr("explode(suggestions) s")
                        .where("s.inDomain is not null and size(s.evidence) >= 0")
                        .count())
                .isEqualTo(3L * NOTES.size());
        JsonNode document = JSON.readTree(lines(code("jsonl", notes, "jsonl")).get(0));
        assertThat(document.at("/suggestions/0/evidence/0/text").asText()).isNotEmpty();
    }

    @Test
    void documentsAreDividedIntoSmallPartitions() throws IOException {
        Path parquet = directory.resolve("partitions.parquet");
        Dataset<Row> rows = DocumentFormat.JSONL.read(LocalSpark.session(), notes.toString());
        rows.coalesce(1).write().parquet(parquet.toString());
        Partitions partitions = new Partitions(LocalSpark.session(), 1000);

        Dataset<Row> resized = partitions.resize(DocumentFormat.PARQUET.read(LocalSpark.session(), parquet.toString()));

        assertThat(resized.rdd().getNumPartitions()).isGreaterThanOrEqualTo(10);
        assertThat(resized.distinct().count()).isEqualTo(NOTES.size());
    }

    @Test
    void invalidDocumentsAndExistingOutputAreErrorsOfTheUser() throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.jsonl"), "{\"id\": \"1\", \"text\": \"sepsis\n");
        Path misnamed =
                Files.writeString(directory.resolve("misnamed.jsonl"), "{\"id\": \"1\", \"txt\": \"sepsis\"}\n");

        assertThat(run("jsonl", broken, "jsonl", directory.resolve("out-1"))).isEqualTo(2);
        assertThat(run("jsonl", misnamed, "jsonl", directory.resolve("out-2"))).isEqualTo(2);
        assertThat(run("jsonl", directory.resolve("absent"), "jsonl", directory.resolve("out-3")))
                .isEqualTo(2);
        assertThat(run("jsonl", notes, "jsonl", directory)).isEqualTo(2);
    }

    private static Path code(String format, Path input, String to) {
        Path output = directory.resolve("coded-" + format + "-to-" + to);
        assertThat(run(format, input, to, output)).isZero();
        return output;
    }

    private static int run(String format, Path input, String to, Path output) {
        return Main.run(
                "code",
                DemoRun.DIRECTORY.toString(),
                input.toString(),
                output.toString(),
                "--format",
                format,
                "--to",
                to,
                "--top",
                "3");
    }

    private static List<String> lines(Path output) throws IOException {
        List<String> lines = new ArrayList<>();
        try (var files = Files.newDirectoryStream(output, "part-*")) {
            for (Path file : files) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}
