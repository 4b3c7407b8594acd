package org.plant4j.review.worklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewPeriod;
import org.plant4j.review.ReviewQuery;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.ReviewStatistics;
import org.plant4j.review.SecondReview;

/** Contract of coding and second reviews of encounters in every database. */
abstract class WorklistCodingContract extends WorklistFixture {

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
    void theReviewAndTheStateAreStoredTogetherOrNotAtAll() {
        addAdmissions("1");
        worklist.claim("1", ANA);
        assertThatThrownBy(() -> worklist.code(review("1", ADMISSION), "ana", false, () -> {
                    store("1", "ana");
                    throw new IllegalStateException("lost power");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(reviews.list(ReviewQuery.latest(9))).isEmpty();
        assertThat(state("1")).isEqualTo(EncounterState.IN_PROGRESS);
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
    void aServerThatKeepsNoTextsDeletesThemAfterCoding() {
        Worklist forgetful = worklist(0, false);
        Worklist selecting = worklist(100, false);
        addAdmissions("1", "2");
        worklist.claim("1", ANA);
        forgetful.code(review("1", ADMISSION), "ana", false, () -> store("1", "ana"));
        assertThat(worklist.documents("1")).containsExactly(new SourceDocument("a", "Admission", ""));
        assertThat(worklist.add(encounter("1", ADMISSION), "api").outcome()).isEqualTo(Arrival.Outcome.UNCHANGED);
        assertThatThrownBy(() -> worklist.add(encounter("1", DISCHARGE), "api"))
                .isInstanceOf(WorklistConflict.class)
                .hasMessageContaining("deleted");
        assertThatThrownBy(() -> worklist.claim("1", RITA)) // there is nothing to read
                .isInstanceOf(WorklistConflict.class)
                .hasMessageContaining("deleted");
        worklist.add(encounter("1", DISCHARGE, ADMISSION), "api");
        assertThat(worklist.documents("1")).containsExactly(ADMISSION, DISCHARGE);
        worklist.claim("2", ANA);
        ReviewReceipt first = selecting.code(review("2", ADMISSION), "ana", false, () -> store("2", "ana"));
        assertThat(worklist.documents("2")).containsExactly(ADMISSION); // the reviewer needs it
        forgetful.claim("2", RITA);
        SecondReview second = new SecondReview(first.id(), "hash", List.of());
        forgetful.close("2", "rita", second, () -> store("2", "rita"));
        assertThat(worklist.documents("2")).extracting(SourceDocument::text).containsExactly("");
    }

    @Test
    void anEncounterThatSomebodyElseCodesAgainCountsOnceWithTheLatestReview() {
        addAdmissions("1");
        code("1", "ana", false, ADMISSION);
        worklist.add(encounter("1", DISCHARGE), "api");
        ReviewReceipt second = code("1", "ben", false, ADMISSION, DISCHARGE);
        assertThat(worklist.finalReviews()).containsExactly(Map.entry("1", second.id()));
        assertThat(worklist.finalReview("1")).contains(second.id());
        assertThat(worklist.finalReview("2")).isEmpty();
        ReviewStatistics.Result result = ReviewStatistics.of(reviews, ReviewPeriod.ALL);
        assertThat(result.encounters()).isEqualTo(1);
        assertThat(result.secondReviews()).isZero();
        assertThat(result.reviewers())
                .extracting(ReviewStatistics.ReviewerFigures::reviewer)
                .containsExactly("ben");
    }

    @Test
    void aSecondReviewCountsAsOneEvenIfItsReviewerCodedTheEncounterFirst() {
        addAdmissions("1");
        code("1", "rita", false, ADMISSION);
        worklist.add(encounter("1", DISCHARGE), "api");
        ReviewReceipt first = code("1", "ana", true, ADMISSION, DISCHARGE);
        worklist.claim("1", RITA);
        close("1", "rita", first.id(), 0);
        ReviewStatistics.Result result = ReviewStatistics.of(reviews, ReviewPeriod.ALL);
        assertThat(result.encounters()).isEqualTo(1);
        assertThat(result.secondReviews()).isEqualTo(1);
        assertThat(result.reviewers())
                .extracting(ReviewStatistics.ReviewerFigures::reviewer, ReviewStatistics.ReviewerFigures::secondReviews)
                .containsExactly(tuple("ana", 0), tuple("rita", 1));
    }

    private ReviewReceipt submit(Review review, String key) {
        return worklist.code(review, "ana", false, Submission.of(reviews, review, review, "ana", key));
    }

    @Test
    void aLateRetryChangesNothing() {
        addAdmissions("1");
        worklist.claim("1", ANA);
        ReviewReceipt first = submit(review("1", ADMISSION), "k1");
        ReviewReceipt corrected = submit(review("1", ADMISSION), "k2");
        assertThat(submit(review("1", ADMISSION), "k1")).isEqualTo(first);
        assertThat(worklist.find("1").orElseThrow().coding()).contains(new WorklistEntry.Coding("ana", corrected.id()));
        worklist.claim("1", RITA);
        assertThat(submit(review("1", ADMISSION), "k1")).isEqualTo(first); // not a conflict
        close("1", "rita", corrected.id(), 1);
        WorklistEntry closed = worklist.find("1").orElseThrow();
        assertThat(submit(review("1", ADMISSION), "k2")).isEqualTo(corrected);
        assertThat(worklist.find("1")).contains(closed);
    }

    @Test
    void aCorrectionKeepsTheSelectionForASecondReviewAndTheTexts() {
        Worklist forgetful = worklist(0, false);
        Worklist selecting = worklist(100, false);
        addAdmissions("1", "2");
        worklist.claim("1", ANA);
        selecting.code(review("1", ADMISSION), "ana", false, () -> store("1", "ana"));
        forgetful.code(review("1", ADMISSION), "ana", false, () -> store("1", "ana"));
        assertThat(state("1")).isEqualTo(EncounterState.SECOND_REVIEW);
        assertThat(worklist.documents("1")).containsExactly(ADMISSION);
        worklist.claim("2", ANA);
        forgetful.code(review("2", ADMISSION), "ana", false, () -> store("2", "ana"));
        selecting.code(review("2", ADMISSION), "ana", false, () -> store("2", "ana")); // selected only now
        assertThat(worklist.documents("2")).containsExactly(ADMISSION);
    }

    @Test
    void onlyTheLastHolderOfAClaimCodesAnOpenEncounter() {
        addAdmissions("1");
        Review review = review("1", ADMISSION);
        assertThatThrownBy(() -> submit(review, "k"))
                .isInstanceOf(WorklistConflict.class)
                .hasMessageContaining("not claimed");
        worklist.claim("1", ANA);
        clock.now = clock.now.plus(Worklist.LEASE).plusSeconds(1);
        assertThatThrownBy(() -> worklist.code(review, "ben", false, () -> store("1", "ben")))
                .isInstanceOf(WorklistConflict.class);
        assertThat(submit(review, "k").id()).isNotEmpty(); // nobody has claimed it meanwhile
        worklist.add(encounter("1", DISCHARGE), "api");
        assertThatThrownBy(() -> submit(review("1", ADMISSION, DISCHARGE), "k2"))
                .isInstanceOf(WorklistConflict.class);
    }
}
