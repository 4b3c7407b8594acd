package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.support.DidYouMean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the rows of a file whose split column has a value, in one pass. A value that no row has is an error; rows with
 * values that the config does not name are reported, because they are in no split.
 */
final class SplitFilter {

    private static final Logger LOG = LoggerFactory.getLogger(SplitFilter.class);

    /** More values than this are not names of splits. */
    private static final int MAX_NAMES = 100;

    private final Optional<String> wanted;
    private final List<String> subsets;
    private final Map<String, Integer> rows = new TreeMap<>();
    private int unassigned;

    /** {@code subsets} are all values that the config assigns to train, dev and test. */
    SplitFilter(Optional<String> wanted, List<String> subsets) {
        this.wanted = wanted;
        this.subsets = subsets;
    }

    boolean accepts(Optional<String> value) {
        if (wanted.isEmpty()) {
            return true;
        }
        String name = value.orElse("").strip();
        if (rows.size() < MAX_NAMES || rows.containsKey(name)) {
            rows.merge(name, 1, Integer::sum);
        }
        if (!isSubset(name)) {
            unassigned++;
        }
        return name.equalsIgnoreCase(wanted.get());
    }

    private boolean isSubset(String name) {
        return subsets.stream().anyMatch(name::equalsIgnoreCase);
    }

    /** Appends the check that the value was seen. */
    <T> Stream<T> checked(Stream<T> selected, Path file) {
        return wanted.isEmpty()
                ? selected
                : Stream.concat(selected, Stream.of(wanted.get()).flatMap(name -> {
                    if (rows.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
                        throw new UserError(
                                "No row has the split '" + name + "'",
                                file.toString(),
                                DidYouMean.remedy(name, rows.keySet()));
                    }
                    // Once for all passes over the file: train, dev and test are read one after the other.
                    if (name.equals(subsets.stream().findFirst().orElse(""))) {
                        unassignedRows().ifPresent(message -> LOG.warn("{}: {}", file, message));
                    }
                    return Stream.empty();
                }));
    }

    /** How many rows are in no split; only values that look like names are quoted. */
    Optional<String> unassignedRows() {
        String names = rows.entrySet().stream()
                .filter(row -> !isSubset(row.getKey()) && row.getKey().matches("[\\w.:-]{0,40}"))
                .map(row -> "'" + row.getKey() + "': " + row.getValue())
                .collect(Collectors.joining(", "));
        return unassigned == 0
                ? Optional.empty()
                : Optional.of(unassigned + (unassigned == 1 ? " row is" : " rows are") + " in no split (" + names
                        + "); name the values in train, dev or test to use them");
    }
}
