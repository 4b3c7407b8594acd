package org.plant4j.review.worklist;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.SecondReview;
import org.plant4j.review.database.Database;

/**
 * Encounters that wait to be coded, in the database of the reviews. Every source adds them with {@link #add}; coders claim
 * them one by one. A claim expires after {@link #LEASE} without a renewal. Thread-safe.
 */
public final class Worklist {

    /** How long a claim lasts; claiming again renews it. */
    public static final Duration LEASE = Duration.ofMinutes(30);

    private static final String RELEASE = "UPDATE plant4j_encounter SET claimed_by = NULL, claimed_until = NULL ";

    private final Database database;
    private final Intake intake;
    private final Submissions submissions;
    private final SecondReviewRules rules;
    private final Clock clock;

    /**
     * A worklist in an open database, which is not closed with it.
     *
     * @param keepText whether the texts are kept after an encounter is coded, as in the reviews
     * @param rules which encounters are selected for a second review
     * @param maxCharacters of all documents of an encounter, which could not be coded otherwise
     */
    public Worklist(Database database, boolean keepText, SecondReviewRules rules, int maxCharacters, Clock clock) {
        this.database = database;
        this.rules = rules;
        this.clock = clock;
        this.intake = new Intake(database, maxCharacters, clock);
        this.submissions = new Submissions(database, keepText, clock);
    }

    /**
     * Adds an encounter, or new documents of a known one, which reopens it if it has been coded. Documents that are known
     * with the same text change nothing, so that a sender may repeat a request. A known document with another text is a
     * {@link WorklistConflict}, and so are more documents than can be coded together.
     *
     * @param source what the encounter came from, such as {@code api}, {@code fhir}, {@code hl7} or {@code folder}
     */
    public Arrival add(IncomingEncounter encounter, String source) {
        return intake.add(encounter, source);
    }

    /** Adds all encounters or, if one of them is a conflict, none. */
    public List<Arrival> addAll(List<IncomingEncounter> encounters, String source) {
        return database.write(connection ->
                encounters.stream().map(each -> intake.add(each, source)).toList());
    }

    public List<WorklistEntry> list(WorklistQuery query) {
        Instant now = clock.instant();
        List<String> values = new ArrayList<>();
        String where = "WHERE " + visible(query.visibleTo(), now, values);
        where += query.state()
                .map(state -> " AND " + inState(state, now, values))
                .orElse("");
        where += query.disagreements() ? " AND disagreements > 0" : "";
        if (query.after().isPresent()) {
            where += " AND number > (SELECT number FROM plant4j_encounter WHERE id = ?)";
            values.add(query.after().get());
        }
        String condition = where + " ORDER BY number LIMIT " + query.limit();
        return database.read(connection -> EncounterTable.select(connection, now, condition, values));
    }

    /** The number of encounters by state, as far as a coder may see them; see {@link WorklistQuery}. */
    public Map<EncounterState, Integer> count(Optional<String> visibleTo) {
        Instant now = clock.instant();
        return database.read(connection -> {
            Map<EncounterState, Integer> counts = new EnumMap<>(EncounterState.class);
            for (EncounterState state : EncounterState.values()) {
                List<String> values = new ArrayList<>();
                String sql = "SELECT COUNT(*) FROM plant4j_encounter WHERE " + visible(visibleTo, now, values) + " AND "
                        + inState(state, now, values);
                try (PreparedStatement select = EncounterTable.prepare(connection, sql, values);
                        ResultSet row = select.executeQuery()) {
                    row.next();
                    counts.put(state, row.getInt(1));
                }
            }
            return counts;
        });
    }

    private static String visible(Optional<String> coder, Instant now, List<String> values) {
        if (coder.isEmpty()) {
            return "1 = 1";
        }
        values.addAll(List.of(EncounterTable.time(now), coder.get(), coder.get()));
        return "(state = 'open' AND NOT " + EncounterTable.CLAIMED + " OR claimed_by = ? OR coder = ?)";
    }

    private static String inState(EncounterState state, Instant now, List<String> values) {
        boolean open = state == EncounterState.OPEN;
        values.add(open || state == EncounterState.IN_PROGRESS ? EncounterState.OPEN.key() : state.key());
        if (!open && state != EncounterState.IN_PROGRESS) {
            return "state = ?";
        }
        values.add(EncounterTable.time(now));
        return "state = ? AND " + (open ? "NOT " : "") + EncounterTable.CLAIMED;
    }

