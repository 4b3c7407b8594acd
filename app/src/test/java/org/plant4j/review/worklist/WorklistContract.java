package org.plant4j.review.worklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewQuery;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.SecondReview;
import org.plant4j.review.database.Database;

/** Contract of the worklist in every database. */
abstract class WorklistContract {

    private static final SourceDocument ADMISSION = new SourceDocument("a", "Admission", "Known asthma.");
    private static final SourceDocument DISCHARGE = new SourceDocument("b", "Discharge", "Gout, ñ 😀.");
    private static final Claimant ANA = new Claimant("ana", false);
    private static final Claimant BEN = new Claimant("ben", false);
    private static final Claimant RITA = new Claimant("rita", true);

    private final TestClock clock = new TestClock();
    private Database database;
    private ReviewStore reviews;
    private Worklist worklist;

    /** The URL of an empty database. */
    abstract String fresh();

    /** A clock that tests advance. */
    private static final class TestClock extends Clock {
        private Instant now = Instant.parse("2026-03-01T10:00:00Z");

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
    private Worklist worklist(double percent, boolean keepText) {
        return new Worklist(database, keepText, new SecondReviewRules(percent, false, false, Set.of()), clock);
    }

    private static IncomingEncounter encounter(String id, SourceDocument... documents) {
        return new IncomingEncounter(id, Optional.empty(), List.of(documents));
    }

    private void addAdmissions(String... ids) {
        Stream.of(ids).forEach(id -> worklist.add(encounter(id, ADMISSION), "api"));
    }

    private static Review review(String id, SourceDocument... documents) {
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

    private ReviewReceipt store(String id, String coder) {
        return reviews.add(review(id, ADMISSION), coder, "");
    }

    private ReviewReceipt code(String id, String coder, boolean secondReview, SourceDocument... documents) {
        Review review = review(id, documents);
        return worklist(secondReview ? 100 : 0, true).code(review, coder, false, () -> reviews.add(review, coder, ""));
    }

    private ReviewReceipt close(String id, String reviewer, String first, int disagreements) {
        SecondReview.Disagreement each = new SecondReview.Disagreement(Optional.of("I10"), Optional.empty(), "why");
        SecondReview second = new SecondReview(first, "hash", Collections.nCopies(disagreements, each));
        return worklist.close(id, reviewer, second, () -> store(id, reviewer));
    }

    private EncounterState state(String id) {
        return worklist.find(id).orElseThrow().state();
    }

    private List<String> visibleTo(String coder) {
        return worklist
                .list(new WorklistQuery(9, Optional.empty(), Optional.empty(), Optional.of(coder), false))
                .stream()
                .map(WorklistEntry::id)
                .toList();
    }

    @Test
    void anEncounterIsStoredWithItsDocuments() {
        IncomingEncounter incoming = new IncomingEncounter(
                "Encounter/17", Optional.of(LocalDate.of(2026, 2, 28)), List.of(ADMISSION, DISCHARGE));
        Arrival arrival = worklist.add(incoming, "hl7");
        assertThat(arrival).isEqualTo(new Arrival("Encounter/17", Arrival.Outcome.CREATED, List.of("a", "b"), false));
        assertThat(worklist.documents("Encounter/17")).containsExactly(ADMISSION, DISCHARGE);
        WorklistEntry entry = worklist.find("Encounter/17").orElseThrow();
        assertThat(entry.state()).isEqualTo(EncounterState.OPEN);
        assertThat(entry.documents()).isEqualTo(2);
        assertThat(entry.origin())
                .isEqualTo(new WorklistEntry.Origin("hl7", clock.instant(), Optional.of(LocalDate.of(2026, 2, 28))));
    }

    @Test
    void sendingTheSameAgainChangesNothing() {
        worklist.add(encounter("1", ADMISSION, DISCHARGE), "api");
        assertThat(worklist.add(encounter("1", DISCHARGE), "fhir").outcome()).isEqualTo(Arrival.Outcome.UNCHANGED);
        code("1", "ana", false, ADMISSION, DISCHARGE);
        assertThat(worklist.add(encounter("1", ADMISSION, DISCHARGE), "api").outcome())
                .isEqualTo(Arrival.Outcome.UNCHANGED);
        assertThat(state("1")).isEqualTo(EncounterState.CODED);
    }

    @Test
    void aNewDocumentReopensACodedEncounterVisibly() {
        addAdmissions("1");
        ReviewReceipt first = code("1", "ana", false, ADMISSION);
        clock.now = clock.now.plusSeconds(60);
        assertThat(worklist.add(encounter("1", DISCHARGE), "api"))
                .isEqualTo(new Arrival("1", Arrival.Outcome.ADDED, List.of("b"), true));
        WorklistEntry reopened = worklist.find("1").orElseThrow();
        assertThat(reopened.state()).isEqualTo(EncounterState.OPEN);
        assertThat(reopened.reopened()).contains(clock.instant());
        assertThat(reopened.coding()).contains(new WorklistEntry.Coding("ana", first.id()));
        code("1", "ben", false, ADMISSION, DISCHARGE);
        assertThat(worklist.find("1").orElseThrow().reopened()).isEmpty();
        assertThat(reviews.list(ReviewQuery.latest(9))).hasSize(2);
    }

    @Test
    void aKnownDocumentWithAnotherTextIsRefusedAndNothingOfTheRequestIsStored() {
        addAdmissions("1");
        SourceDocument changed = new SourceDocument("a", "Admission", "No asthma.");
        assertThatThrownBy(() -> worklist.add(encounter("1", DISCHARGE, changed), "api"))
                .isInstanceOf(WorklistConflict.class)
                .hasMessageContaining("another text");
        assertThat(worklist.documents("1")).containsExactly(ADMISSION);
    }

    @Test
    void invalidEncountersAreRefused() {
        assertThatThrownBy(() -> encounter(" ", ADMISSION)).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1")).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", ADMISSION, ADMISSION)).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", new SourceDocument("a", "", "x\0")))
                .isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", new SourceDocument("a", "", "x\ud83d")))
                .isInstanceOf(UserError.class);
        assertThatThrownBy(() -> encounter("1", new SourceDocument("a", "", "12.5")))
                .isInstanceOf(UserError.class);
    }

