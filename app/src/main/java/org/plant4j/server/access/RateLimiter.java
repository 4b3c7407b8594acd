package org.plant4j.server.access;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.plant4j.server.http.ApiException;

/** Token bucket per user: a number of requests per second, with bursts of a few seconds' worth. */
final class RateLimiter {

    private static final int BURST_SECONDS = 4;

    /** Above this number, users with a full bucket are removed. */
    private static final int MAX_USERS = 10_000;

    private record Bucket(double requests, long updatedAt) {}

    private final int perSecond;
    private final LongSupplier nanoseconds;
    private final Map<String, Bucket> buckets = new HashMap<>();

    /** {@code perSecond} 0 means no limit. */
    RateLimiter(int perSecond, LongSupplier nanoseconds) {
        this.perSecond = perSecond;
        this.nanoseconds = nanoseconds;
    }

    /** Counts a request, or rejects it with 429. */
    synchronized void acquire(String user) {
        if (perSecond == 0) {
            return;
        }
        long now = nanoseconds.getAsLong();
        double available = available(buckets.getOrDefault(user, new Bucket(burst(), now)), now);
        if (available < 1) {
            throw ApiException.tooManyRequests("More than " + perSecond + " requests per second", "rate", 1);
        }
        buckets.put(user, new Bucket(available - 1, now));
        if (buckets.size() > MAX_USERS) {
            buckets.values().removeIf(bucket -> available(bucket, now) >= burst());
        }
    }

    private double burst() {
        return (double) perSecond * BURST_SECONDS;
    }

    private double available(Bucket bucket, long now) {
        return Math.min(burst(), bucket.requests() + (now - bucket.updatedAt()) / 1e9 * perSecond);
    }
}
