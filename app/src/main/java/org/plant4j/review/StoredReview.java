package org.plant4j.review;

import java.time.Instant;

/** A review with its id, time and reviewer. Document texts are empty if the server does not keep them. */
public record StoredReview(String id, Instant at, String reviewer, Review review) {}
