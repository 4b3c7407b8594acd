package org.plant4j.app.review;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.plant4j.app.desk.Note;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.Evidence;
import org.plant4j.corpus.JsonLinesCorpus;
import org.plant4j.corpus.Span;

/**
 * Reviews as a corpus to train on: a document's notes one after the other, the codes that were accepted, added or changed
 * to, and what the coder marked for them. Of several reviews of a document the latest counts; a review whose text was not
 * kept, or that left no code, teaches nothing and is left out.
 */
public record ReviewCorpus(ReviewStore reviews) {

    private static final String BETWEEN_NOTES = "\n\n";

    /** Hands over the documents as JSON lines, without line ends, and returns how many they were. */
    public int lines(Consumer<String> to) {
        Map<String, String> latest = new HashMap<>();
        reviews.export(stored -> latest.put(id(stored), stored.id()));
        int[] count = {0};
        reviews.export(stored -> {
            boolean counts = stored.id().equals(latest.get(id(stored)));
            if (counts
                    && !codes(stored.review()).isEmpty()
                    && !text(stored.review()).isBlank()) {
                to.accept(JsonLinesCorpus.line(document(stored)));
                count[0]++;
            }
        });
        return count[0];
    }

    private static String id(StoredReview stored) {
        return stored.review().document().orElse("review-" + stored.id());
    }

    private static Document document(StoredReview stored) {
        Review review = stored.review();
        Map<String, Integer> starts = new HashMap<>();
        Map<String, Integer> lengths = new HashMap<>();
        int start = 0;
        for (Note note : review.notes()) {
            starts.put(note.id(), start);
            lengths.put(note.id(), note.text().length());
            start += note.text().length() + BETWEEN_NOTES.length();
        }
        List<Evidence> evidence = new ArrayList<>();
        for (Review.Decision decision : review.decisions()) {
            for (Review.Mark mark : decision.evidence()) {
                boolean inside = mark.start() >= 0
                        && mark.start() < mark.end()
                        && mark.end() <= lengths.getOrDefault(mark.note(), 0);
                if (decision.decision() != Review.Verdict.REJECTED && inside) {
                    int shift = starts.getOrDefault(mark.note(), 0);
                    Span span = new Span(mark.start() + shift, mark.end() + shift);
                    evidence.add(new Evidence(decision.code(), List.of(span)));
                }
            }
        }
        return new Document(id(stored), text(review), codes(review), evidence);
    }

    private static Set<String> codes(Review review) {
        Set<String> codes = new TreeSet<>();
        for (Review.Decision decision : review.decisions()) {
            if (decision.decision() != Review.Verdict.REJECTED) {
                codes.add(decision.code());
            }
        }
        return codes;
    }

    private static String text(Review review) {
        return String.join(
                BETWEEN_NOTES, review.notes().stream().map(Note::text).toList());
    }
}
