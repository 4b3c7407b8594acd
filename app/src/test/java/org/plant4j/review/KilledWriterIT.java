package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged is there, however the writer ended: ten times {@code kill -9} under load. */
class KilledWriterIT {

    private static final int KILLS = 10;

    /** Reviews under way when the kill comes: written, perhaps, but not acknowledged. */
    private static final int UNDER_WAY = 4 * KILLS;

    @TempDir
    Path folder;

    @Test
    void sqliteKeepsWhatItAcknowledged() throws Exception {
        keepsWhatItAcknowledged("SQLite", Database.SQLITE + folder.resolve("reviews.db"));
    }

    @Test
    void postgresKeepsWhatItAcknowledged() throws Exception {
        try (Postgres postgres = Postgres.start()) {
            keepsWhatItAcknowledged("PostgreSQL", postgres.fresh("killed"));
        }
    }

    private static void keepsWhatItAcknowledged(String name, String url) throws Exception {
        Random random = new Random(7);
        Set<String> acknowledged = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            int before = acknowledged.size();
            acknowledged.addAll(writeAndKill(url, 20 + random.nextInt(200)));
            assertThat(acknowledged.size()).isGreaterThan(before);
        }
        Set<String> found = new HashSet<>();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            store.forEach(stored -> found.add(stored.id())); // reads each, so that half a review would be noticed
        }
        System.out.println(name + ", " + KILLS + " kills: " + acknowledged.size() + " reviews acknowledged, "
                + found.size() + " found, " + missing(acknowledged, found) + " lost");
        assertThat(found).containsAll(acknowledged);
        assertThat(found.size() - acknowledged.size()).isLessThanOrEqualTo(UNDER_WAY);
    }

    private static long missing(Set<String> acknowledged, Set<String> found) {
        return acknowledged.stream().filter(id -> !found.contains(id)).count();
    }

    private static Set<String> writeAndKill(String url, int reviews) throws IOException, InterruptedException {
        Process writer = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReviewWriter.class.getName(),
                        url))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Set<String> acknowledged = new HashSet<>();
        try (BufferedReader lines = writer.inputReader(StandardCharsets.US_ASCII)) {
            for (String id = lines.readLine(); id != null; id = lines.readLine()) {
                if (id.length() == 36) { // the last line may be cut
                    acknowledged.add(id);
                }
                if (acknowledged.size() == reviews) {
                    writer.toHandle().destroyForcibly(); // SIGKILL; unlike Process, it leaves what was said to be read
                }
            }
        } finally {
            writer.destroyForcibly();
        }
        writer.waitFor();
        return acknowledged;
    }
}
