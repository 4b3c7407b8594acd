package org.plant4j.server.access;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.plant4j.server.http.ApiException;

/** Lets each user send so many requests a second, and after a pause a few seconds' worth of them at once. */
public final class RateLimiter {

    private static final int BURST_SECONDS = 4;

    /** Users remembered; above it those are forgotten who have their full allowance again. */
    private static final int MAX_USERS = 10_000;

    private record Allowance(double requests, long updatedAt) {}

    private final int perSecond;
    private final LongSupplier nanoseconds;
    private final Map<String, Allowance> users = new HashMap<>();

    /** Without a limit where {@code perSecond} is 0. */
    RateLimiter(int perSecond, LongSupplier nanoseconds) {
        this.perSecond = perSecond;
        this.nanoseconds = nanoseconds;
    }

    /** Counts a request of the user, or refuses it with 429. */
    synchronized void acquire(String user) {
        if (perSecond == 0) {
            return;
        }
        long now = nanoseconds.getAsLong();
        double left = available(users.getOrDefault(user, new Allowance(burst(), now)), now);
        if (left < 1) {
            throw ApiException.tooManyRequests("There are more than " + perSecond + " requests a second", "rate", 1);
        }
        users.put(user, new Allowance(left - 1, now));
        if (users.size() > MAX_USERS) {
            users.values().removeIf(allowance -> available(allowance, now) >= burst());
        }
    }

    private double burst() {
        return (double) perSecond * BURST_SECONDS;
    }

    private double available(Allowance allowance, long now) {
        return Math.min(burst(), allowance.requests() + (now - allowance.updatedAt()) / 1e9 * perSecond);
    }
}
