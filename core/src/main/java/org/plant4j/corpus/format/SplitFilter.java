package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/** Selects the rows of a file whose split column has a value, in one pass. A value that no row has is an error. */
final class SplitFilter {

    /** More values than this are not names of splits. */
    private static final int MAX_NAMES = 100;

    private final Optional<String> wanted;
    private final Set<String> seen = new TreeSet<>();

    SplitFilter(Optional<String> wanted) {
        this.wanted = wanted;
    }

    boolean accepts(Optional<String> value) {
        if (wanted.isEmpty()) {
            return true;
        }
        String name = value.orElse("").strip();
        if (seen.size() < MAX_NAMES) {
            seen.add(name);
        }
        return name.equalsIgnoreCase(wanted.get());
    }

    /** Appends the check that the value was seen. */
    <T> Stream<T> checked(Stream<T> rows, Path file) {
        return wanted.isEmpty() ? rows : Stream.concat(rows, Stream.of(wanted.get()).flatMap(name -> {
            if (seen.stream().noneMatch(name::equalsIgnoreCase)) {
                throw new UserError(
                        "No row has the split '" + name + "'", file.toString(), DidYouMean.remedy(name, seen));
            }
            return Stream.empty();
        }));
    }
}
