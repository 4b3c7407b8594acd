package org.plant4j.server.api;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.plant4j.encounter.Encounter;
import org.plant4j.review.Review;
import org.plant4j.server.coding.CodedResults;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.http.ApiException;

/** Compares the suggestions that a review claims to have shown with those of this server. */
public final class ShownCodes {

    /** Clients may round probabilities to two decimals. */
    private static final double TOLERANCE = 0.0051;

    private static final String REMEDY = "code the documents again with /api/code, and send what it returns";

    private final String version;
    private final CodedResults results;
    private final CodingQueue queue;

    public ShownCodes(String version, CodedResults results, CodingQueue queue) {
        this.version = version;
        this.results = results;
        this.queue = queue;
    }

    /** Returns the review with the server's own values, or rejects it. */
    Review verify(Review review) {
        if (!review.version().equals(version)) {
            throw new ApiException(
                    ApiException.CONFLICT, "This server has another version of the model", "version", REMEDY);
        }
        CodedResults.Suggested suggested = suggested(new Encounter(review.documents()));
        if (suggested.outOfDomain().isPresent() != review.outOfDomain().isPresent()) {
            throw new ApiException(
                    ApiException.CONFLICT, "The server came to another result on the domain", "inDomain", REMEDY);
        }
        requireShown(review);
        List<Review.ShownCode> shown = new ArrayList<>();
        for (Review.ShownCode claimed : review.shown()) {
            shown.add(Optional.ofNullable(suggested.codes().get(claimed.code()))
                    .filter(actual -> matches(claimed, actual))
                    .orElseThrow(() -> new ApiException(
                            ApiException.CONFLICT,
                            "The server did not suggest this code with this probability, band and traits",
                            "shown[" + shown.size() + "]",
                            REMEDY)));
        }
        return new Review(
                review.encounter(),
                review.date(),
                review.documents(),
                review.version(),
                suggested.outOfDomain(),
                shown,
                review.decisions(),
                review.comment(),
                review.seconds(),
                review.second());
    }

    /** Only what was shown can be accepted, rejected or changed; anything else is added. */
    private static void requireShown(Review review) {
        Set<String> shown = new HashSet<>();
        review.shown().forEach(each -> shown.add(each.code()));
        for (Review.Decision decision : review.decisions()) {
            String suggested = decision.from().orElse(decision.code());
            if (decision.decision() != Review.Verdict.ADDED && !shown.contains(suggested)) {
                throw ApiException.unprocessable(
                        "The code " + suggested + " was not shown",
                        "decisions[" + review.decisions().indexOf(decision) + "]",
                        "list it under shown, or send the decision added");
            }
        }
    }

    private static boolean matches(Review.ShownCode claimed, Review.ShownCode actual) {
        return Math.abs(claimed.probability() - actual.probability()) <= TOLERANCE
                && claimed.band() == actual.band()
                && actual.traits().containsAll(claimed.traits());
    }

    /** Codes the text again if its result is no longer remembered, for example after a restart. */
    private CodedResults.Suggested suggested(Encounter encounter) {
        return results.find(encounter.text()).orElseGet(() -> {
            try {
                CodingQueue.CodingRequest request = new CodingQueue.CodingRequest(encounter, CodingApi.MAX_CODES);
                return CodedResults.Suggested.of(queue.submit(request).join());
            } catch (CompletionException e) {
                throw e.getCause() instanceof ApiException error ? error : e;
            }
        });
    }
}
