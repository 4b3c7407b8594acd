package org.plant4j.review.worklist;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.SecondReview;
import org.plant4j.review.database.Database;

/** A worklist in a database, and short ways to use it in tests. */
abstract class WorklistFixture {

    static final SourceDocument ADMISSION = new SourceDocument("a", "Admission", "Known asthma.");
    static final SourceDocument DISCHARGE = new SourceDocument("b", "Discharge", "Gout, ñ 😀.");
    static final int MAX_CHARACTERS = 2000;
    static final Claimant ANA = new Claimant("ana", false);
    static final Claimant BEN = new Claimant("ben", false);
    static final Claimant RITA = new Claimant("rita", true);

    final TestClock clock = new TestClock();
    private Database database;
    ReviewStore reviews;
    Worklist worklist;

    /** The URL of an empty database. */
    abstract String fresh();

    /** A clock that tests advance. */
    static final class TestClock extends Clock {
        Instant now = Instant.parse("2026-03-01T10:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @BeforeEach
    void open() {
        database = Database.open(fresh());
        reviews = ReviewStore.of(database, true);
        worklist = worklist(0, true);
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    /** {@code percent}: the share of encounters that is selected for a second review. */
    Worklist worklist(double percent, boolean keepText) {
        return new Worklist(
                database, keepText, new SecondReviewRules(percent, false, false, Set.of()), MAX_CHARACTERS, clock);
    }

    static IncomingEncounter encounter(String id, SourceDocument... documents) {
        return new IncomingEncounter(id, Optional.empty(), List.of(documents));
    }

    void addAdmissions(String... ids) {
        Stream.of(ids).forEach(id -> worklist.add(encounter(id, ADMISSION), "api"));
    }

    static Review review(String id, SourceDocument... documents) {
        return new Review(
                Optional.of(id),
                Optional.empty(),
                List.of(documents),
                "v",
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty());
    }

    ReviewReceipt store(String id, String coder) {
        return reviews.add(review(id, ADMISSION), coder, "");
    }

    /** Claims an open encounter and codes it. */
    ReviewReceipt code(String id, String coder, boolean secondReview, SourceDocument... documents) {
        Review review = review(id, documents);
        worklist.find(id)
                .filter(each -> each.state() == EncounterState.OPEN)
                .ifPresent(each -> worklist.claim(id, new Claimant(coder, false)));
        return worklist(secondReview ? 100 : 0, true).code(review, coder, false, () -> reviews.add(review, coder, ""));
    }

    ReviewReceipt close(String id, String reviewer, String first, int disagreements) {
        SecondReview.Disagreement each = new SecondReview.Disagreement(Optional.of("I10"), Optional.empty(), "why");
        SecondReview second = new SecondReview(first, "hash", Collections.nCopies(disagreements, each));
        return worklist.close(id, reviewer, second, () -> reviews.add(secondReview(id, second), reviewer, ""));
    }

    private static Review secondReview(String id, SecondReview second) {
        return new Review(
                Optional.of(id),
                Optional.empty(),
                List.of(ADMISSION),
                "v",
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(second));
    }

    EncounterState state(String id) {
        return worklist.find(id).orElseThrow().state();
    }

    List<String> visibleTo(String coder) {
        return worklist
                .list(new WorklistQuery(9, Optional.empty(), Optional.empty(), Optional.of(coder), false))
                .stream()
                .map(WorklistEntry::id)
                .toList();
    }
}
