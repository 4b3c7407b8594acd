package org.plant4j.review;

import static org.junit.jupiter.api.Assumptions.abort;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** An embedded PostgreSQL server. Tests are skipped if it cannot start. */
public record Postgres(EmbeddedPostgres server) implements AutoCloseable {

    public static Postgres start() {
        try {
            return new Postgres(EmbeddedPostgres.builder().start());
        } catch (IOException | RuntimeException e) {
            return abort("PostgreSQL cannot be started here (" + e.getMessage() + "), so it is not tested");
        }
    }

    /** The URL of a new, empty database. */
    public String fresh(String name) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return server.getJdbcUrl("postgres", name);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
