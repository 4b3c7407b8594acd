package org.plant4j.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.experiment.ExperimentFile;

/** Every experiment and study of the repository says what it means, beside an encoder of multilingual BERT's sizes. */
class RepositoryExperimentsTest {

    private static final Path EXPERIMENTS = Path.of("..", "experiments");

    @TempDir
    Path folder;

    @BeforeEach
    void copyThem() throws IOException {
        for (Path file : files(EXPERIMENTS)) {
            Path copy = folder.resolve("experiments")
                    .resolve(EXPERIMENTS.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
        Path encoder = Files.createDirectories(folder.resolve("encoders").resolve("mbert"));
        Files.writeString(encoder.resolve("encoder.yaml"), """
                pretrained: .
                model:
                  encoder:
                    {type: bert, layers: 12, hidden: 768, heads: 12, intermediate: 3072, positions: 512,
                     position_offset: 0, types: 2, epsilon: 1.0e-12, begin: 2, end: 3, mask: 4}
                """);
    }

    private static List<Path> files(Path below) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(path -> path.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    @TestFactory
    Stream<DynamicTest> eachCanBeRead() throws IOException {
        return files(folder.resolve("experiments")).stream()
                .filter(file -> names(file, "name:")) // others are there to be extended
                .map(file -> DynamicTest.dynamicTest(
                        folder.relativize(file).toString(),
                        () -> assertThat(runs(file)).isPositive()));
    }

    private static boolean names(Path file, String key) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.anyMatch(line -> line.startsWith(key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int runs(Path file) {
        return names(file, "kind:")
                ? StudyFile.read(file, List.of()).cells().size()
                : ExperimentFile.read(file, List.of()).name().length();
    }
}
