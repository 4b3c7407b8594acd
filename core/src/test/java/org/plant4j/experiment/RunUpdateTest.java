package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Thresholds;
import org.plant4j.UserError;
import org.plant4j.support.FileChecksums;

/** The files of a run directory, its manifest, and what a crash can leave of them. */
class RunUpdateTest {

    private static final RunManifest MANIFEST = new RunManifest(
            RunManifest.FORMAT,
            "tiny",
            RunManifest.TRAINING,
            "f00d",
            7,
            "plant run tiny",
            "2026-01-01T00:00:00Z",
            Map.of("java", "17"),
            Map.of("corpus", "c0de"),
            Map.of("labels", 4L),
            Map.of("prepare", 0.1),
            Optional.empty(),
            FileChecksums.NONE);

    /** Between the tokens of JSON. */
    private static final String WHITESPACE = " \t\r\n";

    @TempDir
    private Path directory;

    private RunDirectory run = new RunDirectory(Path.of(""));

    @BeforeEach
    void createRun() {
        run = new RunDirectory(directory.resolve("run"));
        run.create(MANIFEST, staging -> write(staging.labels(), "labels"));
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private UserError openFails() {
        return catchThrowableOfType(UserError.class, () -> RunDirectory.open(run.path()));
    }

    @Test
    void addedFilesAreListedAndTheOthersKept() {
        run.add(staging -> write(staging.path().resolve("members/0/weights.safetensors"), "weights"));
        run.add(run.thresholds(), Thresholds.global(0.25f));
        assertThat(run.readManifest().files().files())
                .containsOnlyKeys("labels.tsv", "members/0/weights.safetensors", "thresholds.json");
        assertThat(RunDirectory.open(run.path()).readThresholds().global()).isEqualTo(0.25f);
        assertThat(run.path().resolve(".staging")).doesNotExist();
        assertThat(run.readManifest().withFiles(FileChecksums.NONE)).isEqualTo(MANIFEST);
    }

    @Test
    void aReplacedFileHasItsNewChecksumAndTheManifestChangesWithIt() {
        run.add(
                staging -> write(staging.labels(), "other"),
                manifest -> manifest.with(RunManifest.INTERRUPTED, Map.of("prepare", 1.0)));
        assertThat(RunDirectory.open(run.path()).readManifest().status()).isEqualTo(RunManifest.INTERRUPTED);
        assertThat(run.labels()).hasContent("other");
    }

    /** So that the checksums of manifests from before usage was recorded stay valid. */
    @Test
    void aManifestWithoutUsageDoesNotMentionIt() throws IOException {
        assertThat(Files.readString(run.manifest())).doesNotContain("usage");
        assertThat(run.readManifest().usage()).isEmpty();
    }

    @Test
    void cpuTimesOfProcessesAddUpAndTheLargestMemoryCounts() {
        run.updateManifest(manifest -> manifest.withUsage(
                new RunManifest.Usage(Map.of("network", 5.0), Map.of("resident", 7L << 30, "gpu", 2L << 30))));
        run.updateManifest(manifest -> manifest.withUsage(
                new RunManifest.Usage(Map.of("network", 2.5, "evaluate", 1.0), Map.of("resident", 1L << 30))));
        RunManifest manifest = RunDirectory.open(run.path()).readManifest();
        assertThat(manifest.usage())
                .contains(new RunManifest.Usage(
                        Map.of("network", 7.5, "evaluate", 1.0), Map.of("resident", 7L << 30, "gpu", 2L << 30)));
        assertThat(manifest.trainingCpuSeconds()).isEqualTo(7.5);
    }

    @Test
    void aFailedUpdateChangesNothing() {
        RunManifest before = run.readManifest();
        assertThatThrownBy(() -> run.add(staging -> {
                    write(staging.labels(), "half");
                    throw new IllegalStateException("no space");
                }))
                .hasMessage("no space");
        assertThat(RunDirectory.open(run.path()).readManifest()).isEqualTo(before);
        assertThat(run.labels()).hasContent("labels");
        assertThat(run.path().resolve(".staging")).doesNotExist();
    }

    /** A crash between two writes leaves a file that is complete and not listed, whether it is the old or the new one. */
    @Test
    void aFileOfAnUnfinishedUpdateDoesNotBelongToTheRun() {
        run.add(run.thresholds(), Thresholds.global(0.25f));
        new ManifestFile(run.manifest())
                .write(run.readManifest()
                        .withFiles(run.readManifest()
                                .files()
                                .without(FileChecksums.of(run.path(), List.of(run.thresholds())))));
        write(run.path().resolve(".staging").resolve("thresholds.json"), "rest of the update");
        assertThat(RunDirectory.open(run.path()).has(run.thresholds())).isFalse();
        UserError error = catchThrowableOfType(UserError.class, run::readThresholds);
        assertThat(error.what()).contains("no thresholds.json");
        assertThat(error.remedy()).contains("plant run");
        run.add(run.thresholds(), Thresholds.global(0.5f));
        assertThat(run.readThresholds().global()).isEqualTo(0.5f);
        assertThat(run.path().resolve(".staging")).doesNotExist();
    }

    @Test
    void filesThatTheManifestDoesNotListAreIgnored() {
        write(run.calibration(), "of another run");
        write(run.path().resolve("notes.txt"), "my notes");
        assertThat(RunDirectory.open(run.path()).has(run.calibration())).isFalse();
        assertThat(run.has(run.labels())).isTrue();
    }

    @Test
    void aNewRunReplacesEverythingButTheLog() {
        write(run.log(), "log");
        write(run.checkpoint(), "checkpoint");
        run.add(staging -> write(staging.vocabulary(), "tokens"));
        run.create(MANIFEST, staging -> write(staging.labels(), "new"));
        assertThat(run.log()).hasContent("log");
        assertThat(run.vocabulary()).doesNotExist();
        assertThat(run.checkpoint()).doesNotExist();
        assertThat(RunDirectory.open(run.path()).readManifest().files().files()).containsOnlyKeys("labels.tsv");
    }

    /** Otherwise a new training could resume from the checkpoint of another one. */
    @Test
    void withoutAManifestACheckpointIsDeletedAndOtherFilesAreKept() throws IOException {
        Files.delete(run.manifest());
        write(run.checkpoint(), "checkpoint");
        write(run.calibration(), "calibration");
        run.create(MANIFEST, staging -> write(staging.labels(), "new"));
        assertThat(run.checkpoint()).doesNotExist();
        assertThat(run.calibration()).exists();
        assertThat(run.has(run.calibration())).isFalse();
    }

    @Test
    void aDamagedFileIsNamedWithARemedy() {
        write(run.labels(), "lables");
        UserError error = openFails();
        assertThat(error.what()).isEqualTo("The run is damaged: labels.tsv does not match its checksum");
        assertThat(error.where()).isEqualTo(run.labels().toString());
        assertThat(error.remedy()).contains("copy", "--force");
    }

    @Test
    void everyFlippedBitOfTheManifestIsFound() throws IOException {
        byte[] intact = Files.readAllBytes(run.manifest());
        RunManifest manifest = run.readManifest();
        for (int position = 0; position < intact.length; position++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] damaged = intact.clone();
                damaged[position] ^= (byte) (1 << bit);
                Files.write(run.manifest(), damaged);
                if (WHITESPACE.indexOf(intact[position]) >= 0 && WHITESPACE.indexOf(damaged[position]) >= 0) {
                    assertThat(run.readManifest()).isEqualTo(manifest);
                } else {
                    assertThat(openFails().where())
                            .as("bit %d of byte %d", bit, position)
                            .isEqualTo(run.manifest().toString());
                }
            }
        }
        for (int length = 0; length < intact.length - 1; length++) { // the last byte is a line feed
            Files.write(run.manifest(), Arrays.copyOf(intact, length));
            assertThat(openFails().where()).isEqualTo(run.manifest().toString());
        }
    }

    @Test
    void aNewerFormatIsRejected() throws IOException {
        String manifest = Files.readString(run.manifest(), StandardCharsets.UTF_8);
        Files.writeString(
                run.manifest(), manifest.replace("\"format\" : 1,", "\"format\" : 2, \"signature\" : \"x\","));
        UserError error = openFails();
        assertThat(error.what()).contains("format 2", "up to 1");
        assertThat(error.remedy()).contains("newer version");
    }

    @Test
    void aRunWithoutChecksumsOpensAndGetsThemWithTheFirstUpdate() throws IOException {
        write(run.log(), "log");
        String manifest = RunDirectory.JSON.writeValueAsString(
                ((ObjectNode) RunDirectory.JSON.readTree(Files.readString(run.manifest())))
                        .without(List.of("format", "files", "checksum")));
        Files.writeString(run.manifest(), manifest);
        assertThat(RunDirectory.open(run.path()).readManifest().format()).isZero();
        assertThat(run.has(run.labels())).isTrue();
        run.add(run.thresholds(), Thresholds.global(0.25f));
        assertThat(run.readManifest().files().files()).containsOnlyKeys("labels.tsv", "thresholds.json");
        assertThat(run.readManifest().format()).isEqualTo(RunManifest.FORMAT);
        write(run.labels(), "lables");
        assertThat(openFails().where()).isEqualTo(run.labels().toString());
    }
}
