package org.plant4j.spark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.Evaluation;
import org.plant4j.corpus.Split;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.spark.DemoRun;
import org.plant4j.spark.LocalSpark;

class EvaluateCommandTest {

    @Test
    void measuresWhatTheRunMeasured(@TempDir Path directory) throws IOException {
        LocalSpark.session();
        List<String> lines = new ArrayList<>();
        for (Document note : DemoRun.documents(Split.TEST)) {
            lines.add(new ObjectMapper()
                    .writeValueAsString(Map.of("id", note.id(), "text", note.text(), "codes", note.codes())));
        }
        Path notes = Files.write(directory.resolve("test.jsonl"), lines);
        Path metrics = directory.resolve("metrics.json");

        int status =
                Main.run("evaluate", DemoRun.DIRECTORY.toString(), notes.toString(), "--output", metrics.toString());

        assertThat(status).isZero();
        assertThat(metrics).hasSameTextualContentAs(new RunDirectory(DemoRun.DIRECTORY).metrics(Split.TEST.toString()));
        assertThat(Evaluation.read(metrics).documents()).isEqualTo(lines.size());
    }
}
