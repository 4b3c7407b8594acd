package org.plant4j.review;

import java.time.Instant;
import java.util.Optional;

/** A named right of access; of its secret only the SHA-256 hash is kept, in hexadecimal. */
public record AccessToken(String name, Role role, String hash, Instant created, Optional<Instant> revoked) {}
