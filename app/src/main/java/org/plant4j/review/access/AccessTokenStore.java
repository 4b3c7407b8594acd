package org.plant4j.review.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.plant4j.review.database.Database;

/** The store of access tokens, in the same database as the reviews. Thread-safe. */
public interface AccessTokenStore extends AutoCloseable {

    /** Opens the database at a JDBC URL and creates or migrates its tables. */
    @SuppressWarnings("DoNotCallSuggester")
    static AccessTokenStore open(String url) {
        return of(Database.open(url));
    }

    /** Tokens in an open database, which closing the store closes. */
    static AccessTokenStore of(Database database) {
        return new JdbcAccessTokenStore(database);
    }

    /** Adds a token; a name that was ever used, revoked or not, is a {@link org.plant4j.UserError}. */
    void add(AccessToken token);

    /** All tokens including revoked ones, oldest first. */
    List<AccessToken> list();

    /** Finds a token by its hash, expired or not; revoked tokens are not found. */
    Optional<AccessToken> find(String hash);

    /** Replaces the secret of an active token at once; returns false if there is no active token with this name. */
    boolean rotate(String name, String hash, Instant at, Optional<Instant> expires);

    /** Revokes a token; returns false if there is no active token with this name. */
    boolean revoke(String name, Instant at);

    @Override
    void close();
}
