package org.plant4j.review;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.encounter.Encounter;

/**
 * Exports reviews as a corpus for training: one document per reviewed document, with the codes of its final review or,
 * outside the worklist, of the latest review by the person who reviewed it first. Reviews without text or without codes
 * are skipped.
 */
public final class ReviewCorpus {

    /** The first reviewer of a document and the id of that person's latest review. */
    private record Latest(String reviewer, String review) {}

    private ReviewCorpus() {}

    /**
     * Passes the documents to the consumer as lines of JSON Lines.
     *
     * @param trainable whether a code is exported; a document without any such code is skipped
     * @param finalReviews the ids of the reviews that count, by the encounters of the worklist
     */
    public static void write(
            ReviewStore reviews,
            Map<String, String> finalReviews,
            Predicate<String> trainable,
            Consumer<String> lines) {
        Map<String, Latest> latest = new HashMap<>();
        reviews.forEach(stored -> latest.merge(
                stored.document(),
                new Latest(stored.reviewer(), stored.id()),
                (before, next) -> before.reviewer().equals(next.reviewer()) ? next : before));
        reviews.forEach(stored -> {
            String exported = Optional.ofNullable(finalReviews.get(stored.document()))
                    .or(() -> Optional.ofNullable(latest.get(stored.document())).map(Latest::review))
                    .orElse("");
            Document document = document(stored, trainable);
            if (stored.id().equals(exported)
                    && !document.text().isBlank()
                    && !document.codes().isEmpty()) {
                lines.accept(JsonLinesCorpus.toJson(document));
            }
        });
    }

    static Document document(StoredReview stored, Predicate<String> trainable) {
        Encounter encounter = new Encounter(stored.review().documents());
        Set<String> codes = new LinkedHashSet<>();
        List<GoldEvidence> evidence = new ArrayList<>();
        for (Review.Decision decision : stored.review().decisions()) {
            if (decision.decision() == Review.Verdict.REJECTED || !trainable.test(decision.code())) {
                continue;
            }
            codes.add(decision.code());
            for (Review.MarkedSpan marked :
                    encounter.text().isBlank() ? List.<Review.MarkedSpan>of() : decision.evidence()) {
                Span span = encounter.toTextSpan(marked.document(), marked.start(), marked.end());
                evidence.add(new GoldEvidence(decision.code(), List.of(span)));
            }
        }
        return new Document(stored.document(), encounter.text(), codes, evidence);
    }
}
