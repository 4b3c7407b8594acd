package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.review.database.Database;

/** Acknowledged reviews survive {@code kill -9} of the writer under load, ten times. */
class KilledWriterIT {

    private static final int KILLS = 10;

    /** Reviews that may be stored but not acknowledged when the writer is killed. */
    private static final int MAX_UNACKNOWLEDGED = 4 * KILLS;

    @TempDir
    Path directory;

    @Test
    void sqliteKeepsAcknowledgedReviews() throws Exception {
        assertAcknowledgedReviewsSurvive("SQLite", Database.SQLITE + directory.resolve("reviews.db"));
    }

    @Test
    void postgresKeepsAcknowledgedReviews() throws Exception {
        try (Postgres postgres = Postgres.start()) {
            assertAcknowledgedReviewsSurvive("PostgreSQL", postgres.fresh("killed"));
        }
    }

    private static void assertAcknowledgedReviewsSurvive(String name, String url) throws Exception {
        Random random = new Random(7);
        Set<String> acknowledged = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            int before = acknowledged.size();
            acknowledged.addAll(writeAndKill(url, 20 + random.nextInt(200)));
            assertThat(acknowledged.size()).isGreaterThan(before);
        }
        Set<String> found = new HashSet<>();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            store.forEach(
                    stored -> found.add(stored.id())); // parses each review, so that a partial one would be detected
        }
        System.out.println(name + ", " + KILLS + " kills: " + acknowledged.size() + " reviews acknowledged, "
                + found.size() + " found, " + missing(acknowledged, found) + " lost");
        assertThat(found).containsAll(acknowledged);
        assertThat(found.size() - acknowledged.size()).isLessThanOrEqualTo(MAX_UNACKNOWLEDGED);
    }

    private static long missing(Set<String> acknowledged, Set<String> found) {
        return acknowledged.stream().filter(id -> !found.contains(id)).count();
    }

    private static Set<String> writeAndKill(String url, int reviews) throws IOException, InterruptedException {
        Process writer = ReviewWriter.start(url, ":");
        Set<String> acknowledged = new HashSet<>();
        try (BufferedReader lines = writer.inputReader(StandardCharsets.US_ASCII)) {
            for (String id = lines.readLine(); id != null; id = lines.readLine()) {
                if (id.length() == 36) { // the last line may be incomplete
                    acknowledged.add(id);
                }
                if (acknowledged.size() == reviews) {
                    writer.toHandle()
                            .destroyForcibly(); // SIGKILL; unlike Process.destroyForcibly, keeps the output readable
                }
            }
        } finally {
            writer.destroyForcibly();
        }
        writer.waitFor();
        return acknowledged;
    }
}