    @Test
    void aClaimKeepsOthersOutUntilItExpires() {
        addAdmissions("1");
        assertThat(worklist.claim("1", ANA).orElseThrow().claim())
                .contains(new WorklistEntry.Claim("ana", clock.now.plus(Worklist.LEASE)));
        assertThat(state("1")).isEqualTo(EncounterState.IN_PROGRESS);
        assertThatThrownBy(() -> worklist.claim("1", BEN)).isInstanceOf(WorklistConflict.class);
        assertThatThrownBy(() -> code("1", "ben", false, ADMISSION)).isInstanceOf(WorklistConflict.class);
        assertThat(visibleTo("ben")).isEmpty();
        assertThat(visibleTo("ana")).containsExactly("1");
        clock.now = clock.now.plus(Worklist.LEASE).minus(Duration.ofSeconds(1));
        worklist.claim("1", ANA); // renews it
        clock.now = clock.now.plusSeconds(2);
        assertThat(visibleTo("ben")).isEmpty();
        clock.now = clock.now.plus(Worklist.LEASE);
        assertThat(state("1")).isEqualTo(EncounterState.OPEN);
        assertThat(worklist.claim("1", BEN)).isPresent();
        assertThatThrownBy(() -> code("1", "ana", false, ADMISSION)).isInstanceOf(WorklistConflict.class);
        assertThat(reviews.list(ReviewQuery.latest(9))).isEmpty();
    }

    @Test
    void claimsAreReleased() {
        addAdmissions("1", "2", "3");
        worklist.claim("1", ANA);
        worklist.claim("2", ANA);
        worklist.claim("3", BEN);
        assertThat(worklist.release("3", "ana")).isFalse();
        assertThat(worklist.releaseAll("ana")).isEqualTo(2);
        assertThat(state("1")).isEqualTo(EncounterState.OPEN);
        assertThat(state("3")).isEqualTo(EncounterState.IN_PROGRESS);
        assertThat(worklist.release("3", "ben")).isTrue();
        assertThat(worklist.claim("4", ANA)).isEmpty();
    }

