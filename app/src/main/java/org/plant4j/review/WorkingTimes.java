package org.plant4j.review;

import java.util.Optional;
import java.util.TreeMap;

/** Quartiles of measured seconds. Memory is bounded by the number of different values, at most those of a day. */
public final class WorkingTimes {

    private final TreeMap<Integer, Integer> countBySeconds = new TreeMap<>();
    private int measured;

    /** Quartiles of the {@code measured} reviews; empty if there are none. */
    public record Quartiles(int measured, Optional<Integer> first, Optional<Integer> median, Optional<Integer> third) {}

    void add(int seconds) {
        countBySeconds.merge(seconds, 1, Integer::sum);
        measured++;
    }

    Quartiles quartiles() {
        return new Quartiles(measured, quantile(1), quantile(2), quantile(3));
    }

    /** The smallest value that at least {@code quarters} / 4 of all values do not exceed. */
    private Optional<Integer> quantile(int quarters) {
        long below = 0;
        for (var entry : countBySeconds.entrySet()) {
            below += entry.getValue();
            if (4 * below >= (long) quarters * measured) {
                return Optional.of(entry.getKey());
            }
        }
        return Optional.empty();
    }
}
