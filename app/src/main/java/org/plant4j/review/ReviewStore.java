package org.plant4j.review;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.plant4j.review.database.Database;
import org.plant4j.review.database.DatabaseException;

/** An append-only store of reviews. Thread-safe. */
public interface ReviewStore extends AutoCloseable {

    /** Opens the database at a JDBC URL and creates or migrates its tables. */
    @SuppressWarnings("DoNotCallSuggester")
    static ReviewStore open(String url, boolean keepText) {
        return of(Database.open(url), keepText);
    }

    /** The reviews of an open database, which the store closes with itself. */
    static ReviewStore of(Database database, boolean keepText) {
        return new JdbcReviewStore(database, keepText);
    }

    /**
     * Returns after the review is durable. It supersedes the reviewer's earlier review of the same document, but never
     * one by somebody else. If the reviewer has used the key before, stores nothing: the same review gets the earlier
     * receipt, another one is a {@link KeyReusedException}. An empty key means no key.
     */
    default ReviewReceipt add(Review review, String reviewer, String key) {
        return add(review, review, reviewer, key);
    }

    /** {@code request}: the review as the reviewer sent it, with which a repeated key is compared. */
    ReviewReceipt add(Review review, Review request, String reviewer, String key);

    /** The receipt of the review that the reviewer stored with this key; {@link KeyReusedException} as in {@code add}. */
    Optional<ReviewReceipt> findReceipt(Review request, String reviewer, String key);

    /** Newest first. Reviews that cannot be read are left out and logged. */
    List<StoredReview> list(ReviewQuery query);

    Optional<StoredReview> find(String id);

    /** The latest review of a document by the person who reviewed it first: outside the worklist, the one that counts. */
    Optional<StoredReview> findByFirstReviewer(String document);

    /** The hash of a review; rows of version 0.1 have none. */
    Optional<String> findHash(String id);

    /** Passes every review to the consumer, oldest first. Reviews that cannot be read are left out and logged. */
    void forEach(Consumer<StoredReview> to);

    /** Receives the current reviews of a period. */
    @FunctionalInterface
    interface CurrentReviews {
        /** {@code second}: whether this is a second review; see {@link StoredReview#isSecond}. */
        void accept(StoredReview review, boolean second);
    }

    /**
     * Passes every review of the period to the consumer, oldest first, except those that a later one supersedes and, on
     * the worklist, those from before the encounter was coded again. Reviews that cannot be read are left out and logged.
     */
    void forEachCurrent(ReviewPeriod period, CurrentReviews to);

    /** Recomputes the hash chain and reads every review. */
    ReviewCheck check();

    /** Whether a review has this hash: deleting the last reviews leaves no gap in the chain. */
    boolean containsHash(String hash);

    /** Writes to the database; returns what is wrong with it, if anything. */
    Optional<DatabaseException.Kind> findFailure();

    @Override
    void close();
}
