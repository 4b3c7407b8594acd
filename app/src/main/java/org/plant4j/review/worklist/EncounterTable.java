package org.plant4j.review.worklist;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.plant4j.encounter.SourceDocument;

/** The tables of encounters and their documents. A claim that has expired is read as none. */
final class EncounterTable {

    static final String NAME = "plant4j_encounter";

    /** Whether an encounter is claimed; its parameter is the present time. */
    static final String CLAIMED = "(claimed_by IS NOT NULL AND claimed_until > ?)";

    /** Always with milliseconds, so that times sort as text. */
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    private static final String SELECT = "SELECT e.*, (SELECT COUNT(*) FROM plant4j_encounter_document d"
            + " WHERE d.encounter = e.id) AS documents FROM plant4j_encounter e ";

    /** A stored document; the text is missing if it was deleted after coding. */
    record StoredDocument(String id, String title, Optional<String> text, String digest) {}

    private EncounterTable() {}

    static String time(Instant at) {
        return TIME.format(at);
    }

    /** Encounters that satisfy a condition, which may end in an order and a limit. */
    static List<WorklistEntry> select(Connection connection, Instant now, String condition, List<String> values)
            throws SQLException {
        try (PreparedStatement select = prepare(connection, SELECT + condition, values);
                ResultSet rows = select.executeQuery()) {
            List<WorklistEntry> entries = new ArrayList<>();
            while (rows.next()) {
                entries.add(entry(rows, now));
            }
            return List.copyOf(entries);
        }
    }

    static Optional<WorklistEntry> find(Connection connection, Instant now, String id) throws SQLException {
        return select(connection, now, "WHERE id = ?", List.of(id)).stream().findFirst();
    }

    /** Whether somebody has claimed an encounter last, even if the claim has expired; a released claim does not count. */
    static boolean isHeldBy(Connection connection, String id, String name) throws SQLException {
        try (PreparedStatement select = prepare(
                        connection,
                        "SELECT 1 FROM plant4j_encounter WHERE id = ? AND claimed_by = ?",
                        List.of(id, name));
                ResultSet rows = select.executeQuery()) {
            return rows.next();
        }
    }

    static int update(Connection connection, String sql, @Nullable String... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, Arrays.asList(values))) {
            return statement.executeUpdate();
        }
    }

    static PreparedStatement prepare(Connection connection, String sql, List<? extends @Nullable String> values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.size(); i++) {
            statement.setString(i + 1, values.get(i));
        }
        return statement;
    }

    /** The documents in the order of their arrival. */
    static List<StoredDocument> documents(Connection connection, String encounter) throws SQLException {
        try (PreparedStatement select = prepare(
                        connection,
                        "SELECT id, title, text, digest FROM plant4j_encounter_document WHERE encounter = ? ORDER BY number",
                        List.of(encounter));
                ResultSet rows = select.executeQuery()) {
            List<StoredDocument> documents = new ArrayList<>();
            while (rows.next()) {
                documents.add(new StoredDocument(
                        rows.getString("id"),
                        rows.getString("title"),
                        Optional.ofNullable(rows.getString("text")),
                        rows.getString("digest")));
            }
            return documents;
        }
    }

    static void insert(
            Connection connection, String encounter, SourceDocument document, String digest, String source, Instant now)
            throws SQLException {
        update(
                connection,
                "INSERT INTO plant4j_encounter_document (encounter, id, title, text, digest, source, arrived)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                encounter,
                document.id(),
                document.title(),
                document.text(),
                digest,
                source,
                time(now));
    }

    private static WorklistEntry entry(ResultSet row, Instant now) throws SQLException {
        Optional<WorklistEntry.Claim> claim =
                claim(row).filter(each -> each.until().isAfter(now));
        EncounterState stored = EncounterState.valueOf(row.getString("state").toUpperCase(Locale.ROOT));
        boolean inProgress = stored == EncounterState.OPEN && claim.isPresent();
        return new WorklistEntry(
                row.getString("id"),
                new WorklistEntry.Origin(
                        row.getString("source"),
                        Instant.parse(row.getString("arrived")),
                        Optional.ofNullable(row.getString("date")).map(LocalDate::parse)),
                inProgress ? EncounterState.IN_PROGRESS : stored,
                row.getInt("documents"),
                Optional.ofNullable(row.getString("reopened")).map(Instant::parse),
                claim,
                coding(row),
                secondReview(row));
    }

    private static Optional<WorklistEntry.Claim> claim(ResultSet row) throws SQLException {
        String by = row.getString("claimed_by");
        return by == null
                ? Optional.empty()
                : Optional.of(new WorklistEntry.Claim(by, Instant.parse(row.getString("claimed_until"))));
    }

    private static Optional<WorklistEntry.Coding> coding(ResultSet row) throws SQLException {
        String review = row.getString("review");
        return review == null
                ? Optional.empty()
                : Optional.of(new WorklistEntry.Coding(row.getString("coder"), review));
    }

    private static Optional<WorklistEntry.SecondReview> secondReview(ResultSet row) throws SQLException {
        String review = row.getString("second_review");
        return review == null
                ? Optional.empty()
                : Optional.of(new WorklistEntry.SecondReview(
                        row.getString("second_reviewer"), review, row.getInt("disagreements")));
    }
}
