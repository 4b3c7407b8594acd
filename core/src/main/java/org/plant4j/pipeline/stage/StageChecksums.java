package org.plant4j.pipeline.stage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileChecksums;
import org.plant4j.support.StrictJson;

/**
 * What a cached stage must contain.
 *
 * @param fingerprint of the inputs of the stage
 * @param createdMillis when the stage was computed, in milliseconds since 1970
 * @param files checksums of all files
 */
record StageChecksums(String fingerprint, long createdMillis, FileChecksums files) {

    private static final ObjectMapper JSON =
            StrictJson.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    void write(Path file) {
        AtomicFile.write(file, draft -> {
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(draft, JSON.writeValueAsString(this) + "\n");
        });
    }

    /** Empty if the file is missing or damaged. */
    static Optional<StageChecksums> read(Path file) {
        try {
            return Files.exists(file)
                    ? Optional.of(JSON.readValue(Files.readAllBytes(file), StageChecksums.class))
                    : Optional.empty();
        } catch (JsonProcessingException | CharConversionException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
