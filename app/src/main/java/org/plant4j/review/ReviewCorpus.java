package org.plant4j.review;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.GoldEvidence;
import org.plant4j.corpus.Span;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.encounter.Encounter;

/**
 * Exports reviews as a corpus for training: one document per reviewed document, with the codes of its latest review.
 * Reviews without text or without codes are skipped.
 */
public final class ReviewCorpus {

    private ReviewCorpus() {}

    /** Passes the documents to the consumer as lines of JSON Lines. */
    public static void write(ReviewStore reviews, Consumer<String> lines) {
        Map<String, String> latest = new HashMap<>(); // document id to the id of its latest review
        reviews.forEach(stored -> latest.put(documentId(stored), stored.id()));
        reviews.forEach(stored -> {
            boolean isLatest = stored.id().equals(latest.get(documentId(stored)));
            Document document = document(stored);
            if (isLatest && !document.text().isBlank() && !document.codes().isEmpty()) {
                lines.accept(JsonLinesCorpus.toJson(document));
            }
        });
    }

    private static String documentId(StoredReview stored) {
        return stored.review().encounter().orElse(stored.id());
    }

    static Document document(StoredReview stored) {
        Encounter encounter = new Encounter(stored.review().documents());
        Set<String> codes = new LinkedHashSet<>();
        List<GoldEvidence> evidence = new ArrayList<>();
        for (Review.Decision decision : stored.review().decisions()) {
            if (decision.decision() == Review.Verdict.REJECTED) {
                continue;
            }
            codes.add(decision.code());
            for (Review.MarkedSpan marked :
                    encounter.text().isBlank() ? List.<Review.MarkedSpan>of() : decision.evidence()) {
                Span span = encounter.toTextSpan(marked.document(), marked.start(), marked.end());
                evidence.add(new GoldEvidence(decision.code(), List.of(span)));
            }
        }
        return new Document(documentId(stored), encounter.text(), codes, evidence);
    }
}
