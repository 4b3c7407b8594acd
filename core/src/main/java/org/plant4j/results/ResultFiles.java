package org.plant4j.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.support.StrictJson;

/** A directory with one JSON file per experiment. */
public final class ResultFiles {

    private static final JsonMapper JSON = StrictJson.builder()
            .addModule(new Jdk8Module())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private static final String AVERAGE_PRECISION = "averagePrecision";
    private static final String COST = "cost";

    private final Path directory;

    public ResultFiles(Path directory) {
        this.directory = directory;
    }

    /** Writes {@code EXPERIMENT.json}, in place of an earlier result of the experiment. */
    public Path write(ExperimentResult result) {
        Path file = directory.resolve(result.experiment() + ".json");
        try {
            Files.createDirectories(directory);
            Files.writeString(file, JSON.writeValueAsString(result) + "\n");
            return file;
        } catch (IOException e) {
            throw new UserError("The result cannot be written", file.toString(), "choose another --results", e);
        }
    }

    /** All results, ordered by file name. */
    public List<ExperimentResult> readAll() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(ResultFiles::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
    }

    private static ExperimentResult read(Path file) {
        try {
            JsonNode result = JSON.readTree(Files.readString(file));
            if (result instanceof ObjectNode object) { // earlier versions did not store these
                object.putIfAbsent(AVERAGE_PRECISION, object.arrayNode());
                object.putIfAbsent(COST, object.nullNode());
            }
            return JSON.treeToValue(result, ExperimentResult.class);
        } catch (JsonProcessingException e) {
            throw new UserError(
                    "The file is not a result: " + e.getOriginalMessage(),
                    file.toString(),
                    "delete it and add the run again: plant results add RUN",
                    e);
        } catch (IOException e) {
            throw new UserError("The result cannot be read", file.toString(), "check that it is a text file", e);
        }
    }
}
