package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

    @TempDir
    private Path folder;

    @Test
    void theNewTextTakesThePlaceOfTheOld() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "old");
        AtomicFile.write(file, draft -> {
            Files.writeString(draft, "new");
            assertThat(file).hasContent("old");
        });
        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void whatFailsHalfWayLeavesTheOldFile() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "old");
        assertThatThrownBy(() -> AtomicFile.write(file, draft -> {
                    Files.writeString(draft, "half");
                    throw new IOException("no room");
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("a.txt");
        assertThat(file).hasContent("old");
    }
}
