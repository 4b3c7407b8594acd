package org.plant4j.review;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.plant4j.Band;

/**
 * What coders decided about suggestions, by band, coder and code. Superseded reviews do not count. Second reviews count
 * for their reviewer only, so that each encounter counts once. Reads reviews one at a time; memory depends on the number
 * of codes and coders, not of reviews.
 */
public final class ReviewStatistics {

    private int encounters;
    private int secondReviews;
    private int outOfDomain;
    private final WorkingTimes times = new WorkingTimes();
    private final Map<Band, CodeTally> bands = new EnumMap<>(Band.class);
    private final Map<String, Reviewer> reviewers = new TreeMap<>();
    private final Map<String, Code> codes = new TreeMap<>();

    private static final class Reviewer {
        private int reviews;
        private int secondReviews;
        private int outOfDomain;
        private final CodeTally tally = new CodeTally();
        private final WorkingTimes times = new WorkingTimes();
    }

    private static final class Code {
        private final CodeTally tally = new CodeTally();
        private final Map<String, Integer> replacements = new HashMap<>();
    }

    private ReviewStatistics() {}

    /** All figures; {@code outOfDomain} is the number of encounters whose text did not resemble the training documents. */
    public record Result(
            int encounters,
            int secondReviews,
            int outOfDomain,
            WorkingTimes.Quartiles seconds,
            List<BandFigures> bands,
            List<ReviewerFigures> reviewers,
            List<CodeFigures> codes) {}

    public record BandFigures(Band band, CodeTally.Counts decisions) {}

    public record ReviewerFigures(
            String reviewer,
            int reviews,
            int secondReviews,
            int outOfDomain,
            WorkingTimes.Quartiles seconds,
            CodeTally.Counts decisions) {}

    /** {@code replacements}: the codes that replaced this one, most frequent first. */
    public record CodeFigures(String code, CodeTally.Counts decisions, List<Replacement> replacements) {}

    public record Replacement(String code, int count) {}

    public static Result of(ReviewStore reviews, ReviewPeriod period) {
        ReviewStatistics statistics = new ReviewStatistics();
        reviews.forEachCurrent(period, statistics::add);
        return statistics.result();
    }

    private void add(StoredReview stored, boolean second) {
        Review review = stored.review();
        Reviewer reviewer = reviewers.computeIfAbsent(stored.reviewer(), name -> new Reviewer());
        boolean foreign = review.outOfDomain().isPresent();
        reviewer.reviews++;
        reviewer.secondReviews += second ? 1 : 0;
        reviewer.outOfDomain += foreign ? 1 : 0;
        review.seconds().ifPresent(reviewer.times::add);
        tally(review, second, reviewer.tally);
        if (second) {
            secondReviews++;
        } else {
            encounters++;
            outOfDomain += foreign ? 1 : 0;
            review.seconds().ifPresent(times::add);
        }
    }

    private void tally(Review review, boolean second, CodeTally reviewer) {
        Map<String, Band> shown = new HashMap<>();
        review.shown().forEach(each -> shown.put(each.code(), each.band()));
        Set<String> decided = new HashSet<>();
        for (Review.Decision decision : review.decisions()) {
            String suggested = decision.from().orElse(decision.code());
            decided.add(suggested);
            decided.add(decision.code()); // replaces a suggestion, and may have been suggested too
            addTo(reviewer, decision, shown.get(suggested));
            if (second) {
                continue;
            }
            addToCodes(decision, suggested, shown);
            Optional.ofNullable(shown.get(suggested))
                    .ifPresent(band -> band(band).addDecision(decision.decision()));
        }
        for (Review.ShownCode each : review.shown()) {
            if (each.band() != Band.HIDDEN && !decided.contains(each.code())) {
                reviewer.addUndecided();
                if (!second) {
                    code(each.code()).tally.addUndecided();
                    band(each.band()).addUndecided();
                }
            }
        }
    }

    /** Like {@link #addTo}: the model has missed a code that it hides as unlikely. */
    private void addToCodes(Review.Decision decision, String suggested, Map<String, Band> shown) {
        if (shown.get(suggested) != Band.HIDDEN || decision.decision() == Review.Verdict.ADDED) {
            code(suggested).tally.addDecision(decision.decision());
        }
        decision.from().ifPresent(from -> code(from).replacements.merge(decision.code(), 1, Integer::sum));
        boolean missed = shown.getOrDefault(decision.code(), Band.HIDDEN) == Band.HIDDEN;
        if (missed
                && (decision.decision() == Review.Verdict.ACCEPTED
                        || decision.from().isPresent())) {
            code(decision.code()).tally.addAssigned();
        }
    }

    /** A coder who assigns a code that the page hides as unlikely finds it without a suggestion. */
    private static void addTo(CodeTally reviewer, Review.Decision decision, @Nullable Band band) {
        if (band != Band.HIDDEN) {
            reviewer.addDecision(decision.decision());
        } else if (decision.decision() != Review.Verdict.REJECTED) {
            reviewer.addAssigned();
        }
    }

    private Code code(String code) {
        return codes.computeIfAbsent(code, key -> new Code());
    }

    private CodeTally band(Band band) {
        return bands.computeIfAbsent(band, key -> new CodeTally());
    }

    private Result result() {
        return new Result(
                encounters,
                secondReviews,
                outOfDomain,
                times.quartiles(),
                List.of(Band.values()).stream()
                        .map(band -> new BandFigures(band, band(band).counts()))
                        .toList(),
                reviewers.entrySet().stream()
                        .map(each -> figures(each.getKey(), each.getValue()))
                        .toList(),
                codes.entrySet().stream()
                        .map(each -> figures(each.getKey(), each.getValue()))
                        .toList());
    }

    private static ReviewerFigures figures(String name, Reviewer reviewer) {
        return new ReviewerFigures(
                name,
                reviewer.reviews,
                reviewer.secondReviews,
                reviewer.outOfDomain,
                reviewer.times.quartiles(),
                reviewer.tally.counts());
    }

    private static CodeFigures figures(String name, Code code) {
        List<Replacement> replacements = code.replacements.entrySet().stream()
                .map(each -> new Replacement(each.getKey(), each.getValue()))
                .sorted(Comparator.comparingInt((Replacement each) -> -each.count())
                        .thenComparing(Replacement::code))
                .toList();
        return new CodeFigures(name, code.tally.counts(), replacements);
    }
}
