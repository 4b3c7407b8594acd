package org.plant4j.review.access;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.review.database.Database;

/** Tokens in a table. Rows are never deleted, so that the reviewer of a review can always be identified. */
final class JdbcAccessTokenStore implements AccessTokenStore {

    private static final String SELECT = "SELECT name, role, hash, created, expires, revoked FROM token ";

    private final Database database;

    JdbcAccessTokenStore(Database database) {
        this.database = database;
    }

    @Override
    public void add(AccessToken token) {
        int added = database.write(connection -> {
            try (PreparedStatement insert = connection.prepareStatement("""
                    INSERT INTO token (name, role, hash, created, expires, revoked) SELECT ?, ?, ?, ?, ?, ?
                    WHERE NOT EXISTS (SELECT 1 FROM plant4j_user WHERE name = ?)
                    ON CONFLICT (name) DO NOTHING
                    """)) {
                insert.setString(1, token.name());
                insert.setString(2, token.role().name().toLowerCase(Locale.ROOT));
                insert.setString(3, token.hash());
                insert.setString(4, token.created().toString());
                insert.setString(5, token.expires().map(Instant::toString).orElse(null));
                insert.setString(6, token.revoked().map(Instant::toString).orElse(null));
                insert.setString(7, token.name());
                return insert.executeUpdate();
            }
        });
        if (added == 0) {
            throw new UserError(
                    "A token or user with this name exists or existed",
                    token.name(),
                    "choose another name: reviews are signed with it, so names are not reused");
        }
    }

    @Override
    public List<AccessToken> list() {
        return database.read(connection -> select(connection, "ORDER BY number"));
    }

    @Override
    public Optional<AccessToken> find(String hash) {
        return database.read(connection -> select(connection, "WHERE hash = ? AND revoked IS NULL", hash)).stream()
                .findFirst();
    }

    @Override
    public boolean rotate(String name, String hash, Instant at, Optional<Instant> expires) {
        return database.write(connection -> {
            try (PreparedStatement update = connection.prepareStatement(
                    "UPDATE token SET hash = ?, created = ?, expires = ? WHERE name = ? AND revoked IS NULL")) {
                update.setString(1, hash);
                update.setString(2, at.toString());
                update.setString(3, expires.map(Instant::toString).orElse(null));
                update.setString(4, name);
                return update.executeUpdate() == 1;
            }
        });
    }

    @Override
    public boolean revoke(String name, Instant at) {
        return database.write(connection -> {
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE token SET revoked = ? WHERE name = ? AND revoked IS NULL")) {
                update.setString(1, at.toString());
                update.setString(2, name);
                return update.executeUpdate() == 1;
            }
        });
    }

    private static List<AccessToken> select(Connection connection, String condition, String... values)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT + condition)) {
            for (int i = 0; i < values.length; i++) {
                select.setString(i + 1, values[i]);
            }
            List<AccessToken> tokens = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    tokens.add(new AccessToken(
                            rows.getString("name"),
                            Role.valueOf(rows.getString("role").toUpperCase(Locale.ROOT)),
                            rows.getString("hash"),
                            Instant.parse(rows.getString("created")),
                            Optional.ofNullable(rows.getString("expires")).map(Instant::parse),
                            Optional.ofNullable(rows.getString("revoked")).map(Instant::parse)));
                }
            }
            return List.copyOf(tokens);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
