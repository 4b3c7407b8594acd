package org.plant4j.app;

import org.plant4j.corpus.BadRows;
import picocli.CommandLine.Option;

/** What becomes of rows that cannot be read. */
final class BadRowsOption {

    @Option(names = "--skip-bad", description = "Leave out rows that cannot be read, and count them.")
    private boolean skip;

    boolean skip() {
        return skip;
    }

    BadRows open() {
        return skip ? BadRows.skip() : BadRows.fail();
    }
}
