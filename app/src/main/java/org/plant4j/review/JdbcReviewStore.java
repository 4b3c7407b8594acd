package org.plant4j.review;

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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.plant4j.review.database.Database;
import org.plant4j.review.database.DatabaseException;
import org.plant4j.support.Sha256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reviews in an append-only table; the body column holds the whole review as JSON. */
final class JdbcReviewStore implements ReviewStore {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcReviewStore.class);
    private static final String SELECT = "SELECT " + ReviewRow.COLUMNS + " FROM review ";
    private static final int FETCH_SIZE = 100;

    /** Of an encounter on the worklist, only its latest first review and the second review of that one are current. */
    private static final String CURRENT =
            "NOT EXISTS (SELECT 1 FROM review AS later WHERE later.supersedes = review.id)"
                    + " AND NOT EXISTS (SELECT 1 FROM plant4j_encounter AS coded WHERE coded.id = review.document"
                    + " AND coded.review <> review.id AND COALESCE(coded.second_review, '') <> review.id)";

    /** Who did the first review of a document: the coder of its encounter, or outside the worklist the earliest. */
    private static final String FIRST_REVIEWER =
            "COALESCE((SELECT coded.coder FROM plant4j_encounter AS coded WHERE coded.id = review.document),"
                    + " (SELECT first.reviewer FROM review AS first WHERE first.document = review.document"
                    + " ORDER BY first.number LIMIT 1))";

    private final Database database;
    private final boolean keepText;

    JdbcReviewStore(Database database, boolean keepText) {
        this.database = database;
        this.keepText = keepText;
    }

    @Override
    public ReviewReceipt add(Review review, Review request, String reviewer, String key) {
        String body = body(review);
        String digest = digest(request);
        return database.write(connection -> {
            database.lockTable(connection, "review");
            Optional<ReviewReceipt> earlier = earlierReceipt(connection, request, reviewer, key);
            if (earlier.isPresent()) {
                return earlier.get();
            }
            Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            Optional<String> supersedes = latestReview(connection, reviewer, review.documentId());
            ReviewRow row = new ReviewRow(
                    UUID.randomUUID().toString(),
                    now.toString(),
                    reviewer,
                    review.version(),
                    review.documentId(),
                    key.isEmpty() ? null : key,
                    digest,
                    supersedes.orElse(null),
                    body);
            String hash = row.hash(ReviewChain.head(connection));
            insert(connection, row, hash);
            return new ReviewReceipt(row.id(), now, supersedes, hash);
        });
    }

    private String body(Review review) {
        return ReviewBody.write(keepText ? review : review.withoutText());
    }

    private static String digest(Review request) {
        return Sha256.of(ReviewBody.write(request));
    }

    @Override
    public Optional<ReviewReceipt> findReceipt(Review request, String reviewer, String key) {
        return database.read(connection -> earlierReceipt(connection, request, reviewer, key));
    }

    private static void insert(Connection connection, ReviewRow row, String hash) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO review (" + ReviewRow.COLUMNS + ", hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            List<@Nullable String> values = row.values();
            for (int i = 0; i < values.size(); i++) {
                insert.setString(i + 1, values.get(i));
            }
            insert.setString(values.size() + 1, hash);
            insert.executeUpdate();
        }
    }

    /** The receipt of the review that was stored with this key; rows of earlier versions have no digest. */
    private Optional<ReviewReceipt> earlierReceipt(Connection connection, Review request, String reviewer, String key)
            throws SQLException {
        if (key.isEmpty()) {
            return Optional.empty();
        }
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT id, at, supersedes, digest, body, hash FROM review WHERE reviewer = ? AND idempotency_key = ?")) {
            select.setString(1, reviewer);
            select.setString(2, key);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                String stored = row.getString("digest");
                if (stored == null ? !row.getString("body").equals(body(request)) : !stored.equals(digest(request))) {
                    throw new KeyReusedException();
                }
                return Optional.of(new ReviewReceipt(
                        row.getString("id"),
                        Instant.parse(row.getString("at")),
                        Optional.ofNullable(row.getString("supersedes")),
                        Optional.ofNullable(row.getString("hash")).orElse("")));
            }
        }
    }

    private static Optional<String> latestReview(Connection connection, String reviewer, String document)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT id FROM review WHERE document = ? AND reviewer = ? ORDER BY number DESC LIMIT 1")) {
            select.setString(1, document);
            select.setString(2, reviewer);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        }
    }

    @Override
    public List<StoredReview> list(ReviewQuery query) {
        List<String> conditions = new ArrayList<>();
        List<String> values = new ArrayList<>();
        query.before().ifPresent(id -> {
            conditions.add("number < (SELECT number FROM review WHERE id = ?)");
            values.add(id);
        });
        query.reviewer().ifPresent(name -> {
            conditions.add("reviewer = ?");
            values.add(name);
        });
        query.document().ifPresent(id -> {
            conditions.add("document = ?");
            values.add(id);
        });
        String where = conditions.isEmpty() ? "" : "WHERE " + String.join(" AND ", conditions);
        return database.readLong(connection -> {
            try (PreparedStatement select = connection.prepareStatement(SELECT + where + " ORDER BY number DESC")) {
                for (int i = 0; i < values.size(); i++) {
                    select.setString(i + 1, values.get(i));
                }
                // No LIMIT: a page is full even if it contains reviews that cannot be read.
                select.setFetchSize(query.limit());
                List<StoredReview> reviews = new ArrayList<>();
                try (ResultSet rows = select.executeQuery()) {
                    while (reviews.size() < query.limit() && rows.next()) {
                        parse(ReviewRow.read(rows)).ifPresent(reviews::add);
                    }
                }
                return List.copyOf(reviews);
            }
        });
    }

    @Override
    public Optional<StoredReview> find(String id) {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(SELECT + "WHERE id = ?")) {
                select.setString(1, id);
                try (ResultSet row = select.executeQuery()) {
                    return row.next() ? parse(ReviewRow.read(row)) : Optional.empty();
                }
            }
        });
    }

    @Override
    public Optional<StoredReview> findByFirstReviewer(String document) {
        String sql = SELECT + "WHERE document = ? AND reviewer = (SELECT first.reviewer FROM review AS first"
                + " WHERE first.document = ? ORDER BY first.number LIMIT 1) ORDER BY number DESC";
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(sql)) {
                select.setString(1, document);
                select.setString(2, document);
                select.setFetchSize(1);
                try (ResultSet rows = select.executeQuery()) {
                    Optional<StoredReview> found = Optional.empty();
                    while (found.isEmpty() && rows.next()) {
                        found = parse(ReviewRow.read(rows));
                    }
                    return found;
                }
            }
        });
    }

    @Override
    public Optional<String> findHash(String id) {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement("SELECT hash FROM review WHERE id = ?")) {
                select.setString(1, id);
                try (ResultSet row = select.executeQuery()) {
                    return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
                }
            }
        });
    }

    @Override
    public void forEach(Consumer<StoredReview> to) {
        database.readLong(connection -> {
            try (PreparedStatement select = connection.prepareStatement(SELECT + "ORDER BY number")) {
                select.setFetchSize(FETCH_SIZE);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        parse(ReviewRow.read(rows)).ifPresent(to);
                    }
                }
            }
            return true;
        });
    }

    @Override
    public void forEachCurrent(ReviewPeriod period, CurrentReviews to) {
        List<String> conditions = new ArrayList<>(List.of(CURRENT));
        List<String> values = new ArrayList<>();
        BiConsumer<String, Optional<String>> add = (condition, value) -> value.ifPresent(given -> {
            conditions.add(condition);
            values.add(given);
        });
        add.accept("at >= ?", period.start());
        add.accept("at < ?", period.end());
        add.accept("reviewer = ?", period.reviewer());
        String sql = "SELECT " + ReviewRow.COLUMNS
                + ", " + FIRST_REVIEWER + " AS first_reviewer FROM review WHERE "
                + String.join(" AND ", conditions) + " ORDER BY number";
        database.readLong(connection -> {
            try (PreparedStatement select = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.size(); i++) {
                    select.setString(i + 1, values.get(i));
                }
                select.setFetchSize(FETCH_SIZE);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        String first =
                                rows.getString("first_reviewer"); // null for rows of version 0.1 without a document
                        parse(ReviewRow.read(rows)).ifPresent(review -> to.accept(review, review.isSecond(first)));
                    }
                }
            }
            return true;
        });
    }

    private static Optional<StoredReview> parse(ReviewRow row) {
        Optional<StoredReview> review = row.parse();
        if (review.isEmpty()) {
            LOG.warn("Review {} cannot be read; run `plant reviews check`", row.id());
        }
        return review;
    }

    @Override
    public ReviewCheck check() {
        return database.readLong(ReviewChain::check);
    }

    @Override
    public boolean containsHash(String hash) {
        return database.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement("SELECT 1 FROM review WHERE hash = ?")) {
                select.setString(1, hash);
                try (ResultSet row = select.executeQuery()) {
                    return row.next();
                }
            }
        });
    }

    @Override
    public Optional<DatabaseException.Kind> findFailure() {
        try {
            database.write(connection -> {
                try (PreparedStatement upsert = connection.prepareStatement("INSERT INTO plant4j_health (id, at)"
                        + " VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at")) {
                    upsert.setString(1, Instant.now().toString());
                    return upsert.executeUpdate();
                }
            });
            return Optional.empty();
        } catch (DatabaseException e) {
            return Optional.of(e.kind());
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
