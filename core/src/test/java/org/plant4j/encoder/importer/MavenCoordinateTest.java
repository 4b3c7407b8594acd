package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;

class MavenCoordinateTest {

    @TempDir
    Path repository;

    @Test
    void pathsAreNotCoordinates() {
        assertThat(MavenCoordinate.parse("models/bert")).isEmpty();
        assertThat(MavenCoordinate.parse("C:\\models\\bert.jar")).isEmpty();
        assertThat(MavenCoordinate.parse("org.example:bert:1.0")).isPresent();
    }

    @Test
    void anInstalledJarIsFound() throws IOException {
        Path jar = repository.resolve("org/example/bert/1.0/bert-1.0.jar");
        Files.createDirectories(jar.getParent());
        Files.createFile(jar);
        assertThat(new MavenCoordinate("org.example", "bert", "1.0").jar(repository))
                .isEqualTo(jar);
    }

    @Test
    void theRemedyForAMissingJarIsAMavenCommand() {
        assertThatThrownBy(() -> new MavenCoordinate("org.example", "bert", "1.0").jar(repository))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("mvn dependency:get -Dartifact=org.example:bert:1.0 -Dtransitive=false");
    }
}
