package org.plant4j.review;

import java.time.Instant;

/** A review as it is kept; the texts of its notes are empty where they are not. */
public record StoredReview(String id, Instant at, String reviewer, Review review) {}
