package org.plant4j.fuzz;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The outcomes of one target, with the recipes of its faults. */
final class Tally {

    private static final int SHOWN_FAULTS = 20;

    private final String target;
    private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    private final List<String> faults = new ArrayList<>();
    private long nanoseconds;

    Tally(String target) {
        this.target = target;
    }

    void add(Outcome outcome, long took) {
        counts.merge(outcome, 1, Integer::sum);
        nanoseconds += took;
    }

    /** Keeps the first recipes; the rest are only counted. */
    void addFault(String recipe) {
        if (faults.size() < SHOWN_FAULTS) {
            faults.add(recipe);
        }
    }

    int count(Outcome outcome) {
        return counts.getOrDefault(outcome, 0);
    }

    boolean hasFaults() {
        return counts.keySet().stream().anyMatch(Outcome::isFault);
    }

    String faults() {
        return String.join("\n\n", faults);
    }

    static String header() {
        return Stream.of(Outcome.values())
                .map(outcome -> String.format(Locale.ROOT, "%9s", outcome.name().toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining(
                        "", String.format(Locale.ROOT, "%-16s%9s", "target", "inputs"), "  seconds"));
    }

    @Override
    public String toString() {
        int inputs = counts.values().stream().mapToInt(Integer::intValue).sum();
        return Stream.of(Outcome.values())
                .map(outcome -> String.format(Locale.ROOT, "%9d", count(outcome)))
                .collect(Collectors.joining(
                        "",
                        String.format(Locale.ROOT, "%-16s%9d", target, inputs),
                        String.format(Locale.ROOT, "%9.1f", nanoseconds / 1e9)));
    }
}
