package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChecksumsTest {

    /** {@code printf abc | sha256sum} */
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    private Path directory;

    private FileChecksums checksums = FileChecksums.NONE;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(directory.resolve("a.txt"), "abc");
        Files.createDirectories(directory.resolve("members/0"));
        Files.writeString(directory.resolve("members/0/b.txt"), "b");
        checksums = FileChecksums.of(directory);
    }

    @Test
    void filesAreListedByRelativePath() {
        assertThat(checksums.files())
                .containsOnlyKeys("a.txt", "members/0/b.txt")
                .containsEntry("a.txt", ABC);
        assertThat(checksums.contains(directory, directory.resolve("members/0/b.txt")))
                .isTrue();
        assertThat(checksums.contains(directory, directory.resolve("b.txt"))).isFalse();
        assertThat(FileChecksums.of(directory.resolve("a.txt")).files())
                .hasSize(1)
                .containsEntry("", ABC);
        assertThat(Sha256.of("abc")).isEqualTo(ABC);
    }

    @Test
    void intactFilesHaveNoDamage() {
        assertThat(checksums.firstDamage(directory)).isEmpty();
        assertThat(checksums.firstDifference(directory)).isEmpty();
    }

    @Test
    void aChangedAndAMissingFileAreNamed() throws IOException {
        Files.writeString(directory.resolve("members/0/b.txt"), "c");
        assertThat(checksums.firstDamage(directory).orElseThrow().what())
                .isEqualTo("b.txt does not match its checksum");
        Files.delete(directory.resolve("a.txt"));
        FileChecksums.Damage first = checksums.firstDamage(directory).orElseThrow();
        assertThat(first.what()).isEqualTo("a.txt is missing");
        assertThat(first.file()).isEqualTo(directory.resolve("a.txt"));
    }

    @Test
    void aDirectoryInPlaceOfAFileIsDamage() throws IOException {
        Files.delete(directory.resolve("a.txt"));
        Files.createDirectory(directory.resolve("a.txt"));
        assertThat(checksums.firstDamage(directory).orElseThrow().what()).contains("a.txt");
    }

    @Test
    void aFileWithoutChecksumIsADifferenceButNotDamage() throws IOException {
        Files.writeString(directory.resolve("new.txt"), "");
        assertThat(checksums.firstDamage(directory)).isEmpty();
        assertThat(checksums.firstDifference(directory).orElseThrow().what()).isEqualTo("new.txt has no checksum");
    }

    @Test
    void checksumsCanBeReplacedAndRemoved() {
        FileChecksums other = FileChecksums.of(directory.resolve("members"));
        assertThat(checksums.with(other).files()).containsOnlyKeys("0/b.txt", "a.txt", "members/0/b.txt");
        assertThat(checksums.with(other).without(checksums)).isEqualTo(other);
    }
}
