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
 * Reviews as a corpus that can be trained on: one document a review with its final codes, and the latest review of a
 * document only. Reviews whose text was not kept, or that left no code, teach nothing and are left out.
 */
public final class ReviewCorpus {

    private ReviewCorpus() {}

    /** Hands over the documents as JSON lines, without line ends. */
    public static void write(ReviewStore reviews, Consumer<String> lines) {
        Map<String, String> latest = new HashMap<>(); // from a document to the id of its last review
        reviews.forEach(stored -> latest.put(name(stored), stored.id()));
        reviews.forEach(stored -> {
            boolean isLatest = stored.id().equals(latest.get(name(stored)));
            Document document = document(stored);
            if (isLatest && !document.text().isBlank() && !document.codes().isEmpty()) {
                lines.accept(JsonLinesCorpus.line(document));
            }
        });
    }

    private static String name(StoredReview stored) {
        return stored.review().document().orElse(stored.id());
    }

    static Document document(StoredReview stored) {
        Encounter encounter = new Encounter(stored.review().notes());
        Set<String> codes = new LinkedHashSet<>();
        List<GoldEvidence> evidence = new ArrayList<>();
        for (Review.Decision decision : stored.review().decisions()) {
            if (decision.decision() == Review.Verdict.REJECTED) {
                continue;
            }
            codes.add(decision.code());
            for (Review.MarkedSpan mark :
                    encounter.text().isBlank() ? List.<Review.MarkedSpan>of() : decision.evidence()) {
                Span span = encounter.toTextSpan(mark.note(), mark.start(), mark.end());
                evidence.add(new GoldEvidence(decision.code(), List.of(span)));
            }
        }
        return new Document(name(stored), encounter.text(), codes, evidence);
    }
}
