package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.review.database.Database;
import org.plant4j.review.database.DatabaseException;
import org.plant4j.review.database.DatabaseException.Kind;

/** Each way in which a database fails has its own kind, and no acknowledged review is lost. */
class FailingDatabaseTest {

    @TempDir
    Path directory;

    private Path file;
    private String url;

    @BeforeEach
    void name() {
        file = directory.resolve("reviews.db");
        url = Database.SQLITE + file;
    }

    private static Kind addAndFail(ReviewStore store) {
        return catchThrowableOfType(
                        DatabaseException.class, () -> store.add(ReviewStoreContract.review("doc", "text"), "ana", ""))
                .kind();
    }

    @Test
    void writersBehindALockFailAsBusyTogetherAndReadersDoNotWait() throws Exception {
        try (ReviewStore store = ReviewStore.open(url, true);
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            store.add(ReviewStoreContract.review("doc", "text"), "ana", "");
            statement.execute("BEGIN IMMEDIATE");
            long start = System.nanoTime();
            List<CompletableFuture<Kind>> writers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                writers.add(CompletableFuture.supplyAsync(() -> addAndFail(store), task -> new Thread(task).start()));
            }
            assertThat(store.list(ReviewQuery.latest(9))).hasSize(1);
            assertThat((System.nanoTime() - start) / 1e9).isLessThan(4);
            for (CompletableFuture<Kind> writer : writers) {
                assertThat(writer.join()).isEqualTo(Kind.BUSY);
            }
            assertThat((System.nanoTime() - start) / 1e9).isLessThan(20); // one after the other would take 30 s
            assertThat(store.findFailure()).contains(Kind.BUSY);
            statement.execute("ROLLBACK");
            assertThat(store.findFailure()).isEmpty();
            store.add(ReviewStoreContract.review("doc", "text"), "ana", "");
            assertThat(store.check().reviews()).isEqualTo(2);
        }
    }

    @Test
    void aWriteAfterABusyOneIsStoredAndAcknowledged() throws Exception {
        try (ReviewStore store = ReviewStore.open(url, true);
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            assertThat(addAndFail(store)).isEqualTo(Kind.BUSY);
            statement.execute("ROLLBACK");
            String id = store.add(ReviewStoreContract.review("doc", "text"), "ana", "")
                    .id();
            assertThat(store.list(ReviewQuery.latest(9)))
                    .extracting(StoredReview::id)
                    .containsExactly(id);
        }
    }

    @Test
    void anErrorWithinAWriteRollsItBack() {
        try (Database database = Database.open(url)) {
            assertThat(catchThrowableOfType(
                            AssertionError.class,
                            () -> database.write(connection -> {
                                try (Statement statement = connection.createStatement()) {
                                    statement.execute("INSERT INTO plant4j_health (id, at) VALUES (7, 'now')");
                                }
                                throw new AssertionError("failed");
                            })))
                    .hasMessage("failed");
            int deleted = database.write(connection -> {
                try (Statement statement = connection.createStatement()) {
                    return statement.executeUpdate("DELETE FROM plant4j_health WHERE id = 7");
                }
            });
            assertThat(deleted).isZero();
        }
    }

    @Test
    void aFullDiskLosesNoAcknowledgedReview() throws SQLException {
        try (ReviewStore store = ReviewStore.open(url + "?max_page_count=60", true)) {
            List<String> acknowledged = new ArrayList<>();
            Optional<Kind> failure = Optional.empty();
            for (int i = 0; i < 1000 && failure.isEmpty(); i++) {
                try {
                    acknowledged.add(store.add(ReviewStoreContract.review("doc" + i, "text ".repeat(400)), "ana", "")
                            .id());
                } catch (DatabaseException e) {
                    failure = Optional.of(e.kind());
                }
            }
            assertThat(failure).contains(Kind.FULL);
            List<String> found = new ArrayList<>();
            store.forEach(stored -> found.add(stored.id()));
            assertThat(found).isNotEmpty().isEqualTo(acknowledged);
            assertThat(store.check().passed()).isTrue();
        }
    }

    @Test
    void aReadOnlyDatabaseIsReportedAndStillRead() {
        String id;
        try (ReviewStore store = ReviewStore.open(url, true)) {
            id = store.add(ReviewStoreContract.review("doc", "text"), "ana", "").id();
        }
        try (ReviewStore store = ReviewStore.open(url + "?open_mode=1", true)) {
            assertThat(addAndFail(store)).isEqualTo(Kind.READ_ONLY);
            assertThat(store.findFailure()).contains(Kind.READ_ONLY);
            assertThat(store.find(id)).isPresent();
        }
    }

    @Test
    void aLockedDatabaseHoldsExactlyTheAcknowledgedReviews() throws Exception {
        try (ReviewStore store = ReviewStore.open(url, true);
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            List<String> acknowledged = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                boolean locked = i % 6 == 3;
                if (locked) {
                    statement.execute("BEGIN IMMEDIATE");
                }
                try {
                    acknowledged.add(store.add(ReviewStoreContract.review("doc" + i, "text"), "ana", "")
                            .id());
                } catch (DatabaseException e) {
                    assertThat(e.kind()).isEqualTo(Kind.BUSY);
                }
                if (locked) {
                    statement.execute("ROLLBACK");
                }
            }
            assertThat(acknowledged).hasSize(10);
            List<String> found = new ArrayList<>();
            store.forEach(stored -> found.add(stored.id()));
            assertThat(found).isEqualTo(acknowledged);
        }
    }

    @Test
    void inADamagedDatabaseNothingIsLostSilently() throws IOException {
        List<String> acknowledged = new ArrayList<>();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            for (int i = 0; i < 60; i++) {
                acknowledged.add(store.add(ReviewStoreContract.review("doc" + i, "text ".repeat(400)), "ana", "")
                        .id());
            }
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            byte[] noise = new byte[4096];
            java.util.Arrays.fill(noise, (byte) 0x5a);
            bytes.seek(bytes.length() / 2 / 4096 * 4096); // one page
            bytes.write(noise);
        }
        List<String> found = new ArrayList<>();
        List<String> reported = new ArrayList<>();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            try {
                store.forEach(stored -> found.add(stored.id()));
                store.check().problems().forEach(problem -> reported.add(problem.toString()));
            } catch (DatabaseException e) {
                reported.add(e.kind().name());
            }
        }
        System.out.println("damaged page: " + acknowledged.size() + " reviews acknowledged, " + found.size()
                + " found, reported: " + reported);
        assertThat(reported).isNotEmpty();
        assertThat(acknowledged).containsAll(found);
    }

    @Test
    void aDamagedDatabaseIsReported() throws IOException {
        try (ReviewStore store = ReviewStore.open(url, true)) {
            for (int i = 0; i < 20; i++) {
                store.add(ReviewStoreContract.review("doc" + i, "text ".repeat(400)), "ana", "");
            }
        }
        try (ReviewStore store = ReviewStore.open(url, true)) {
            try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                byte[] noise = new byte[(int) bytes.length() - 4096 * 12];
                java.util.Arrays.fill(noise, (byte) 0x5a);
                bytes.seek(4096 * 12);
                bytes.write(noise);
            }
            assertThat(catchThrowableOfType(DatabaseException.class, store::check)
                            .kind())
                    .isEqualTo(Kind.CORRUPT);
        }
    }
}
