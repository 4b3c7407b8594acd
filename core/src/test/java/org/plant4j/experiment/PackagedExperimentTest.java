package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.isd.Isd;
import org.plant4j.model.plant.Plant;

/** The experiments that come with the project. */
class PackagedExperimentTest extends ExperimentFileTestCase {

    private static final Path OWN_EXPERIMENTS = Path.of("..", "experiments");

    @TempDir
    static Path ownFolder;

    @ParameterizedTest
    @MethodSource("demos")
    void aPackagedExperimentWrittenOutReadsBackEqual(String name) throws IOException {
        Experiment read = ExperimentFile.packaged(name, List.of("seed=7", "corpus.options.sizes=10/5/5"));
        write("mine.yaml", ExperimentFile.toYaml(read));
        assertThat(ExperimentFile.read(folder.resolve("mine.yaml"), List.of())).isEqualTo(read);
    }

    static List<String> demos() {
        return List.of("demo-prior", "demo-linear", "demo-caml", "demo-laat", "demo-plant", "demo-control");
    }

    @ParameterizedTest
    @MethodSource("bases")
    void everyPackagedBaseNeedsOnlyANameAndACorpus(String base) throws IOException {
        Experiment read = read("extends: " + base, "name: mine", "corpus: {format: csv, path: x.csv}");
        write("again.yaml", ExperimentFile.toYaml(read));
        assertThat(ExperimentFile.read(folder.resolve("again.yaml"), List.of())).isEqualTo(read);
    }

    static List<String> bases() {
        return List.of("prior", "linear", "caml", "laat", "plant", "plant-paper");
    }

    @ParameterizedTest
    @MethodSource("own")
    void everyExperimentOfTheRepositoryReads(Path file) throws IOException {
        if (!Files.exists(ownFolder.resolve("experiments"))) {
            RepositoryExperiments.copyTo(ownFolder);
        }
        Path copy = ownFolder
                .resolve("experiments")
                .resolve(OWN_EXPERIMENTS.relativize(file).toString());
        Experiment read = ExperimentFile.read(copy, List.of());
        assertThat(read.name())
                .isEqualTo(OWN_EXPERIMENTS
                        .relativize(file)
                        .toString()
                        .replace(".yaml", "")
                        .replace(File.separatorChar, '-'));
        assertThat(Path.of(read.corpus().path())).isAbsolute();
        write("again.yaml", ExperimentFile.toYaml(read));
        assertThat(ExperimentFile.read(folder.resolve("again.yaml"), List.of())).isEqualTo(read);
    }

    /** Files with a name of their own; the others are there to be extended. */
    static List<Path> own() throws IOException {
        try (Stream<Path> files = Files.walk(OWN_EXPERIMENTS)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.toString().contains("models")) // packaged
                    .filter(file -> has(file, "name:") && !has(file, "kind:")) // a study has both
                    .sorted()
                    .toList();
            assertThat(found).hasSizeGreaterThan(6);
            return found;
        }
    }

    private static boolean has(Path file, String key) {
        try {
            return Files.readAllLines(file).stream().anyMatch(line -> line.startsWith(key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void packagedModelsOverConvolutionsAreWhole() {
        List<String> corpus = List.of("name=mine", "corpus.format=demo");
        assertThat(ExperimentFile.packaged("isd", corpus).model()).isInstanceOf(Isd.Config.class);
        Isd.Config paper =
                (Isd.Config) ExperimentFile.packaged("isd-paper", corpus).model();
        assertThat(paper.embedding()).isEqualTo(100);
        assertThat(paper.queries()).isEqualTo(64);
        assertThat(((Plant.Config) ExperimentFile.packaged("plant-convolutions", corpus)
                                .model())
                        .encoder())
                .isInstanceOf(EncoderConfig.Convolutions.class);
    }
}
