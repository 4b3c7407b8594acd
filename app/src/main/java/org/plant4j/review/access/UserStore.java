package org.plant4j.review.access;

import java.util.Optional;
import org.plant4j.review.database.Database;

/** The names of users who sign in at a provider, in the same database as the reviews, which are signed with them. */
public interface UserStore extends AutoCloseable {

    /** Users in an open database, which closing the store closes. */
    static UserStore of(Database database) {
        return new JdbcUserStore(database);
    }

    /**
     * Returns the name of a user: the one of the first sign-in, even if the provider has renamed the user since. Empty if
     * the name belongs to another user or to a token.
     *
     * @param subject the provider's identifier of the user, which never changes
     * @param name the name that the user gets at the first sign-in
     */
    Optional<String> claim(String issuer, String subject, String name);

    @Override
    void close();
}