    @Test
    void theNextEncounterIsTheOldestThatNobodyElseHasClaimed() {
        addAdmissions("1", "2", "3");
        assertThat(worklist.claimNext(ANA, Optional.empty(), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("1");
        assertThat(worklist.claimNext(BEN, Optional.empty(), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("2");
        assertThat(worklist.claimNext(ANA, Optional.empty(), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("1");
        assertThat(worklist.claimNext(ANA, Optional.of("1"), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("3");
        assertThat(worklist.claimNext(ANA, Optional.of("3"), false)
                        .orElseThrow()
                        .id())
                .isEqualTo("1");
        assertThat(worklist.claimNext(BEN, Optional.of("2"), false)).isEmpty();
        assertThat(worklist.claimNext(RITA, Optional.empty(), true)).isEmpty();
    }

    @Test
    void noTwoCodersGetTheSameEncounter() throws InterruptedException {
        String[] ids =
                Stream.iterate(1, i -> i + 1).limit(40).map(String::valueOf).toArray(String[]::new);
        addAdmissions(ids);
        Map<String, String> claimed = new ConcurrentHashMap<>();
        Set<String> twice = ConcurrentHashMap.newKeySet();
        List<Thread> coders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Claimant coder = new Claimant("coder" + i, false);
            Thread thread = new Thread(() -> {
                Optional<String> after = Optional.empty();
                for (int n = 0; n < 10; n++) {
                    String id = worklist.claimNext(coder, after, false)
                            .orElseThrow()
                            .id();
                    String before = claimed.put(id, coder.name());
                    if (before != null && !before.equals(coder.name())) {
                        twice.add(id);
                    }
                    after = Optional.of(id);
                }
            });
            coders.add(thread);
            thread.start();
        }
        for (Thread coder : coders) {
            coder.join();
        }
        assertThat(twice).isEmpty();
        assertThat(claimed).hasSize(40);
    }

    @Test
    void theReviewAndTheStateAreStoredTogetherOrNotAtAll() {
        addAdmissions("1");
        assertThatThrownBy(() -> worklist.code(review("1", ADMISSION), "ana", false, () -> {
                    store("1", "ana");
                    throw new IllegalStateException("lost power");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(reviews.list(ReviewQuery.latest(9))).isEmpty();
        assertThat(state("1")).isEqualTo(EncounterState.OPEN);
        ReviewReceipt receipt = code("1", "ana", false, ADMISSION);
        assertThat(reviews.check().passed()).isTrue();
        assertThat(worklist.find("1").orElseThrow().coding()).contains(new WorklistEntry.Coding("ana", receipt.id()));
    }

    @Test
    void aReviewMustCoverAllDocuments() {
        worklist.add(encounter("1", ADMISSION, DISCHARGE), "api");
        assertThatThrownBy(() -> code("1", "ana", false, ADMISSION))
                .isInstanceOf(WorklistConflict.class)
                .hasMessageContaining("other documents");
        assertThat(code("other", "ana", false, ADMISSION).id()).isNotEmpty(); // not on the worklist
    }

    @Test
    void onlyItsCoderCorrectsACodedEncounter() {
        addAdmissions("1");
        code("1", "ana", false, ADMISSION);
        ReviewReceipt corrected = code("1", "ana", false, ADMISSION);
        assertThat(worklist.find("1").orElseThrow().coding()).contains(new WorklistEntry.Coding("ana", corrected.id()));
        assertThatThrownBy(() -> code("1", "ben", false, ADMISSION)).isInstanceOf(WorklistConflict.class);
        assertThatThrownBy(() -> worklist.claim("1", BEN)).isInstanceOf(WorklistConflict.class);
        assertThatThrownBy(() -> worklist.claim("1", ANA)).isInstanceOf(WorklistConflict.class);
    }

    @Test
    void aSecondReviewIsDoneBySomebodyElseAndClosesTheEncounter() {
        addAdmissions("1");
        ReviewReceipt first = code("1", "ana", true, ADMISSION);
        assertThat(state("1")).isEqualTo(EncounterState.SECOND_REVIEW);
        assertThatThrownBy(() -> worklist.claim("1", new Claimant("ana", true))).isInstanceOf(WorklistConflict.class);
        assertThat(worklist.claimNext(new Claimant("ana", true), Optional.empty(), true))
                .isEmpty();
        assertThatThrownBy(() -> close("1", "rita", first.id(), 0)).isInstanceOf(WorklistConflict.class);
        assertThat(worklist.claimNext(RITA, Optional.empty(), true)
                        .orElseThrow()
                        .id())
                .isEqualTo("1");
        assertThatThrownBy(() -> close("1", "rita", "another", 0)).isInstanceOf(WorklistConflict.class);
        ReviewReceipt second = close("1", "rita", first.id(), 2);
        WorklistEntry closed = worklist.find("1").orElseThrow();
        assertThat(closed.state()).isEqualTo(EncounterState.CLOSED);
        assertThat(closed.secondReview()).contains(new WorklistEntry.SecondReview("rita", second.id(), 2));
        assertThat(closed.coding()).contains(new WorklistEntry.Coding("ana", first.id()));
        assertThatThrownBy(() -> code("1", "ana", false, ADMISSION)).isInstanceOf(WorklistConflict.class);
    }

    @Test
    void aReviewerMayTakeAnyCodedEncounterForASecondReview() {
        addAdmissions("1");
        code("1", "ana", false, ADMISSION);
        assertThat(worklist.claim("1", RITA).orElseThrow().state()).isEqualTo(EncounterState.SECOND_REVIEW);
        worklist.release("1", "rita");
        assertThat(state("1")).isEqualTo(EncounterState.SECOND_REVIEW);
    }

    @Test
    void countsAndListsByState() {
        addAdmissions("1", "2", "3", "4");
        worklist.claim("2", BEN);
        code("3", "ana", false, ADMISSION);
        code("4", "ben", true, ADMISSION);
        assertThat(worklist.count(Optional.empty()))
                .isEqualTo(Map.of(
                        EncounterState.OPEN, 1,
                        EncounterState.IN_PROGRESS, 1,
                        EncounterState.CODED, 1,
                        EncounterState.SECOND_REVIEW, 1,
                        EncounterState.CLOSED, 0));
        assertThat(worklist.count(Optional.of("ana")))
                .containsEntry(EncounterState.OPEN, 1)
                .containsEntry(EncounterState.IN_PROGRESS, 0)
                .containsEntry(EncounterState.CODED, 1)
                .containsEntry(EncounterState.SECOND_REVIEW, 0);
        assertThat(visibleTo("ana")).containsExactly("1", "3");
        assertThat(worklist.list(new WorklistQuery(
                        9, Optional.of("1"), Optional.of(EncounterState.IN_PROGRESS), Optional.empty(), false)))
                .extracting(WorklistEntry::id)
                .containsExactly("2");
    }

    @Test
    void aServerThatKeepsNoTextsDeletesThemAfterCoding() {
        Worklist forgetful = worklist(0, false);
        Worklist selecting = worklist(100, false);
        addAdmissions("1", "2");
        forgetful.code(review("1", ADMISSION), "ana", false, () -> store("1", "ana"));
        assertThat(worklist.documents("1")).containsExactly(new SourceDocument("a", "Admission", ""));
        assertThat(worklist.add(encounter("1", ADMISSION), "api").outcome()).isEqualTo(Arrival.Outcome.UNCHANGED);
        assertThatThrownBy(() -> worklist.add(encounter("1", DISCHARGE), "api"))
                .isInstanceOf(WorklistConflict.class)
                .hasMessageContaining("deleted");
        worklist.add(encounter("1", DISCHARGE, ADMISSION), "api");
        assertThat(worklist.documents("1")).containsExactly(ADMISSION, DISCHARGE);
        ReviewReceipt first = selecting.code(review("2", ADMISSION), "ana", false, () -> store("2", "ana"));
        assertThat(worklist.documents("2")).containsExactly(ADMISSION); // the reviewer needs it
        forgetful.claim("2", RITA);
        SecondReview second = new SecondReview(first.id(), "hash", List.of());
        forgetful.close("2", "rita", second, () -> store("2", "rita"));
        assertThat(worklist.documents("2")).extracting(SourceDocument::text).containsExactly("");
    }
}
