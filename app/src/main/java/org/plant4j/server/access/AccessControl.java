package org.plant4j.server.access;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.plant4j.review.access.AccessToken;
import org.plant4j.review.access.AccessTokenStore;
import org.plant4j.review.access.TokenSecret;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequiredRole;

/**
 * Authenticates and authorizes requests. Every request needs a token or a session, except on a local server: one on loopback and
 * without a proxy. There it needs one once a token has existed, and if a proxy has forwarded it nevertheless. Tokens are cached for a few seconds, so a token created or revoked by another process takes effect soon.
 */
public final class AccessControl {

    private static final String SCHEME = "Bearer ";
    private static final long CACHE_NANOSECONDS = 3_000_000_000L;

    /** Longer than any valid header; longer values are not hashed. */
    private static final int MAX_HEADER_LENGTH = 200;

    private static final int MAX_CACHED_TOKENS = 1000;

    private record CachedToken(AccessToken token, long cachedAt) {}

    private final AccessTokenStore tokens;
    private final boolean local;
    private final RateLimiter userLimiter;
    private final RateLimiter anonymousLimiter;
    private final Clock clock;
    private final LongSupplier nanoseconds;
    private final Map<String, CachedToken> cachedTokens = new ConcurrentHashMap<>();
    private volatile boolean anonymousAllowed;
    private volatile long anonymousCheckedAt;

    /** Limits each token, and each address without a token, to {@code perSecond} requests; 0 means no limit. */
    public AccessControl(AccessTokenStore tokens, boolean local, int perSecond, Clock clock, LongSupplier nanoseconds) {
        this.tokens = tokens;
        this.clock = clock;
        this.local = local;
        this.nanoseconds = nanoseconds;
        this.userLimiter = new RateLimiter(perSecond, nanoseconds);
        this.anonymousLimiter = new RateLimiter(perSecond, nanoseconds);
        this.anonymousAllowed = allowsAnonymous(tokens, local);
        this.anonymousCheckedAt = nanoseconds.getAsLong();
    }

    /** Whether requests need no token: on a local server, if no token has ever existed. Revoking the last one opens nothing. */
    static boolean allowsAnonymous(AccessTokenStore tokens, boolean local) {
        return local && tokens.list().isEmpty();
    }

    /**
     * Returns who sent a request, or rejects it with 401. A token counts before a session.
     *
     * @param session who is signed in, by a cookie
     */
    public Caller authenticate(
            Optional<String> authorization, Supplier<Optional<Caller>> session, ClientAddress client) {
        if (client.direct() && allowsAnonymousNow()) {
            limitAnonymous(client);
            return Caller.LOCAL;
        }
        Optional<Caller> caller = authorization.isPresent()
                ? authorization
                        .flatMap(this::findToken)
                        .filter(token -> token.isValid(clock.instant()))
                        .map(token -> new Caller(token.name(), token.role()))
                : session.get();
        if (caller.isEmpty()) {
            limitAnonymous(client);
            throw new ApiException(
                    ApiException.UNAUTHORIZED,
                    authorization.isPresent() ? "The token is not valid or has expired" : "A token is required",
                    "Authorization",
                    "sign in, or send 'Authorization: Bearer TOKEN'; create a token with `plant token create`");
        }
        return caller.get();
    }

    /** Rejects requests if an address sends too many without a token or session. */
    public void limitAnonymous(ClientAddress client) {
        anonymousLimiter.acquire(client.address());
    }

    /** Rejects a caller without the required role, or with too many requests. */
    public void authorize(Caller caller, RequiredRole required) {
        userLimiter.acquire(caller.name());
        if (required == RequiredRole.ADMIN && !caller.isAdmin()) {
            throw new ApiException(
                    ApiException.FORBIDDEN, "The admin role is required", "Authorization", "ask an administrator");
        }
        if (required == RequiredRole.REVIEWER && !caller.isReviewer()) {
            throw new ApiException(
                    ApiException.FORBIDDEN, "The reviewer role is required", "Authorization", "ask an administrator");
        }
    }

    private boolean allowsAnonymousNow() {
        long now = nanoseconds.getAsLong();
        if (local && now - anonymousCheckedAt > CACHE_NANOSECONDS) {
            anonymousAllowed = allowsAnonymous(tokens, true);
            anonymousCheckedAt = now;
        }
        return anonymousAllowed;
    }

    private Optional<AccessToken> findToken(String authorization) {
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                || authorization.length() > MAX_HEADER_LENGTH) {
            return Optional.empty();
        }
        String hash = TokenSecret.hash(authorization.substring(SCHEME.length()).strip());
        long now = nanoseconds.getAsLong();
        CachedToken cached = cachedTokens.get(hash);
        if (cached != null && now - cached.cachedAt() < CACHE_NANOSECONDS) {
            return Optional.of(cached.token());
        }
        Optional<AccessToken> found = tokens.find(hash);
        cachedTokens.remove(hash);
        if (cachedTokens.size() > MAX_CACHED_TOKENS) {
            cachedTokens.clear();
        }
        found.ifPresent(token -> cachedTokens.put(hash, new CachedToken(token, now)));
        return found;
    }
}
