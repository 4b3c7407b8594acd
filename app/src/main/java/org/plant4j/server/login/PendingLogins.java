package org.plant4j.server.login;

import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Sign-ins that were sent to the provider and have not come back. Each can be completed once. */
final class PendingLogins {

    private static final long TIMEOUT_NANOSECONDS = 600_000_000_000L;
    private static final int MAX_PENDING = 10_000;

    /**
     * A sign-in under way.
     *
     * @param state identifies it, to the provider and in a cookie of the browser that began it
     * @param nonce ties the ID token to it
     * @param verifier proves to the provider that the code is redeemed by who asked for it
     * @param returnPath the page to return to
     */
    record PendingLogin(State state, Nonce nonce, CodeVerifier verifier, String returnPath, long startedAt) {}

    private final LongSupplier nanoseconds;
    private final Map<String, PendingLogin> byState = new LinkedHashMap<>(); // oldest first

    PendingLogins(LongSupplier nanoseconds) {
        this.nanoseconds = nanoseconds;
    }

    synchronized PendingLogin start(String returnPath) {
        Iterator<PendingLogin> oldestFirst = byState.values().iterator();
        while (oldestFirst.hasNext() && (isExpired(oldestFirst.next()) || byState.size() >= MAX_PENDING)) {
            oldestFirst.remove(); // many requests must not keep others from signing in
        }
        PendingLogin login =
                new PendingLogin(new State(), new Nonce(), new CodeVerifier(), returnPath, nanoseconds.getAsLong());
        byState.put(login.state().getValue(), login);
        return login;
    }

    /** Removes and returns a sign-in; empty if it is unknown, took too long, or was completed before. */
    synchronized Optional<PendingLogin> take(String state) {
        return Optional.ofNullable(byState.remove(state)).filter(login -> !isExpired(login));
    }

    private boolean isExpired(PendingLogin login) {
        return nanoseconds.getAsLong() - login.startedAt() > TIMEOUT_NANOSECONDS;
    }
}
