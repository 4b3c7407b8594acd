package org.plant4j.review;

import java.time.Instant;

/** The receipt of a review: under which id it was written, and when. */
public record ReviewReceipt(String id, Instant at) {}
