package org.plant4j.pretrained;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.UserError;

class PretrainedModelsTest {

    private final ClassLoader original = Thread.currentThread().getContextClassLoader();

    @TempDir
    Path directory;

    @AfterEach
    void restoreClassLoader() {
        Thread.currentThread().setContextClassLoader(original);
    }

    /** A jar as Maven makes it, with the model of format 1 under another name. */
    private Path jar(String name) throws IOException {
        Path jar = directory.resolve(name + ".jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                InputStream model = PretrainedModelsTest.class.getResourceAsStream("format-1.zip")) {
            zip.putNextEntry(new ZipEntry(PretrainedModels.INDEX));
            zip.write((name + "\n").getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry(PretrainedModels.DIRECTORY + name + ".zip"));
            Objects.requireNonNull(model).transferTo(zip);
        }
        return jar;
    }

    @Test
    void modelsOfSeveralJarsAreFoundByName() throws IOException {
        URL[] urls = {jar("first").toUri().toURL(), jar("second").toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, original)) {
            Thread.currentThread().setContextClassLoader(loader);
            assertThat(PretrainedModels.names()).containsSubsequence("first", "second");
            assertThat(PretrainedModels.find("first").orElseThrow().card().model())
                    .isEqualTo("plant");
            try (Coder coder = Coder.pretrained("second")) {
                assertThat(coder.codes()).hasSize(4);
            }
            assertThatThrownBy(() -> Coder.pretrained("secnd"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("secnd")
                    .hasMessageContaining("did you mean 'second'?");
            assertThatThrownBy(() -> Coder.pretrained("something else"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("use one of: first, second");
        }
    }

    @Test
    void withoutModelsTheErrorSaysWhatToAdd() {
        assertThatThrownBy(() -> Coder.pretrained("codiesp-d"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("plant4j-model-codiesp-d");
    }

    @Test
    void aRunDirectoryComesBeforeAModelOfTheSameName() throws IOException {
        Path run = Files.createDirectories(directory.resolve("tiny"));
        assertThat(PretrainedModels.locate(run)).isEmpty();
        Files.writeString(run.resolve("manifest.json"), "{}");
        assertThat(PretrainedModels.locate(run).orElseThrow().path()).isEqualTo(run);
    }
}
