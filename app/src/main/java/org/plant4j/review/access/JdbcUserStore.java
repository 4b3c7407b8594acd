package org.plant4j.review.access;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.plant4j.review.database.Database;

/** Users in a table. Rows are never deleted, so that a name always means the same person. */
final class JdbcUserStore implements UserStore {

    private static final String TABLE = "plant4j_user";
    private static final String FIND = "SELECT name FROM plant4j_user WHERE issuer = ? AND subject = ?";

    /** The name {@code local} signs reviews of servers without access control. */
    private static final String ADD = """
            INSERT INTO plant4j_user (issuer, subject, name, created) SELECT ?, ?, ?, ?
            WHERE ? <> 'local' AND NOT EXISTS (SELECT 1 FROM token WHERE name = ?)
            AND NOT EXISTS (SELECT 1 FROM plant4j_user WHERE name = ?)
            """;

    private final Database database;

    JdbcUserStore(Database database) {
        this.database = database;
    }

    @Override
    public Optional<String> claim(String issuer, String subject, String name) {
        Optional<String> known = database.read(connection -> find(connection, issuer, subject));
        if (known.isPresent()) {
            return known;
        }
        return database.write(connection -> {
            database.lockTable(connection, TABLE);
            Optional<String> meanwhile = find(connection, issuer, subject);
            return meanwhile.isPresent() ? meanwhile : add(connection, issuer, subject, name);
        });
    }

    private static Optional<String> find(Connection connection, String issuer, String subject) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(FIND)) {
            select.setString(1, issuer);
            select.setString(2, subject);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
        }
    }

    private static Optional<String> add(Connection connection, String issuer, String subject, String name)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ADD)) {
            insert.setString(1, issuer);
            insert.setString(2, subject);
            insert.setString(3, name);
            insert.setString(4, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
            insert.setString(5, name);
            insert.setString(6, name);
            insert.setString(7, name);
            return insert.executeUpdate() == 1 ? Optional.of(name) : Optional.empty();
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
