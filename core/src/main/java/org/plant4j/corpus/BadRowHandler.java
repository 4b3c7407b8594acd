package org.plant4j.corpus;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.plant4j.support.UserError;

/** What a reader does with a row it cannot read: end with the error, or leave the row out and count it. */
public final class BadRowHandler {

    private final boolean skip;
    private final Set<String> skipped = new HashSet<>();
    private Optional<UserError> first = Optional.empty();

    private BadRowHandler(boolean skip) {
        this.skip = skip;
    }

    public static BadRowHandler fail() {
        return new BadRowHandler(false);
    }

    public static BadRowHandler skip() {
        return new BadRowHandler(true);
    }

    /** Throws the error, or counts it where bad rows are skipped. */
    public synchronized void report(UserError error) {
        if (!skip) {
            throw error;
        }
        skipped.add(error.where());
        if (first.isEmpty()) {
            first = Optional.of(error);
        }
    }

    /** What a row holds, or nothing where it is bad and bad rows are skipped. */
    public <T> Optional<T> tryRead(Supplier<T> row) {
        try {
            return Optional.of(row.get());
        } catch (UserError error) {
            report(error);
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
