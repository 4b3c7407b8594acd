package org.plant4j.app.review;

import java.time.Instant;

/** The receipt of a review: under which id it was written, and when. */
public record Stored(String id, Instant at) {}
