package org.plant4j.pipeline.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.pipeline.TinyExperiment;
import org.plant4j.support.FileTree;

class StageCacheTest {

    private static final String PRINT = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path directory;

    private final List<String> stages = new ArrayList<>();

    /** Writes two files and counts how often. */
    private static final class TwoFiles implements StageCache.CachedStage<String> {

        private int created;

        @Override
        public String create(Path draft) {
            created++;
            write(draft.resolve("a.txt"), "a");
            write(draft.resolve("deep/b.txt"), "b");
            return "two files";
        }

        @Override
        public String open(Path path) {
            try {
                return Files.readString(path.resolve("a.txt")) + Files.readString(path.resolve("deep/b.txt"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final TwoFiles stage = new TwoFiles();

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String get(String print, long renewBefore) {
        stages.clear();
        return new StageCache(directory, TinyExperiment.session(stages), new StageTimes(), renewBefore)
                .get("pair", print, stage);
    }

    private Path cached() {
        return directory.resolve("pair-" + PRINT.substring(0, 16));
    }

    private Path checksums() {
        return directory.resolve("checksums").resolve(cached().getFileName() + ".json");
    }

    @BeforeEach
    void fillCache() {
        assertThat(get(PRINT, 0)).isEqualTo("ab");
        assertThat(stages).containsExactly("pair: two files");
    }

    private void assertComputedAgain(String why) {
        assertThat(get(PRINT, 0)).isEqualTo("ab");
        assertThat(stages).containsExactly("pair: damaged, computed again: " + why, "pair: two files");
        assertThat(stage.created).isEqualTo(2);
        assertThat(get(PRINT, 0)).isEqualTo("ab");
        assertThat(stages).containsExactly("pair: reused");
    }

    @Test
    void intactResultsAreReused() {
        assertThat(get(PRINT, 0)).isEqualTo("ab");
        assertThat(stages).containsExactly("pair: reused");
    }

    @Test
    void aChangedFileIsComputedAgain() {
        write(cached().resolve("deep/b.txt"), "c");
        assertComputedAgain("b.txt does not match its checksum");
    }

    @Test
    void aMissingFileIsComputedAgain() throws IOException {
        Files.delete(cached().resolve("a.txt"));
        assertComputedAgain("a.txt is missing");
    }

    /** The splits of a prepared corpus are found by their names, so a further file can change a result. */
    @Test
    void anAdditionalFileIsDamage() {
        write(cached().resolve("c.txt"), "c");
        assertComputedAgain("c.txt has no checksum");
    }

    @Test
    void withoutItsChecksumsAResultIsComputedAgain() throws IOException {
        Files.delete(checksums());
        assertComputedAgain("there are no checksums for " + cached().getFileName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "\0\0\0\0\0 \"a"})
    void damagedChecksumsAreNotTrusted(String content) {
        write(checksums(), content);
        assertComputedAgain("there are no checksums for " + cached().getFileName());
    }

    /** The names of cached results contain only the first digits of the fingerprint. */
    @Test
    void theResultOfOtherInputsIsNotReused() {
        String other = PRINT.substring(0, 31) + "0";
        assertThat(get(other, 0)).isEqualTo("ab");
        assertThat(stages).last().isEqualTo("pair: two files");
        assertThat(stage.created).isEqualTo(2);
    }

    @Test
    void resultsFromBeforeTheCommandAreRenewedOnceAndTheirCheckpointsDeleted() {
        Path unfinished = cached().resolveSibling(cached().getFileName() + ".unfinished");
        write(unfinished.resolve("checkpoint"), "old");
        long now = System.currentTimeMillis() + 1;
        while (System.currentTimeMillis() < now) {
            Thread.onSpinWait();
        }
        assertThat(get(PRINT, now)).isEqualTo("ab");
        assertThat(stages).containsExactly("pair: two files");
        assertThat(unfinished).doesNotExist();
        assertThat(get(PRINT, now)).isEqualTo("ab");
        assertThat(stages).containsExactly("pair: reused");
    }

    @Test
    void aDeletedCacheIsFilledAgain() {
        FileTree.delete(directory);
        assertThat(get(PRINT, 0)).isEqualTo("ab");
        assertThat(stages).containsExactly("pair: two files");
    }
}
