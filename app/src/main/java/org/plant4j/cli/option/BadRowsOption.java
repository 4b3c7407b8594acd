package org.plant4j.cli.option;

import org.plant4j.corpus.file.BadRowHandler;
import picocli.CommandLine.Option;

/** What becomes of rows that cannot be read. */
public final class BadRowsOption {

    @Option(names = "--skip-bad", description = "Leave out rows that cannot be read, and count them.")
    private boolean skip;

    public boolean skip() {
        return skip;
    }

    public BadRowHandler open() {
        return skip ? BadRowHandler.skip() : BadRowHandler.fail();
    }
}
