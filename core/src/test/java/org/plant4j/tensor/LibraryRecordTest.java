package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryRecordTest {

    @TempDir
    private Path temporary;

    private Path cache;
    private Path jar;
    private Path library;

    @BeforeEach
    void createFiles() throws IOException {
        cache = Files.createDirectory(temporary.resolve("cache"));
        jar = Files.writeString(Files.createDirectory(temporary.resolve("lib")).resolve("plant.jar"), "jar");
        library = Files.writeString(cache.resolve("libjnitorch.so"), "library");
    }

    private LibraryRecord record() {
        return LibraryRecord.of(LibraryRecordTest.class, cache, jar.toString()).orElseThrow();
    }

    private Map<String, String> loaded() {
        return Map.of("jnitorch", library.toString(), "gomp@.1", "/usr/lib/libgomp.so.1");
    }

    @Test
    void theNextProcessFindsTheLibrariesOfTheBindings() {
        assertThat(record().read()).isEmpty();
        record().write(loaded());
        assertThat(record().read()).contains(List.of(library));
    }

    @Test
    void changedLibrariesAreSearchedAgain() throws IOException {
        record().write(loaded());
        Files.writeString(library, "another library");
        assertThat(record().read()).isEmpty();
    }

    @Test
    void librariesAreSearchedAgainIfAnyJarBesideThoseOfTheClassPathHasChanged() throws IOException {
        record().write(loaded());
        Files.writeString(jar.resolveSibling("pytorch-gpu.jar"), "jar");
        assertThat(record().read()).isEmpty();
    }

    @Test
    void damagedRecordsAreIgnored() throws IOException {
        record().write(loaded());
        try (var files = Files.newDirectoryStream(cache, "*.libraries")) {
            for (Path file : files) {
                Files.writeString(file, Files.readString(file).replace(" ", ""));
            }
        }
        assertThat(record().read()).isEmpty();
    }

    @Test
    void librariesFromElsewhereAndThoseOfCudaAreNotRecorded() {
        record().write(Map.of("jnitorch", "/usr/lib/libjnitorch.so"));
        assertThat(record().read()).isEmpty();
        record().write(Map.of("jnitorch", library.toString(), "torch_cuda", "/cache/libtorch_cuda.so"));
        assertThat(record().read()).isEmpty();
    }

    @Test
    void classPathsWithDirectoriesHaveNoRecord() {
        assertThat(LibraryRecord.of(LibraryRecordTest.class, cache, temporary.toString()))
                .isEmpty();
    }
}
