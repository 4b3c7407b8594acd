package org.plant4j.review;

import java.time.Instant;
import java.util.Optional;

/**
 * The acknowledgement of a stored review.
 *
 * @param supersedes the reviewer's previous review of the same document
 * @param hash the hash of this review and all before it
 */
public record ReviewReceipt(String id, Instant at, Optional<String> supersedes, String hash) {}
