package org.plant4j.review;

import java.time.Instant;

/** The id and time of a stored review. */
public record ReviewReceipt(String id, Instant at) {}
