package org.plant4j.review;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reviews in a list, for tests. */
public final class InMemoryReviewStore implements ReviewStore {

    private final List<StoredReview> all = new ArrayList<>();
    private final Map<String, ReviewReceipt> byKey = new HashMap<>();

    @Override
    public synchronized ReviewReceipt add(Review review, String reviewer, String key) {
        ReviewReceipt before = byKey.get(reviewer + " " + key);
        if (before != null) {
            return before;
        }
        ReviewReceipt stored = new ReviewReceipt("r" + (all.size() + 1), Instant.parse("2026-03-01T10:00:00Z"));
        all.add(new StoredReview(stored.id(), stored.at(), reviewer, review));
        if (!key.isEmpty()) {
            byKey.put(reviewer + " " + key, stored);
        }
        return stored;
    }

    @Override
    public synchronized List<StoredReview> list(int limit, Optional<String> before) {
        List<StoredReview> latest = new ArrayList<>();
        boolean reached = before.isEmpty();
        for (int i = all.size() - 1; i >= 0 && latest.size() < limit; i--) {
            if (reached) {
                latest.add(all.get(i));
            }
            reached |= all.get(i).id().equals(before.orElse(""));
        }
        return latest;
    }

    @Override
    public synchronized Optional<StoredReview> find(String id) {
        return all.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    @Override
    public synchronized void forEach(Consumer<StoredReview> to) {
        all.forEach(to);
    }

    @Override
    public void close() {}
}
