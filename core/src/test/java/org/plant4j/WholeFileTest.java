package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

    @TempDir
    private Path folder;

    @Test
    void theNewTextTakesThePlaceOfTheOld() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "old");
        WholeFile.write(file, draft -> {
            Files.writeString(draft, "new");
            assertThat(file).hasContent("old");
        });
        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void whatFailsHalfWayLeavesTheOldFile() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "old");
        assertThatThrownBy(() -> WholeFile.write(file, draft -> {
                    Files.writeString(draft, "half");
                    throw new IOException("no room");
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("a.txt");
        assertThat(file).hasContent("old");
    }
}
