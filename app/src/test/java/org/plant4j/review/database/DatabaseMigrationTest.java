package org.plant4j.review.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only a database that lacks a migration is migrated. */
class DatabaseMigrationTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgresql"})
    void knowsTheNewestScript(String system) throws IOException, URISyntaxException {
        URL scripts = Objects.requireNonNull(Database.class.getResource("/org/plant4j/review/" + system));
        try (Stream<Path> files = Files.list(Path.of(scripts.toURI()))) {
            assertThat(files.mapToInt(file -> Integer.parseInt(
                                    file.getFileName().toString().replaceAll("V(\\d+)__.*", "$1")))
                            .max())
                    .hasValue(Integer.parseInt(Database.NEWEST_MIGRATION));
        }
    }

    @Test
    void migratesADatabaseThatLacksTheNewestMigration() throws SQLException {
        String url = Database.SQLITE + directory.resolve("reviews.db");
        Database.open(url).close();
        execute(url, "DROP TABLE plant4j_user");
        Database.open(url).close(); // current: its tables are not looked at
        execute(url, "DELETE FROM plant4j_migrations WHERE version = '" + Database.NEWEST_MIGRATION + "'");
        Database.open(url).close();
        execute(url, "INSERT INTO plant4j_user VALUES ('issuer', 'subject', 'ana', '2026-01-01')");
    }

    private static void execute(String url, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement()) {
            assertThat(sql.executeUpdate(statement)).isGreaterThanOrEqualTo(0);
        }
    }
}
