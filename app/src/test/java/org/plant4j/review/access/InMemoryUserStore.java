package org.plant4j.review.access;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Users in memory. */
public final class InMemoryUserStore implements UserStore {

    private final Map<String, String> names = new HashMap<>();
    private final Set<String> tokens;

    public InMemoryUserStore(Set<String> tokens) {
        this.tokens = tokens;
    }

    @Override
    public synchronized Optional<String> claim(String issuer, String subject, String name) {
        String key = issuer + " " + subject;
        if (!names.containsKey(key) && (names.containsValue(name) || tokens.contains(name))) {
            return Optional.empty();
        }
        names.putIfAbsent(key, name);
        return Optional.of(names.get(key));
    }

    @Override
    public void close() {}
}
