package org.plant4j.review;

import java.time.Instant;
import java.util.Optional;

/** A named access token. Only the SHA-256 hash of its secret is stored, in hexadecimal. */
public record AccessToken(String name, Role role, String hash, Instant created, Optional<Instant> revoked) {}
