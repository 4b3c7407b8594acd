package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.plant4j.UserError;
import org.plant4j.review.database.Database;

class SqliteReviewStoreTest extends ReviewStoreContract {

    private int number;

    @Override
    String fresh() {
        return Database.SQLITE + directory.resolve("new").resolve("reviews" + number++ + ".db");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void onlyTheOwnerMayReadTheFile() throws IOException {
        Path file = directory.resolve("reviews.db");
        try (ReviewStore store = ReviewStore.open(Database.SQLITE + file, true)) {
            store.add(review("doc", "text"), "ana", "");
            for (String each : new String[] {"reviews.db", "reviews.db-wal"}) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(each))))
                        .isEqualTo("rw-------");
            }
        }
    }

    @Test
    void aFileOfAnotherTypeIsReportedAndNotChanged() throws IOException {
        Path file =
                Files.writeString(directory.resolve("notes.txt"), "Not a database, but something dear to somebody.");
        UserError error = catchThrowableOfType(
                UserError.class,
                () -> ReviewStore.open(Database.SQLITE + file, true).close());
        assertThat(error.where()).contains("notes.txt");
        assertThat(file).hasContent("Not a database, but something dear to somebody.");
    }

    @Test
    void aMissingDatabaseIsReportedAndNotCreated() {
        Path file = directory.resolve("missing.db");
        UserError error = catchThrowableOfType(
                UserError.class, () -> Database.requireExisting(Database.SQLITE + file + "?cache=shared"));
        assertThat(error.where()).isEqualTo(file.toString());
        assertThat(file).doesNotExist();
    }

    @Test
    void rejectsAnInMemoryDatabase() {
        UserError error = catchThrowableOfType(
                UserError.class,
                () -> ReviewStore.open("jdbc:sqlite::memory:", true).close());
        assertThat(error.remedy()).contains("FILE");
    }

    @Test
    void rejectsOtherDatabasesWithoutEchoingThePassword() {
        UserError error = catchThrowableOfType(
                UserError.class,
                () -> ReviewStore.open("jdbc:mysql://host/db?password=secret", true)
                        .close());
        assertThat(error.where()).isEqualTo("jdbc:mysql://host/db");
        assertThat(error.remedy()).contains("jdbc:sqlite:", "jdbc:postgresql:");
    }

    @Test
    void reportsAnUnreachableServer() {
        UserError error = catchThrowableOfType(
                UserError.class,
                () -> ReviewStore.open("jdbc:postgresql://127.0.0.1:1/db?password=secret", true)
                        .close());
        assertThat(error.what()).contains("cannot be opened");
        assertThat(error.where()).doesNotContain("secret");
    }
}
