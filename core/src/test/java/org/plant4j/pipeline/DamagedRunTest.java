package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.support.FileTree;

/** Damage to a file of a run is an error that names the file, never another answer. */
class DamagedRunTest extends PipelineTestCase {

    private static final int FLIPS_PER_FILE = 20;

    private RunDirectory trained(Experiment experiment) {
        assertThat(run(experiment)).isTrue();
        return runDirectory(experiment);
    }

    @Test
    void everyDamagedFileOfARunIsNamed() throws IOException {
        sweep(trained(tiny.plant(VECTORS)));
    }

    @Test
    void everyDamagedFileOfAnEnsembleIsNamed() throws IOException {
        tiny.prior("name=member"); // leaves prior-tiny.yaml
        Path ensemble = tiny.write(
                "ensemble.yaml",
                "extends: prior-tiny.yaml",
                "name: ensemble",
                "model: {type: ensemble, members: [prior-tiny.yaml], seeds: [1, 2]}");
        RunDirectory run = trained(ExperimentFile.read(ensemble, List.of()));
        assertThat(run.readManifest().files().files()).containsKeys("members/0/prior.txt", "members/1/prior.txt");
        sweep(run);
    }

    @Test
    void everyDamagedFileOfAStackIsNamed() throws IOException {
        tiny.prior("name=member"); // leaves prior-tiny.yaml
        Path stack = tiny.write(
                "stack.yaml",
                "extends: prior-tiny.yaml",
                "name: stack",
                "model: {type: stacked, members: [prior-tiny.yaml], seeds: [1, 2], candidates: 4, merge: null}");
        RunDirectory run = trained(ExperimentFile.read(stack, List.of()));
        assertThat(run.readManifest().files().files())
                .containsKeys("members/0/prior.txt", "members/1/prior.txt", "merge.json");
        sweep(run);
    }

    private static void sweep(RunDirectory run) throws IOException {
        Random random = new Random(11);
        List<Path> files = FileTree.files(run.path());
        assertThat(files)
                .as("files without a checksum")
                .filteredOn(file -> !run.has(file))
                .containsExactly(run.manifest());
        for (Path file : files) {
            byte[] intact = Files.readAllBytes(file);
            for (int flip = 0; flip < FLIPS_PER_FILE; flip++) {
                byte[] flipped = intact.clone();
                flipped[random.nextInt(intact.length)] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, flipped);
                assertNamed(run, file);
            }
            Files.write(file, Arrays.copyOf(intact, intact.length / 2));
            assertNamed(run, file);
            Files.write(file, new byte[0]);
            assertNamed(run, file);
            Files.delete(file);
            assertNamed(run, file);
            Files.write(file, intact);
        }
        try (Coder coder = Coder.load(run.path())) {
            assertThat(coder.codes()).hasSize(4);
        }
    }

    private static UserError assertNamed(RunDirectory run, Path file) {
        UserError error = catchThrowableOfType(
                UserError.class, () -> Coder.load(run.path()).close());
        assertThat(error).as("damaged %s", file).isNotNull();
        assertThat(error.getMessage()).contains(String.valueOf(file.getFileName()));
        assertThat(error.where()).contains(run.path().toString());
        assertThat(error.remedy()).isNotBlank();
        return error;
    }

    @Test
    void swappedRowsOfLabelsAreFound() throws IOException {
        RunDirectory run = trained(tiny.prior());
        List<String> rows = Files.readAllLines(run.labels());
        Collections.swap(rows, 1, 2);
        Files.write(run.labels(), rows);
        assertThat(assertNamed(run, run.labels()).where())
                .isEqualTo(run.labels().toString());
    }

    @Test
    void filesOfAnotherRunAreFound() throws IOException {
        RunDirectory run = trained(tiny.laat());
        RunDirectory other = trained(tiny.laat("name=other", "seed=2"));
        int swapped = 0;
        for (Path file : FileTree.files(run.path())) {
            byte[] intact = Files.readAllBytes(file);
            byte[] foreign = Files.readAllBytes(other.path().resolve(run.path().relativize(file)));
            if (!Arrays.equals(intact, foreign)) {
                Files.write(file, foreign);
                assertThat(catchThrowableOfType(UserError.class, () -> Coder.load(run.path())))
                        .as("%s of another run", file)
                        .isNotNull();
                Files.write(file, intact);
                swapped++;
            }
        }
        assertThat(swapped).isGreaterThan(5);
    }

    @Test
    void aDamagedRunIsNotReusedAndForceReplacesIt() throws IOException {
        RunDirectory run = trained(tiny.laat());
        byte[] weights = weights("tiny");
        byte[] damaged = weights.clone();
        damaged[damaged.length - 3] ^= 1;
        Files.write(run.path().resolve("weights.safetensors"), damaged);
        UserError error = catchThrowableOfType(UserError.class, () -> run(tiny.laat()));
        assertThat(error.where()).endsWith("weights.safetensors");
        assertThat(error.remedy()).contains("--force");
        run(tiny.laat(), BadRowHandler.fail(), true, () -> false);
        assertThat(weights("tiny")).isEqualTo(weights);
    }

    @Test
    void damagedStagesAreComputedAgainAndGiveTheSameWeights() throws IOException {
        trained(tiny.plant(VECTORS));
        try (Stream<Path> cached = Files.list(tiny.runs().resolve(".cache"))) {
            for (Path stage : cached.filter(
                            path -> path.getFileName().toString().contains("-"))
                    .toList()) {
                Path file = largest(FileTree.files(stage));
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2] ^= 1;
                Files.write(file, bytes);
            }
        }
        stages.clear();
        trained(tiny.plant(VECTORS, "name=again"));
        assertThat(stages)
                .filteredOn(line -> line.contains("damaged, computed again"))
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactly("prepare", "word-vectors", "mutual-information", "ranker");
        assertThat(weights("again")).isEqualTo(weights("tiny"));
    }

    private static Path largest(List<Path> files) {
        return Collections.max(
                files, Comparator.comparingLong(file -> file.toFile().length()));
    }
}
