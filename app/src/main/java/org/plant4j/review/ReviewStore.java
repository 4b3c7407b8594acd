package org.plant4j.review;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Where reviews are kept: they are only ever added. Safe for use by several threads. */
public interface ReviewStore extends AutoCloseable {

    /** Opens the database of a JDBC address, and makes or migrates its tables. */
    @SuppressWarnings("DoNotCallSuggester")
    static ReviewStore open(String url, boolean keepText) {
        return new JdbcReviewStore(Database.open(url), keepText);
    }

    /**
     * Returns when the review is safely written. A key that the reviewer has used before gives the receipt of then, and
     * nothing is written; an empty key is none.
     */
    ReviewReceipt add(Review review, String reviewer, String key);

    /** The latest reviews first; {@code before} is the id of the review after which to go on. */
    List<StoredReview> list(int limit, Optional<String> before);

    Optional<StoredReview> find(String id);

    /** Hands over every review, the oldest first. */
    void forEach(Consumer<StoredReview> to);

    @Override
    void close();
}