    /** The review that counts, by encounter: the second review if there is one, otherwise the coder's latest. */
    public Map<String, String> finalReviews() {
        return database.readLong(connection -> {
            Map<String, String> finalReviews = new HashMap<>();
            try (PreparedStatement select = connection.prepareStatement(
                            "SELECT id, COALESCE(second_review, review) FROM plant4j_encounter WHERE review IS NOT NULL");
                    ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    finalReviews.put(rows.getString(1), rows.getString(2));
                }
            }
            return finalReviews;
        });
    }

    /** The id of the review that counts, as in {@link #finalReviews}; empty outside the worklist. */
    public Optional<String> finalReview(String id) {
        return find(id).flatMap(entry -> entry.secondReview()
                .map(WorklistEntry.SecondReview::review)
                .or(() -> entry.coding().map(WorklistEntry.Coding::review)));
    }

    public Optional<WorklistEntry> find(String id) {
        Instant now = clock.instant();
        return database.read(connection -> EncounterTable.find(connection, now, id));
    }

    /** The documents of an encounter; their texts are empty if they were deleted after coding. */
    public List<SourceDocument> documents(String id) {
        return database.read(connection -> EncounterTable.documents(connection, id)).stream()
                .map(each ->
                        new SourceDocument(each.id(), each.title(), each.text().orElse("")))
                .toList();
    }

    /**
     * Claims an encounter, or renews a claim; empty if there is no such encounter. A reviewer who claims an encounter that
     * somebody else has coded takes it for a second review.
     */
    public Optional<WorklistEntry> claim(String id, Claimant claimant) {
        return write(connection -> {
            Optional<WorklistEntry> entry = EncounterTable.find(connection, clock.instant(), id);
            if (entry.isPresent()) {
                requireClaimable(connection, entry.get(), claimant);
                store(connection, entry.get(), claimant);
            }
            return EncounterTable.find(connection, clock.instant(), id);
        });
    }

    /**
     * Claims the next encounter, if there is one: after the given encounter in the order of arrival, then from the
     * beginning. Without {@code after}, encounters that the claimant has already claimed come first. A claim on the given
     * encounter continues, so that the next one can be prepared; to skip an encounter, release it.
     *
     * @param secondReview whether to look among the encounters that wait for a second review
     */
    public Optional<WorklistEntry> claimNext(Claimant claimant, Optional<String> after, boolean secondReview) {
        if (secondReview && !claimant.reviewer()) {
            throw new WorklistConflict("Only reviewers do second reviews", "secondReview", "ask a reviewer");
        }
        return write(connection -> {
            Instant now = clock.instant();
            List<String> values = new ArrayList<>();
            values.add(secondReview ? EncounterState.SECOND_REVIEW.key() : EncounterState.OPEN.key());
            values.addAll(List.of(EncounterTable.time(now), claimant.name(), after.orElse("")));
            String condition = "WHERE state = ? AND (NOT " + EncounterTable.CLAIMED + " OR claimed_by = ?) AND id <> ?";
            if (secondReview) {
                condition += " AND coder <> ?";
                values.add(claimant.name());
            }
            condition += after.isPresent()
                    ? " ORDER BY number > (SELECT number FROM plant4j_encounter WHERE id = ?) DESC, number LIMIT 1"
                    : " ORDER BY COALESCE(claimed_by, '') = ? DESC, number LIMIT 1";
            values.add(after.orElse(claimant.name()));
            Optional<WorklistEntry> next = EncounterTable.select(connection, now, condition, values).stream()
                    .findFirst();
            if (next.isPresent()) {
                store(connection, next.get(), claimant);
                return EncounterTable.find(connection, now, next.get().id());
            }
            return next;
        });
    }

    private static void requireClaimable(Connection connection, WorklistEntry entry, Claimant claimant)
            throws SQLException {
        requireNotClaimedByOthers(entry, claimant.name());
        if (entry.state() == EncounterState.CLOSED) {
            throw new WorklistConflict("The encounter is closed", entry.id(), "choose another encounter");
        }
        boolean coded = entry.state() == EncounterState.CODED || entry.state() == EncounterState.SECOND_REVIEW;
        boolean own = entry.coding()
                .filter(each -> each.coder().equals(claimant.name()))
                .isPresent();
        if (coded && (own || !claimant.reviewer())) {
            throw new WorklistConflict(
                    own ? "You have coded this encounter" : "The encounter is coded",
                    entry.id(),
                    own ? "a second review is done by somebody else" : "choose another encounter");
        }
        if (coded
                && EncounterTable.documents(connection, entry.id()).stream()
                        .anyMatch(each -> each.text().isEmpty())) {
            throw new WorklistConflict(
                    "The texts of this encounter were deleted after coding", entry.id(), "choose another encounter");
        }
    }

    static void requireNotClaimedByOthers(WorklistEntry entry, String name) {
        if (entry.claim().isPresent() && !entry.isClaimedBy(name)) {
            throw new WorklistConflict("Somebody else works on this encounter", entry.id(), "choose another encounter");
        }
    }

    private void store(Connection connection, WorklistEntry entry, Claimant claimant) throws SQLException {
        boolean coded = entry.state() == EncounterState.CODED;
        EncounterTable.update(
                connection,
                "UPDATE plant4j_encounter SET claimed_by = ?, claimed_until = ?"
                        + (coded ? ", state = 'second_review'" : "") + " WHERE id = ?",
                claimant.name(),
                EncounterTable.time(clock.instant().plus(LEASE)),
                entry.id());
    }

    /** Ends a claim; returns false if the claimant has none on this encounter. */
    public boolean release(String id, String claimant) {
        return write(connection ->
                EncounterTable.update(connection, RELEASE + "WHERE id = ? AND claimed_by = ?", id, claimant) == 1);
    }

    /** Ends all claims of somebody, for example at sign-out; returns how many there were. */
    public int releaseAll(String claimant) {
        return write(connection -> EncounterTable.update(connection, RELEASE + "WHERE claimed_by = ?", claimant));
    }

    /**
     * Stores a review and marks its encounter as coded or as selected for a second review, in one transaction. A review
     * of an encounter outside the worklist is only stored. A retry changes nothing and returns its receipt.
     *
     * @param overridden whether a code edit that blocks was overridden with a comment
     */
    public ReviewReceipt code(Review review, String coder, boolean overridden, Submission submission) {
        boolean selected = rules.select(review, overridden);
        return submissions.code(review.documentId(), coder, review.documents(), selected, submission);
    }

    /** Stores a second review of an encounter and closes the encounter, in one transaction; a retry as in {@code code}. */
    public ReviewReceipt close(String id, String reviewer, SecondReview second, Submission submission) {
        return submissions.close(id, reviewer, second, submission);
    }

    private <T> T write(Database.SqlFunction<T> work) {
        return database.write(connection -> {
            database.lockTable(connection, EncounterTable.NAME);
            return work.apply(connection);
        });
    }
}
