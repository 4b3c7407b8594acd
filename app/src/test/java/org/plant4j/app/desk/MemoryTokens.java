package org.plant4j.app.desk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.app.review.Role;
import org.plant4j.app.review.Token;
import org.plant4j.app.review.TokenStore;

/** Tokens in a list, for tests of what is around them. */
final class MemoryTokens implements TokenStore {

    private final List<Token> all = new ArrayList<>();

    /** Makes a token and returns its secret. */
    String create(String name, Role role) {
        String secret = Secret.create();
        add(new Token(name, role, Secret.hash(secret), Instant.EPOCH, Optional.empty()));
        return secret;
    }

    @Override
    public synchronized void add(Token token) {
        all.add(token);
    }

    @Override
    public synchronized List<Token> list() {
        return List.copyOf(all);
    }

    @Override
    public synchronized Optional<Token> find(String hash) {
        return all.stream()
                .filter(token -> token.hash().equals(hash) && token.revoked().isEmpty())
                .findFirst();
    }

    @Override
    public synchronized boolean revoke(String name, Instant at) {
        for (int i = 0; i < all.size(); i++) {
            Token token = all.get(i);
            if (token.name().equals(name) && token.revoked().isEmpty()) {
                all.set(i, new Token(name, token.role(), token.hash(), token.created(), Optional.of(at)));
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {}
}
