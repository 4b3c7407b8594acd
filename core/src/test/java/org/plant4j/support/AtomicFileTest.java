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
    private Path directory;

    @Test
    void newContentReplacesTheOld() throws IOException {
        Path file = Files.writeString(directory.resolve("a.txt"), "old");
        AtomicFile.write(file, draft -> {
            Files.writeString(draft, "new");
            assertThat(file).hasContent("old");
        });
        assertThat(file).hasContent("new");
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void aFailedWriteKeepsTheOldFile() throws IOException {
        Path file = Files.writeString(directory.resolve("a.txt"), "old");
        assertThatThrownBy(() -> AtomicFile.write(file, draft -> {
                    Files.writeString(draft, "half");
                    throw new IOException("no room");
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("a.txt");
        assertThat(file).hasContent("old");
    }
}
