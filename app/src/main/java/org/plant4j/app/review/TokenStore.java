package org.plant4j.app.review;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where tokens are kept, beside the reviews. Safe for use by several threads. */
public interface TokenStore extends AutoCloseable {

    /** Opens the database of a JDBC address, and makes or migrates its tables. */
    @SuppressWarnings("DoNotCallSuggester")
    static TokenStore open(String url) {
        return new JdbcTokenStore(Database.open(url));
    }

    /** Adds a token; a name that was ever used, revoked or not, is a {@link org.plant4j.UserError}. */
    void add(Token token);

    /** Every token, revoked ones too, the oldest first. */
    List<Token> list();

    /** The token with this hash that is not revoked. */
    Optional<Token> find(String hash);

    /** Whether there was such a token to revoke. */
    boolean revoke(String name, Instant at);

    @Override
    void close();
}
