package org.plant4j.server.login;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.plant4j.review.access.TokenSecret;
import org.plant4j.server.access.Caller;

/**
 * Who is signed in. Kept in memory only: a restart ends all sessions, and the provider, who remembers its users, starts
 * them again.
 */
final class Sessions {

    private static final int MAX_SESSIONS = 10_000;

    /** A session; {@code idToken} is what the provider needs to end its own session. */
    private record Session(Caller caller, String idToken, long startedAt, long usedAt) {

        Session usedAt(long now) {
            return new Session(caller, idToken, startedAt, now);
        }
    }

    private final long idleNanoseconds;
    private final long lifetimeNanoseconds;
    private final LongSupplier nanoseconds;

    /** By the hash of the secret in the cookie. */
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();

    Sessions(OidcSettings.SessionLimits limits, LongSupplier nanoseconds) {
        this.idleNanoseconds = limits.idle().toNanos();
        this.lifetimeNanoseconds = limits.lifetime().toNanos();
        this.nanoseconds = nanoseconds;
    }

    /** Starts a session and returns its secret. It is always a new one: a secret that a browser brings is never adopted. */
    String start(Caller caller, String idToken) {
        long now = nanoseconds.getAsLong();
        sessions.values().removeIf(session -> isExpired(session, now));
        if (sessions.size() >= MAX_SESSIONS) {
            sessions.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().usedAt()))
                    .ifPresent(longestIdle -> sessions.remove(longestIdle.getKey()));
        }
        String secret = TokenSecret.generate();
        sessions.put(TokenSecret.hash(secret), new Session(caller, idToken, now, now));
        return secret;
    }

    /** The user of a session, which this keeps from becoming idle. */
    Optional<Caller> use(String secret) {
        long now = nanoseconds.getAsLong();
        Session used = sessions.computeIfPresent(
                TokenSecret.hash(secret), (hash, session) -> isExpired(session, now) ? null : session.usedAt(now));
        return Optional.ofNullable(used).map(Session::caller);
    }

    /** Ends a session and returns its ID token. */
    Optional<String> end(String secret) {
        return Optional.ofNullable(sessions.remove(TokenSecret.hash(secret))).map(Session::idToken);
    }

    private boolean isExpired(Session session, long now) {
        return now - session.usedAt() > idleNanoseconds || now - session.startedAt() > lifetimeNanoseconds;
    }
}
