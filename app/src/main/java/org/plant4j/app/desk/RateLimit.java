package org.plant4j.app.desk;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Lets each user send so many requests a second, and after a pause a few seconds' worth of them at once. */
final class RateLimit {

    private static final int SECONDS_AT_ONCE = 4;

    /** Users remembered; above it those are forgotten who have their full allowance again. */
    private static final int MOST = 10_000;

    private record Allowance(double requests, long at) {}

    private final int perSecond;
    private final LongSupplier nanoseconds;
    private final Map<String, Allowance> users = new HashMap<>();

    /** Without a limit where {@code perSecond} is 0. */
    RateLimit(int perSecond, LongSupplier nanoseconds) {
        this.perSecond = perSecond;
        this.nanoseconds = nanoseconds;
    }

    /** Counts a request of the user, or refuses it with 429. */
    synchronized void count(String user) {
        if (perSecond == 0) {
            return;
        }
        long now = nanoseconds.getAsLong();
        double left = left(users.getOrDefault(user, new Allowance(full(), now)), now);
        if (left < 1) {
            throw Problem.tooMany("There are more than " + perSecond + " requests a second", "rate", 1);
        }
        users.put(user, new Allowance(left - 1, now));
        if (users.size() > MOST) {
            users.values().removeIf(allowance -> left(allowance, now) >= full());
        }
    }

    private double full() {
        return (double) perSecond * SECONDS_AT_ONCE;
    }

    private double left(Allowance allowance, long now) {
        return Math.min(full(), allowance.requests() + (now - allowance.at()) / 1e9 * perSecond);
    }
}
