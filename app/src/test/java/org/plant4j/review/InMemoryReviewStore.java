package org.plant4j.review;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.plant4j.review.database.DatabaseException;

/** Reviews in a list, for tests. */
public final class InMemoryReviewStore implements ReviewStore {

    private final List<StoredReview> all = new ArrayList<>();
    private final Map<String, ReviewReceipt> byKey = new HashMap<>();
    private final Map<String, Review> requests = new HashMap<>();

    @Override
    public synchronized Optional<ReviewReceipt> findReceipt(Review request, String reviewer, String key) {
        ReviewReceipt before = byKey.get(reviewer + " " + key);
        if (before != null && !request.equals(requests.get(before.id()))) {
            throw new KeyReusedException();
        }
        return Optional.ofNullable(before);
    }

    @Override
    public synchronized ReviewReceipt add(Review review, Review request, String reviewer, String key) {
        Optional<ReviewReceipt> before = findReceipt(request, reviewer, key);
        if (before.isPresent()) {
            return before.get();
        }
        Optional<String> supersedes = all.stream()
                .filter(each ->
                        each.reviewer().equals(reviewer) && each.document().equals(review.documentId()))
                .reduce((first, second) -> second)
                .map(StoredReview::id);
        String id = "r" + (all.size() + 1);
        ReviewReceipt stored = new ReviewReceipt(id, Instant.parse("2026-03-01T10:00:00Z"), supersedes, "hash-" + id);
        all.add(new StoredReview(stored.id(), stored.at(), reviewer, review.documentId(), supersedes, review));
        if (!key.isEmpty()) {
            requests.put(id, request);
            byKey.put(reviewer + " " + key, stored);
        }
        return stored;
    }

    @Override
    public synchronized List<StoredReview> list(ReviewQuery query) {
        List<StoredReview> latest = new ArrayList<>();
        boolean reached = query.before().isEmpty();
        for (int i = all.size() - 1; i >= 0 && latest.size() < query.limit(); i--) {
            StoredReview each = all.get(i);
            if (reached
                    && query.reviewer().map(each.reviewer()::equals).orElse(true)
                    && query.document().map(each.document()::equals).orElse(true)) {
                latest.add(each);
            }
            reached |= each.id().equals(query.before().orElse(""));
        }
        return latest;
    }

    @Override
    public synchronized Optional<StoredReview> find(String id) {
        return all.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    @Override
    public synchronized Optional<StoredReview> findByFirstReviewer(String document) {
        List<StoredReview> reviews =
                all.stream().filter(each -> each.document().equals(document)).toList();
        return reviews.stream()
                .filter(each -> each.reviewer().equals(reviews.get(0).reviewer()))
                .reduce((first, second) -> second);
    }

    @Override
    public synchronized Optional<String> findHash(String id) {
        return find(id).map(each -> "hash-" + each.id());
    }

    @Override
    public synchronized void forEach(Consumer<StoredReview> to) {
        all.forEach(to);
    }

    @Override
    public synchronized void forEachCurrent(ReviewPeriod period, CurrentReviews to) {
        for (StoredReview each : all) {
            String first = all.stream()
                    .filter(other -> other.document().equals(each.document()))
                    .findFirst()
                    .orElseThrow()
                    .reviewer();
            boolean superseded = all.stream()
                    .anyMatch(other -> other.supersedes().map(each.id()::equals).orElse(false));
            if (!superseded && period.includes(each)) {
                to.accept(each, each.isSecond(first));
            }
        }
    }

    @Override
    public synchronized ReviewCheck check() {
        return new ReviewCheck(all.size(), 0, Optional.empty(), List.of());
    }

    @Override
    public synchronized boolean containsHash(String hash) {
        return all.stream().anyMatch(each -> ("hash-" + each.id()).equals(hash));
    }

    @Override
    public Optional<DatabaseException.Kind> findFailure() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
