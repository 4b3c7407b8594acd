package org.plant4j.cli.run;

import java.util.Optional;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.terminal.RunLog;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;

/** Tells what became of each stage of a run, and keeps the run's log from the first one on. */
public final class StagePrinter implements Pipeline.Listener, AutoCloseable {

    private static final int NAME_WIDTH = "evaluate".length();

    private final CommonOptions common;
    private final RunDirectory folder;
    /** Opened late: an experiment whose corpus cannot be read leaves no folder behind. */
    private Optional<RunLog> log = Optional.empty();

    StagePrinter(CommonOptions common, RunDirectory folder) {
        this.common = common;
        this.folder = folder;
        common.info(folder.name());
    }

    @Override
    public void onStage(String name, String outcome) {
        if (log.isEmpty()) {
            log = Optional.of(RunLog.in(folder.path()));
        }
        common.info("  " + name + " ".repeat(Math.max(0, NAME_WIDTH - name.length())) + "  " + outcome);
    }

    @Override
    public void close() {
        log.ifPresent(RunLog::close);
    }
}
