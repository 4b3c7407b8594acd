package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;

/** Base class of tests that write experiment files line by line. */
abstract class ExperimentFileTestCase {

    @TempDir
    Path directory;

    Experiment read(String... lines) throws IOException {
        return ExperimentFile.read(write("mine.yaml", lines), List.of());
    }

    UserError error(String... lines) throws IOException {
        return error(write("mine.yaml", lines));
    }

    static UserError error(Path file) {
        return catchThrowableOfType(UserError.class, () -> ExperimentFile.read(file, List.of()));
    }

    Path write(String name, String... lines) throws IOException {
        return Files.write(directory.resolve(name), List.of(lines));
    }

    String at(String path) {
        return directory.resolve(path).normalize().toString();
    }
}
