package org.plant4j.review.worklist;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.database.Database;
import org.plant4j.review.worklist.EncounterTable.StoredDocument;
import org.plant4j.support.Sha256;

/** Adds encounters and documents. Nothing that is stored is replaced. */
final class Intake {

    /** As in a request to code an encounter. */
    private static final int MAX_DOCUMENTS = 200;

    private final Database database;
    private final int maxCharacters;
    private final Clock clock;

    Intake(Database database, int maxCharacters, Clock clock) {
        this.database = database;
        this.maxCharacters = maxCharacters;
        this.clock = clock;
    }

    Arrival add(IncomingEncounter incoming, String source) {
        return database.write(connection -> {
            database.lockTable(connection, EncounterTable.NAME);
            Instant now = clock.instant();
            Optional<WorklistEntry> known = EncounterTable.find(connection, now, incoming.id());
            if (known.isPresent()) {
                return addTo(connection, known.get(), incoming, source, now);
            }
            EncounterTable.update(
                    connection,
                    "INSERT INTO plant4j_encounter (id, date, source, arrived, state) VALUES (?, ?, ?, ?, 'open')",
                    incoming.id(),
                    incoming.date().map(LocalDate::toString).orElse(null),
                    source,
                    EncounterTable.time(now));
            for (SourceDocument document : incoming.documents()) {
                EncounterTable.insert(connection, incoming.id(), document, Sha256.of(document.text()), source, now);
            }
            requireCodable(connection, incoming.id());
            List<String> ids =
                    incoming.documents().stream().map(SourceDocument::id).toList();
            return new Arrival(incoming.id(), Arrival.Outcome.CREATED, ids, false);
        });
    }

    private Arrival addTo(
            Connection connection, WorklistEntry known, IncomingEncounter incoming, String source, Instant now)
            throws SQLException {
        Map<String, StoredDocument> stored = new LinkedHashMap<>();
        EncounterTable.documents(connection, known.id()).forEach(each -> stored.put(each.id(), each));
        List<SourceDocument> added = new ArrayList<>();
        for (SourceDocument document : incoming.documents()) {
            StoredDocument before = stored.get(document.id());
            if (before == null) {
                added.add(document);
            } else if (!before.digest().equals(Sha256.of(document.text()))) {
                throw new WorklistConflict(
                        "The encounter has a document with this id and another text",
                        "document " + document.id(),
                        "send the new text as another document, with its own id");
            }
        }
        addDate(connection, known, incoming.date());
        if (added.isEmpty()) {
            return new Arrival(known.id(), Arrival.Outcome.UNCHANGED, List.of(), false);
        }
        restoreTexts(connection, known.id(), stored, incoming.documents());
        for (SourceDocument document : added) {
            EncounterTable.insert(connection, known.id(), document, Sha256.of(document.text()), source, now);
        }
        requireCodable(connection, known.id());
        boolean reopened = known.state() != EncounterState.OPEN && known.state() != EncounterState.IN_PROGRESS;
        if (reopened) {
            EncounterTable.update(
                    connection,
                    "UPDATE plant4j_encounter SET state = 'open', reopened = ?, claimed_by = NULL, claimed_until = NULL"
                            + " WHERE id = ?",
                    EncounterTable.time(now),
                    known.id());
        }
        List<String> ids = added.stream().map(SourceDocument::id).toList();
        return new Arrival(known.id(), Arrival.Outcome.ADDED, ids, reopened);
    }

    /** Documents may arrive one by one, but are coded together: fails if a coder could not send them. */
    private void requireCodable(Connection connection, String encounter) throws SQLException {
        List<SourceDocument> documents = EncounterTable.documents(connection, encounter).stream()
                .map(each -> new SourceDocument(each.id(), "", each.text().orElse("")))
                .toList();
        if (documents.size() > MAX_DOCUMENTS) {
            throw tooLarge(encounter, MAX_DOCUMENTS + " documents");
        }
        if (new Encounter(documents).text().length() > maxCharacters) {
            throw tooLarge(encounter, maxCharacters + " characters");
        }
    }

    private static WorklistConflict tooLarge(String encounter, String limit) {
        return new WorklistConflict(
                "With these documents the encounter would have more than " + limit,
                "encounter " + encounter,
                "send them as another encounter, or start the server with a larger --max-length");
    }

    private static void addDate(Connection connection, WorklistEntry known, Optional<LocalDate> date)
            throws SQLException {
        Optional<LocalDate> before = known.origin().date();
        if (date.isEmpty() || date.equals(before)) {
            return;
        }
        if (before.isPresent()) {
            throw new WorklistConflict(
                    "The encounter has another date, " + before.get(),
                    "encounter " + known.id(),
                    "send the same date, or none");
        }
        EncounterTable.update(
                connection,
                "UPDATE plant4j_encounter SET date = ? WHERE id = ?",
                date.get().toString(),
                known.id());
    }

    /** Texts that were deleted after coding must arrive again together with a new document. */
    private static void restoreTexts(
            Connection connection, String encounter, Map<String, StoredDocument> stored, List<SourceDocument> arrived)
            throws SQLException {
        Map<String, String> texts = new LinkedHashMap<>();
        arrived.forEach(each -> texts.put(each.id(), each.text()));
        for (StoredDocument document : stored.values()) {
            if (document.text().isPresent()) {
                continue;
            }
            if (!texts.containsKey(document.id())) {
                throw new WorklistConflict(
                        "The texts of this encounter were deleted after coding",
                        "encounter " + encounter,
                        "send all documents of the encounter again, together with the new one");
            }
            EncounterTable.update(
                    connection,
                    "UPDATE plant4j_encounter_document SET text = ? WHERE encounter = ? AND id = ?",
                    texts.get(document.id()),
                    encounter,
                    document.id());
        }
    }
}
