package org.plant4j.review.access;

import java.time.Instant;
import java.util.Optional;

/**
 * A named access token. Only the SHA-256 hash of its secret is stored, in hexadecimal.
 *
 * @param created when the present secret was made
 * @param expires when it stops being valid, if ever
 */
public record AccessToken(
        String name, Role role, String hash, Instant created, Optional<Instant> expires, Optional<Instant> revoked) {

    public boolean isValid(Instant now) {
        return revoked.isEmpty() && expires.map(now::isBefore).orElse(true);
    }
}
