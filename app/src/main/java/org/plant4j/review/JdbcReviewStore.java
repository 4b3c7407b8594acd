package org.plant4j.review;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.plant4j.encounter.SourceDocument;

/** Reviews in an append-only table; the body column holds the whole review as JSON. */
final class JdbcReviewStore implements ReviewStore {

    /** Escapes to ASCII, so that every database stores any text unchanged, including unpaired surrogates and NUL. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .addModule(new Jdk8Module())
            .build();

    private static final int FETCH_SIZE = 100;

    private final Database database;
    private final boolean keepText;

    JdbcReviewStore(Database database, boolean keepText) {
        this.database = database;
        this.keepText = keepText;
    }

    @Override
    public ReviewReceipt add(Review review, String reviewer, String key) {
        ReviewReceipt receipt =
                new ReviewReceipt(UUID.randomUUID().toString(), Instant.now().truncatedTo(ChronoUnit.MILLIS));
        String body = toJson(keepText ? review : withoutText(review));
        return database.inTransaction(connection -> {
            try (PreparedStatement insert = connection.prepareStatement("""
                    INSERT INTO review (id, at, reviewer, version, document, idempotency_key, body)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (reviewer, idempotency_key) DO NOTHING
                    """)) {
                insert.setString(1, receipt.id());
                insert.setString(2, receipt.at().toString());
                insert.setString(3, reviewer);
                insert.setString(4, review.version());
                insert.setString(5, review.encounter().orElse(null));
                insert.setString(6, key.isEmpty() ? null : key);
                insert.setString(7, body);
                return insert.executeUpdate() == 1 ? receipt : existingReceipt(connection, reviewer, key);
            }
        });
    }

    private static ReviewReceipt existingReceipt(Connection connection, String reviewer, String key)
            throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT id, at FROM review WHERE reviewer = ? AND idempotency_key = ?")) {
            select.setString(1, reviewer);
            select.setString(2, key);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return new ReviewReceipt(row.getString(1), Instant.parse(row.getString(2)));
            }
        }
    }

    private static Review withoutText(Review review) {
        return new Review(
                review.encounter(),
                review.documents().stream()
                        .map(document -> new SourceDocument(document.id(), document.title(), ""))
                        .toList(),
                review.version(),
                review.outOfDomain(),
                review.shown(),
                review.decisions(),
                review.comment());
    }

    @Override
    public List<StoredReview> list(int limit, Optional<String> before) {
        String older = before.isPresent() ? "WHERE number < (SELECT number FROM review WHERE id = ?)" : "";
        return database.inTransaction(connection -> {
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT id, at, reviewer, body FROM review " + older + " ORDER BY number DESC LIMIT ?")) {
                if (before.isPresent()) {
                    select.setString(1, before.get());
                }
                select.setInt(before.isPresent() ? 2 : 1, limit);
                List<StoredReview> reviews = new ArrayList<>();
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        reviews.add(read(rows));
                    }
                }
                return List.copyOf(reviews);
            }
        });
    }

    @Override
    public Optional<StoredReview> find(String id) {
        return database.inTransaction(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT id, at, reviewer, body FROM review WHERE id = ?")) {
                select.setString(1, id);
                try (ResultSet row = select.executeQuery()) {
                    return row.next() ? Optional.of(read(row)) : Optional.empty();
                }
            }
        });
    }

    @Override
    public void forEach(Consumer<StoredReview> to) {
        database.onOwnConnection(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT id, at, reviewer, body FROM review ORDER BY number")) {
                select.setFetchSize(FETCH_SIZE);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        to.accept(read(rows));
                    }
                }
            }
            return true;
        });
    }

    private static StoredReview read(ResultSet row) throws SQLException {
        String id = row.getString("id");
        try {
            return new StoredReview(
                    id,
                    Instant.parse(row.getString("at")),
                    row.getString("reviewer"),
                    JSON.readValue(row.getString("body"), Review.class));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "review " + id + " is not valid JSON"); // no cause: its message may quote a document
        }
    }

    private static String toJson(Review review) {
        try {
            return JSON.writeValueAsString(review);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "a review cannot be written as JSON"); // no cause: its message may quote a document
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
