package org.plant4j.review;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** An append-only store of reviews. Thread-safe. */
public interface ReviewStore extends AutoCloseable {

    /** Opens the database at a JDBC URL and creates or migrates its tables. */
    @SuppressWarnings("DoNotCallSuggester")
    static ReviewStore open(String url, boolean keepText) {
        return new JdbcReviewStore(Database.open(url), keepText);
    }

    /**
     * Returns after the review is durable. If the reviewer has used the key before, returns the earlier receipt and stores
     * nothing; an empty key means no key.
     */
    ReviewReceipt add(Review review, String reviewer, String key);

    /** Newest first; {@code before}: the id of the last review on the previous page. */
    List<StoredReview> list(int limit, Optional<String> before);

    Optional<StoredReview> find(String id);

    /** Passes every review to the consumer, oldest first. */
    void forEach(Consumer<StoredReview> to);

    @Override
    void close();
}
