package org.plant4j.corpus.file;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.plant4j.UserError;

/** Handles rows that cannot be read: fails with the error, or skips the row and counts it. */
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

    /** Throws the error, or counts it if bad rows are skipped. */
    public synchronized void report(UserError error) {
        if (!skip) {
            throw error;
        }
        skipped.add(error.where());
        if (first.isEmpty()) {
            first = Optional.of(error);
        }
    }

    /** Reads a row; empty if it is bad and bad rows are skipped. */
    public <T> Optional<T> tryRead(Supplier<T> row) {
        try {
            return Optional.of(row.get());
        } catch (UserError error) {
            report(error);
            return Optional.empty();
        }
    }

    /** The number of skipped rows; a row that several passes skip counts once. */
    public synchronized long skipped() {
        return skipped.size();
    }

    /** The error of the first skipped row, an example for the closing message. */
    public synchronized Optional<UserError> first() {
        return first;
    }
}
