package org.plant4j.corpus;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.plant4j.UserError;

/** What a reader does with a row it cannot read: end with the error, or leave the row out and count it. */
public final class BadRows {

    private final boolean skip;
    private final Set<String> skipped = new HashSet<>();
    private Optional<UserError> first = Optional.empty();

    private BadRows(boolean skip) {
        this.skip = skip;
    }

    public static BadRows fail() {
        return new BadRows(false);
    }

    public static BadRows skip() {
        return new BadRows(true);
    }

    /** Throws the error, or counts it where bad rows are skipped. */
    public synchronized void found(UserError error) {
        if (!skip) {
            throw error;
        }
        skipped.add(error.where());
        if (first.isEmpty()) {
            first = Optional.of(error);
        }
    }

    /** What a row holds, or nothing where it is bad and bad rows are skipped. */
    <T> Optional<T> attempt(Supplier<T> row) {
        try {
            return Optional.of(row.get());
        } catch (UserError error) {
            found(error);
            return Optional.empty();
        }
    }

    /** How many rows were left out; one met on several passes counts once. */
    public synchronized long skipped() {
        return skipped.size();
    }

    /** The first row left out, as an example for the closing message. */
    public synchronized Optional<UserError> first() {
        return first;
    }
}
