package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Band;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.database.Database;

class ReviewStatisticsTest {

    @TempDir
    Path directory;

    private ReviewStore store;

    @BeforeEach
    void open() {
        store = ReviewStore.open(Database.SQLITE + directory.resolve("reviews.db"), true);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** I10 suggested, E11.9 for review, R05 hidden. */
    private void add(String reviewer, String document, int seconds, Review.Decision... decisions) {
        boolean foreign = document.startsWith("foreign");
        store.add(
                new Review(
                        Optional.of(document),
                        Optional.empty(),
                        List.of(new SourceDocument("a", "", "Text of " + document)),
                        "v",
                        foreign ? Optional.of("Another language.") : Optional.empty(),
                        List.of(
                                new Review.ShownCode("I10", 0.9, Band.SUGGEST, Set.of()),
                                new Review.ShownCode("E11.9", 0.4, Band.REVIEW, Set.of()),
                                new Review.ShownCode("R05", 0.02, Band.HIDDEN, Set.of())),
                        List.of(decisions),
                        Optional.empty(),
                        seconds < 0 ? Optional.empty() : Optional.of(seconds),
                        Optional.empty()),
                reviewer,
                "");
    }

    private static Review.Decision decision(String code, Review.Verdict verdict) {
        return new Review.Decision(code, verdict, Optional.empty(), List.of());
    }

    private static Review.Decision changed(String from, String to) {
        return new Review.Decision(to, Review.Verdict.CHANGED, Optional.of(from), List.of());
    }

    @Test
    void countsCurrentReviewsByBandCoderAndCode() {
        add("ana", "d1", 600, decision("I10", Review.Verdict.REJECTED)); // superseded by the next one
        add("ana", "d1", 40, decision("I10", Review.Verdict.ACCEPTED), changed("E11.9", "E11.65"));
        add("ana", "d2", 60, decision("I10", Review.Verdict.ACCEPTED), changed("E11.9", "E11.9X"));
        add("ana", "foreign", 100, decision("I10", Review.Verdict.REJECTED), decision("Z99.2", Review.Verdict.ADDED));
        add("bea", "d3", -1, decision("I10", Review.Verdict.ACCEPTED), changed("E11.9", "E11.65"));
        add("bea", "d1", 20, decision("I10", Review.Verdict.REJECTED)); // a second review
        ReviewStatistics.Result result = ReviewStatistics.of(store, ReviewPeriod.ALL);

        assertThat(result.encounters()).isEqualTo(4);
        assertThat(result.secondReviews()).isEqualTo(1);
        assertThat(result.outOfDomain()).isEqualTo(1);
        assertThat(result.seconds()) // 40, 60, 100
                .isEqualTo(new WorkingTimes.Quartiles(3, Optional.of(40), Optional.of(60), Optional.of(100)));
        assertThat(result.bands())
                .containsExactly(
                        new ReviewStatistics.BandFigures(Band.SUGGEST, counts(3, 1, 0, 0, 0, 0.75)),
                        new ReviewStatistics.BandFigures(Band.REVIEW, counts(0, 0, 3, 1, 0, 0)),
                        new ReviewStatistics.BandFigures(
                                Band.HIDDEN, new CodeTally.Counts(0, 0, 0, 0, 0, Optional.empty())));
        assertThat(result.reviewers())
                .extracting(
                        ReviewStatistics.ReviewerFigures::reviewer,
                        ReviewStatistics.ReviewerFigures::reviews,
                        ReviewStatistics.ReviewerFigures::secondReviews,
                        ReviewStatistics.ReviewerFigures::decisions)
                .containsExactly(
                        tuple("ana", 3, 0, counts(2, 1, 2, 1, 1, 2 / 6.0)),
                        tuple("bea", 2, 1, counts(1, 1, 1, 1, 0, 1 / 4.0)));
        assertThat(result.codes())
                .containsExactly(
                        new ReviewStatistics.CodeFigures("E11.65", only(2), List.of()),
                        new ReviewStatistics.CodeFigures(
                                "E11.9",
                                counts(0, 0, 3, 1, 0, 0),
                                List.of(
                                        new ReviewStatistics.Replacement("E11.65", 2),
                                        new ReviewStatistics.Replacement("E11.9X", 1))),
                        new ReviewStatistics.CodeFigures("E11.9X", only(1), List.of()),
                        new ReviewStatistics.CodeFigures("I10", counts(3, 1, 0, 0, 0, 0.75), List.of()),
                        new ReviewStatistics.CodeFigures("Z99.2", only(1), List.of()));
    }

    private static CodeTally.Counts counts(
            int accepted, int rejected, int changed, int undecided, int added, double acceptance) {
        return new CodeTally.Counts(accepted, rejected, changed, undecided, added, Optional.of(acceptance));
    }

    private static CodeTally.Counts only(int added) {
        return new CodeTally.Counts(0, 0, 0, 0, added, Optional.empty());
    }

    @Test
    void aReplacementThatWasSuggestedTooIsNeitherUndecidedNorAdded() {
        add("ana", "d1", 40, changed("I10", "E11.9"), decision("R05", Review.Verdict.ACCEPTED));
        ReviewStatistics.Result result = ReviewStatistics.of(store, ReviewPeriod.ALL);
        assertThat(result.codes())
                .containsExactly(
                        new ReviewStatistics.CodeFigures(
                                "I10", counts(0, 0, 1, 0, 0, 0), List.of(new ReviewStatistics.Replacement("E11.9", 1))),
                        new ReviewStatistics.CodeFigures("R05", only(1), List.of()));
        // the hidden R05 was not suggested to the coder, and the model has missed it
        assertThat(result.reviewers().get(0).decisions()).isEqualTo(counts(0, 0, 1, 0, 1, 0));
    }

    @Test
    void aHiddenCodeIsMissedIfAssignedAndNothingIfRejected() {
        add("ana", "d1", 40, changed("I10", "R05"), decision("E11.9", Review.Verdict.REJECTED));
        add("ana", "d2", 40, decision("R05", Review.Verdict.REJECTED), decision("I10", Review.Verdict.ACCEPTED));
        List<ReviewStatistics.CodeFigures> codes =
                ReviewStatistics.of(store, ReviewPeriod.ALL).codes();
        assertThat(codes)
                .containsExactly(
                        new ReviewStatistics.CodeFigures("E11.9", counts(0, 1, 0, 1, 0, 0), List.of()),
                        new ReviewStatistics.CodeFigures(
                                "I10", counts(1, 0, 1, 0, 0, 0.5), List.of(new ReviewStatistics.Replacement("R05", 1))),
                        new ReviewStatistics.CodeFigures("R05", only(1), List.of()));
    }

    @Test
    void selectsByDayAndReviewer() {
        add("ana", "d1", 40, decision("I10", Review.Verdict.ACCEPTED));
        add("bea", "d2", 50, decision("I10", Review.Verdict.ACCEPTED));
        LocalDate today = store.list(ReviewQuery.latest(1))
                .get(0)
                .at()
                .atZone(ZoneOffset.UTC)
                .toLocalDate();
        assertThat(encounters(Optional.of(today), Optional.of(today), Optional.empty()))
                .isEqualTo(2);
        assertThat(encounters(Optional.of(today.plusDays(1)), Optional.empty(), Optional.empty()))
                .isZero();
        assertThat(encounters(Optional.empty(), Optional.of(today.minusDays(2)), Optional.empty()))
                .isZero();
        assertThat(encounters(Optional.empty(), Optional.empty(), Optional.of("bea")))
                .isEqualTo(1);
    }

    private int encounters(Optional<LocalDate> from, Optional<LocalDate> to, Optional<String> reviewer) {
        return ReviewStatistics.of(store, new ReviewPeriod(from, to, reviewer)).encounters();
    }
}
