package org.plant4j.cli.run;

import java.util.Optional;
import org.plant4j.StageListener;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.terminal.RunLog;
import org.plant4j.cli.terminal.StageLine;
import org.plant4j.experiment.RunDirectory;

/** Prints the outcome of each stage of a run, and writes the run's log. */
final class StagePrinter implements StageListener, AutoCloseable {

    private final CommonOptions common;
    private final RunDirectory run;

    /** Opened at the first stage, so that an experiment whose corpus cannot be read leaves no directory behind. */
    private Optional<RunLog> log = Optional.empty();

    StagePrinter(CommonOptions common, RunDirectory run) {
        this.common = common;
        this.run = run;
        common.info(run.name());
    }

    @Override
    public void onStage(String name, String outcome) {
        if (log.isEmpty()) {
            log = Optional.of(RunLog.in(run.path()));
        }
        common.info(StageLine.format(name, outcome));
    }

    @Override
    public void close() {
        log.ifPresent(RunLog::close);
    }
}
