package org.plant4j.review.access;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tokens in a list, for tests. */
public final class InMemoryAccessTokenStore implements AccessTokenStore {

    private final List<AccessToken> all = new ArrayList<>();

    /** Creates a token and returns its secret. */
    public String create(String name, Role role) {
        String secret = TokenSecret.generate();
        add(new AccessToken(name, role, TokenSecret.hash(secret), Instant.EPOCH, Optional.empty(), Optional.empty()));
        return secret;
    }

    @Override
    public synchronized void add(AccessToken token) {
        all.add(token);
    }

    @Override
    public synchronized List<AccessToken> list() {
        return List.copyOf(all);
    }

    @Override
    public synchronized Optional<AccessToken> find(String hash) {
        return all.stream()
                .filter(token -> token.hash().equals(hash) && token.revoked().isEmpty())
                .findFirst();
    }

    @Override
    public synchronized boolean rotate(String name, String hash, Instant at, Optional<Instant> expires) {
        for (int i = 0; i < all.size(); i++) {
            AccessToken token = all.get(i);
            if (token.name().equals(name) && token.revoked().isEmpty()) {
                all.set(i, new AccessToken(name, token.role(), hash, at, expires, Optional.empty()));
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized boolean revoke(String name, Instant at) {
        for (int i = 0; i < all.size(); i++) {
            AccessToken token = all.get(i);
            if (token.name().equals(name) && token.revoked().isEmpty()) {
                all.set(
                        i,
                        new AccessToken(
                                name, token.role(), token.hash(), token.created(), token.expires(), Optional.of(at)));
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {}
}
