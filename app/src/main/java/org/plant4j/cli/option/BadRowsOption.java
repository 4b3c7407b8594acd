package org.plant4j.cli.option;

import org.plant4j.corpus.file.BadRowHandler;
import picocli.CommandLine.Option;

/** {@code --skip-bad-rows}: whether unreadable rows of a corpus are skipped or end the command. */
public final class BadRowsOption {

    public static final String NAME = "--skip-bad-rows";

    @Option(names = NAME, description = "Skip rows that cannot be read, and report their number.")
    private boolean skip;

    public boolean skip() {
        return skip;
    }

    public BadRowHandler open() {
        return skip ? BadRowHandler.skip() : BadRowHandler.fail();
    }
}
