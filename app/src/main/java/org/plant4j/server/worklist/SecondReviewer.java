package org.plant4j.server.worklist;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.review.Review;
import org.plant4j.review.SecondReview;
import org.plant4j.review.StoredReview;
import org.plant4j.server.http.ApiException;

/** Applies a reviewer's changes to the decisions of a first review. */
final class SecondReviewer {

    private final StoredReview first;
    private final String hash;

    SecondReviewer(StoredReview first, String hash) {
        this.first = first;
        this.hash = hash;
    }

    /** The second review: all decisions of the first, with the changes; the evidence of a replaced code is kept. */
    Review review(List<SecondReview.Disagreement> changes, Optional<String> comment) {
        List<Review.Decision> decisions = new ArrayList<>(first.review().decisions());
        for (SecondReview.Disagreement change : changes) {
            change.second().ifPresent(code -> requireNotAssigned(decisions, code));
            change.first()
                    .ifPresentOrElse(
                            code -> replace(decisions, code, change.second()),
                            () -> decisions.add(new Review.Decision(
                                    change.second().orElseThrow(), Review.Verdict.ADDED, Optional.empty(), List.of())));
        }
        Review before = first.review();
        return new Review(
                before.encounter(),
                before.date(),
                before.documents(),
                before.version(),
                before.outOfDomain(),
                before.shown(),
                decisions,
                comment,
                Optional.empty(),
                Optional.of(new SecondReview(first.id(), hash, changes)));
    }

    /** A code that the coder rejected may be assigned after all: its rejection is dropped. */
    private static void requireNotAssigned(List<Review.Decision> decisions, String code) {
        if (assigned(decisions, code) >= 0) {
            throw ApiException.unprocessable(
                    "The code " + code + " is already assigned", "changes", "leave out the change");
        }
        decisions.removeIf(each -> each.code().equals(code));
    }

    private static void replace(List<Review.Decision> decisions, String code, Optional<String> replacement) {
        int at = assigned(decisions, code);
        if (at < 0) {
            throw ApiException.unprocessable(
                    "The first review does not assign the code " + code, "changes", "name one of its codes");
        }
        Review.Decision before = decisions.get(at);
        decisions.set(
                at,
                replacement
                        .map(other -> new Review.Decision(
                                other,
                                Review.Verdict.CHANGED,
                                Optional.of(code),
                                before.evidence(),
                                before.presentOnAdmission()))
                        .orElseGet(
                                () -> new Review.Decision(code, Review.Verdict.REJECTED, Optional.empty(), List.of())));
    }

    private static int assigned(List<Review.Decision> decisions, String code) {
        for (int i = 0; i < decisions.size(); i++) {
            if (decisions.get(i).code().equals(code) && decisions.get(i).decision() != Review.Verdict.REJECTED) {
                return i;
            }
        }
        return -1;
    }
}
