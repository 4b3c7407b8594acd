package org.plant4j.app.desk;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.plant4j.app.review.Role;
import org.plant4j.app.review.Token;
import org.plant4j.app.review.TokenStore;

/**
 * Who may do what. Beyond loopback every request needs a token; on loopback only once there is one. What the database
 * says is believed for a few seconds, so a token made or revoked by another program counts soon.
 */
final class Access {

    private static final String SCHEME = "Bearer ";
    private static final long BELIEVED_NANOSECONDS = 3_000_000_000L;

    /** Longer than any token: what is longer is not worth hashing. */
    private static final int LONGEST = 200;

    private static final int MOST_REMEMBERED = 1000;

    private record Known(Token token, long at) {}

    private final TokenStore tokens;
    private final boolean loopback;
    private final RateLimit bearers;
    private final RateLimit strangers;
    private final LongSupplier nanoseconds;
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private volatile boolean open;
    private volatile long openSince;

    /** {@code perSecond} requests for each token, and as many for each address without one; 0 is no limit. */
    Access(TokenStore tokens, boolean loopback, int perSecond, LongSupplier nanoseconds) {
        this.tokens = tokens;
        this.loopback = loopback;
        this.nanoseconds = nanoseconds;
        this.bearers = new RateLimit(perSecond, nanoseconds);
        this.strangers = new RateLimit(perSecond, nanoseconds);
        this.open = isOpen(tokens, loopback);
        this.openSince = nanoseconds.getAsLong();
    }

    /** Whether requests need no token: on loopback, as long as there is none. */
    static boolean isOpen(TokenStore tokens, boolean loopback) {
        return loopback
                && tokens.list().stream().allMatch(token -> token.revoked().isPresent());
    }

    /** Who this is, or the reason to refuse. */
    Bearer admit(Optional<String> authorization, String address, Need need) {
        if (need == Need.NOTHING) {
            return Bearer.LOCAL; // a page is many files, and behind a proxy all have one address
        }
        if (isOpenNow()) {
            strangers.count(address);
            return Bearer.LOCAL;
        }
        Optional<Token> token = authorization.flatMap(this::token);
        if (token.isEmpty()) {
            strangers.count(address);
            throw new Problem(
                    Problem.UNAUTHORIZED,
                    authorization.isPresent() ? "The token is not valid" : "A token is needed",
                    "Authorization",
                    "send 'Authorization: Bearer TOKEN'; `plant token create` makes one");
        }
        Bearer bearer = new Bearer(token.get().name(), token.get().role());
        bearers.count(bearer.name());
        if (need == Need.ADMIN && bearer.role() != Role.ADMIN) {
            throw new Problem(
                    Problem.FORBIDDEN, "This needs the role admin", "Authorization", "ask an administrator for it");
        }
        return bearer;
    }

    private boolean isOpenNow() {
        long now = nanoseconds.getAsLong();
        if (loopback && now - openSince > BELIEVED_NANOSECONDS) {
            open = isOpen(tokens, true);
            openSince = now;
        }
        return open;
    }

    private Optional<Token> token(String authorization) {
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) || authorization.length() > LONGEST) {
            return Optional.empty();
        }
        String hash = Secret.hash(authorization.substring(SCHEME.length()).strip());
        long now = nanoseconds.getAsLong();
        Known before = known.get(hash);
        if (before != null && now - before.at() < BELIEVED_NANOSECONDS) {
            return Optional.of(before.token());
        }
        Optional<Token> found = tokens.find(hash);
        known.remove(hash);
        if (known.size() > MOST_REMEMBERED) {
            known.clear();
        }
        found.ifPresent(token -> known.put(hash, new Known(token, now)));
        return found;
    }
}
