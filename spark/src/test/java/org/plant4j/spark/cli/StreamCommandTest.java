package org.plant4j.spark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.corpus.Split;
import org.plant4j.spark.DemoRun;
import org.plant4j.spark.LocalSpark;

class StreamCommandTest {

    private static final List<Document> NOTES = DemoRun.documents(Split.DEV);

    @TempDir
    Path directory;

    @Test
    void documentsAreCodedOnceAcrossRestarts() throws IOException {
        LocalSpark.session();
        Path incoming = Files.createDirectory(directory.resolve("incoming"));
        write(incoming, 0, 3);
        write(incoming, 3, 5);
        assertThat(stream(incoming)).isZero();
        assertThat(codedIds()).isEqualTo(ids(5));

        // A batch that was read, but not committed, is repeated: as if the job had been killed while it wrote.
        Files.delete(directory.resolve("coded/_checkpoint/commits/1"));
        Files.deleteIfExists(directory.resolve("coded/_checkpoint/commits/.1.crc"));
        Files.delete(directory.resolve("coded/_spark_metadata/1"));
        Files.deleteIfExists(directory.resolve("coded/_spark_metadata/.1.crc"));
        write(incoming, 5, 7);
        assertThat(stream(incoming)).isZero();

        assertThat(codedIds()).isEqualTo(ids(7));
        assertThat(stream(incoming)).isZero();
        assertThat(codedIds()).isEqualTo(ids(7));
    }

    private static void write(Path incoming, int from, int to) throws IOException {
        ObjectMapper json = new ObjectMapper();
        StringBuilder lines = new StringBuilder();
        for (Document note : NOTES.subList(from, to)) {
            lines.append(json.writeValueAsString(Map.of("id", note.id(), "text", note.text())))
                    .append('\n');
        }
        Files.writeString(incoming.resolve(from + ".jsonl"), lines);
    }

    private int stream(Path incoming) {
        return Main.run(
                "stream",
                DemoRun.DIRECTORY.toString(),
                incoming.toString(),
                directory.resolve("coded").toString(),
                "--once",
                "--max-files",
                "1",
                "--top",
                "2");
    }

    private List<String> codedIds() {
        return LocalSpark.session()
                .read()
                .json(directory.resolve("coded").toString())
                .where("size(suggestions) = 2")
                .select("id")
                .sort(functions.col("id"))
                .as(Encoders.STRING())
                .collectAsList();
    }

    private static List<String> ids(int count) {
        return NOTES.subList(0, count).stream().map(Document::id).sorted().toList();
    }
}
