package org.plant4j.review;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where tokens are kept, beside the reviews. Safe for use by several threads. */
public interface AccessTokenStore extends AutoCloseable {

    /** Opens the database of a JDBC address, and makes or migrates its tables. */
    @SuppressWarnings("DoNotCallSuggester")
    static AccessTokenStore open(String url) {
        return new JdbcAccessTokenStore(Database.open(url));
    }

    /** Adds a token; a name that was ever used, revoked or not, is a {@link org.plant4j.support.UserError}. */
    void add(AccessToken token);

    /** Every token, revoked ones too, the oldest first. */
    List<AccessToken> list();

    /** The token with this hash that is not revoked. */
    Optional<AccessToken> find(String hash);

    /** Whether there was such a token to revoke. */
    boolean revoke(String name, Instant at);

    @Override
    void close();
}
