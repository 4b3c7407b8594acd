package org.plant4j.app.review;

import java.time.Instant;
import java.util.Optional;

/** A named right of access; of its secret only the SHA-256 hash is kept, in hexadecimal. */
public record Token(String name, Role role, String hash, Instant created, Optional<Instant> revoked) {}
