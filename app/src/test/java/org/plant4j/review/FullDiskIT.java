package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.review.database.Database;

/**
 * Acknowledged reviews survive when the operating system refuses further writes: the writer's files may not grow beyond a
 * limit, or, with {@code -Dfull.disk=DIRECTORY}, are on a small disk such as a tmpfs.
 */
@DisabledOnOs(OS.WINDOWS)
class FullDiskIT {

    private static final String LIMIT = "ulimit -f 8192"; // 4 MiB, in blocks of 512 bytes

    @TempDir
    Path directory;

    @Test
    void keepsAcknowledgedReviews() throws Exception {
        Optional<Path> disk =
                Optional.ofNullable(System.getProperty("full.disk")).map(Path::of);
        String url = Database.SQLITE + disk.orElse(directory).resolve("reviews.db");
        List<String> acknowledged = new ArrayList<>();
        Process writer = ReviewWriter.start(url, disk.isPresent() ? ":" : LIMIT);
        try (BufferedReader lines = writer.inputReader(StandardCharsets.US_ASCII)) {
            lines.lines().filter(id -> id.length() == 36).forEach(acknowledged::add);
            assertThat(writer.waitFor(1, TimeUnit.MINUTES)).isTrue(); // each thread ends with its first failure
        } finally {
            writer.destroyForcibly();
        }
        List<String> found = new ArrayList<>();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            store.forEach(stored -> found.add(stored.id()));
            if (disk.isEmpty()) {
                assertThat(store.check().passed()).isTrue();
            }
        }
        System.out.println("full disk: " + acknowledged.size() + " reviews acknowledged, " + found.size() + " found");
        assertThat(acknowledged).isNotEmpty();
        assertThat(Set.copyOf(found)).isEqualTo(Set.copyOf(acknowledged));
    }
}
