package org.plant4j.review.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLibraryTest {

    @TempDir
    Path cache;

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void theLibraryIsExtractedOnce() throws IOException {
        Path directory = SqliteLibrary.extracted(cache).orElseThrow();
        assertThat(files(directory)).hasSize(1); // and no temporary file
        Path library = files(directory).get(0);
        FileTime past = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(library, past);
        assertThat(SqliteLibrary.extracted(cache)).contains(directory);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(past);
    }

    @Test
    void aTruncatedLibraryIsReplaced() throws IOException {
        Path library = files(SqliteLibrary.extracted(cache).orElseThrow()).get(0);
        byte[] intact = Files.readAllBytes(library);
        Files.write(library, new byte[] {1, 2, 3});
        SqliteLibrary.extracted(cache);
        assertThat(library).hasBinaryContent(intact);
    }

    @Test
    void aLibraryOfTheSameSizeWithOneOtherByteIsReplaced() throws IOException {
        Path library = files(SqliteLibrary.extracted(cache).orElseThrow()).get(0);
        byte[] intact = Files.readAllBytes(library);
        byte[] damaged = intact.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(library, damaged);
        SqliteLibrary.extracted(cache);
        assertThat(library).hasBinaryContent(intact);
    }

    @Test
    void theDriverExtractsTheLibraryItselfIfTheCacheCannotBeWritten() throws IOException {
        Path file = Files.createFile(cache.resolve("file"));
        assertThat(SqliteLibrary.extracted(file)).isEmpty();
    }
}
