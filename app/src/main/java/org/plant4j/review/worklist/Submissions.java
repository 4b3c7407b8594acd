package org.plant4j.review.worklist;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.SecondReview;
import org.plant4j.review.database.Database;
import org.plant4j.support.Sha256;

/** Stores reviews of encounters together with their new state. */
final class Submissions {

    private final Database database;
    private final boolean keepText;
    private final Clock clock;

    Submissions(Database database, boolean keepText, Clock clock) {
        this.database = database;
        this.keepText = keepText;
        this.clock = clock;
    }

    ReviewReceipt code(
            String id, String coder, List<SourceDocument> documents, boolean selected, Submission submission) {
        return storeOnce(submission, connection -> {
            Optional<WorklistEntry> entry = EncounterTable.find(connection, clock.instant(), id);
            if (entry.isEmpty()) {
                return submission.store();
            }
            requireCodable(connection, entry.get(), coder);
            requireSameDocuments(connection, id, documents);
            ReviewReceipt receipt = submission.store();
            // A correction does not undo the selection for a second review.
            boolean secondReview = selected || entry.get().state() == EncounterState.SECOND_REVIEW;
            EncounterTable.update(
                    connection,
                    "UPDATE plant4j_encounter SET state = ?, coder = ?, review = ?, reopened = NULL, second_reviewer = NULL,"
                            + " second_review = NULL, disagreements = NULL, claimed_by = NULL, claimed_until = NULL"
                            + " WHERE id = ?",
                    (secondReview ? EncounterState.SECOND_REVIEW : EncounterState.CODED).key(),
                    coder,
                    receipt.id(),
                    id);
            if (secondReview) {
                restoreTexts(connection, id, documents);
            } else {
                deleteTexts(connection, id);
            }
            return receipt;
        });
    }

    ReviewReceipt close(String id, String reviewer, SecondReview second, Submission submission) {
        return storeOnce(submission, connection -> {
            WorklistEntry entry = EncounterTable.find(connection, clock.instant(), id)
                    .filter(each -> each.state() == EncounterState.SECOND_REVIEW && each.isClaimedBy(reviewer))
                    .orElseThrow(() -> new WorklistConflict(
                            "You do not hold this encounter for a second review", id, "claim it first"));
            if (entry.coding()
                    .filter(each -> each.review().equals(second.review()))
                    .isEmpty()) {
                throw new WorklistConflict(
                        "The coder has corrected the review meanwhile", id, "open the encounter again");
            }
            ReviewReceipt receipt = submission.store();
            EncounterTable.update(
                    connection,
                    "UPDATE plant4j_encounter SET state = 'closed', second_reviewer = ?, second_review = ?,"
                            + " disagreements = " + second.disagreements().size()
                            + ", claimed_by = NULL, claimed_until = NULL"
                            + " WHERE id = ?",
                    reviewer,
                    receipt.id(),
                    id);
            deleteTexts(connection, id);
            return receipt;
        });
    }

    /** Looks up the receipt while other writers are locked out, so that two retries at the same time store once. */
    private ReviewReceipt storeOnce(Submission submission, Database.SqlFunction<ReviewReceipt> work) {
        return database.write(connection -> {
            database.lockTable(connection, EncounterTable.NAME);
            Optional<ReviewReceipt> earlier = submission.findReceipt();
            return earlier.isPresent() ? earlier.get() : work.apply(connection);
        });
    }

    /**
     * An open encounter may be coded by whoever has claimed it, also after the claim has expired if nobody else has
     * claimed it since; a coded one may be corrected by its coder.
     */
    private static void requireCodable(Connection connection, WorklistEntry entry, String coder) throws SQLException {
        Worklist.requireNotClaimedByOthers(entry, coder);
        boolean coded = entry.state() == EncounterState.CODED || entry.state() == EncounterState.SECOND_REVIEW;
        boolean own = entry.coding().filter(each -> each.coder().equals(coder)).isPresent();
        if (entry.state() == EncounterState.CLOSED || (coded && !own)) {
            throw new WorklistConflict(
                    coded ? "Somebody else has coded this encounter" : "The encounter is closed",
                    entry.id(),
                    "choose another encounter");
        }
        if (!coded && !EncounterTable.isHeldBy(connection, entry.id(), coder)) {
            throw new WorklistConflict("You have not claimed this encounter", entry.id(), "open the encounter again");
        }
    }

    private static void requireSameDocuments(Connection connection, String id, List<SourceDocument> documents)
            throws SQLException {
        Map<String, String> stored = new HashMap<>();
        EncounterTable.documents(connection, id).forEach(each -> stored.put(each.id(), each.digest()));
        Map<String, String> reviewed = new HashMap<>();
        documents.forEach(each -> reviewed.put(each.id(), Sha256.of(each.text())));
        if (!stored.equals(reviewed)) {
            throw new WorklistConflict(
                    "The encounter has other documents: one may have arrived meanwhile",
                    "encounter.documents",
                    "open the encounter again");
        }
    }

    /** A reviewer needs the texts, which may have been deleted when the encounter was coded before. */
    private static void restoreTexts(Connection connection, String id, List<SourceDocument> documents)
            throws SQLException {
        for (SourceDocument document : documents) {
            EncounterTable.update(
                    connection,
                    "UPDATE plant4j_encounter_document SET text = ? WHERE encounter = ? AND id = ? AND text IS NULL",
                    document.text(),
                    id,
                    document.id());
        }
    }

    private void deleteTexts(Connection connection, String id) throws SQLException {
        if (!keepText) {
            EncounterTable.update(
                    connection, "UPDATE plant4j_encounter_document SET text = NULL WHERE encounter = ?", id);
        }
    }
}
