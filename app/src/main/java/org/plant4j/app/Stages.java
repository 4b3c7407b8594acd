package org.plant4j.app;

import java.util.Optional;
import org.plant4j.experiment.Pipeline;
import org.plant4j.predict.RunFolder;

/** Tells what became of each stage of a run, and keeps the run's log from the first one on. */
final class Stages implements Pipeline.Listener, AutoCloseable {

    private static final int NAME_WIDTH = "evaluate".length();

    private final CommonOptions common;
    private final RunFolder folder;
    /** Opened late: an experiment whose corpus cannot be read leaves no folder behind. */
    private Optional<RunLog> log = Optional.empty();

    Stages(CommonOptions common, RunFolder folder) {
        this.common = common;
        this.folder = folder;
        common.say(folder.name());
    }

    @Override
    public void stage(String name, String outcome) {
        if (log.isEmpty()) {
            log = Optional.of(RunLog.in(folder.path()));
        }
        common.say("  " + name + " ".repeat(Math.max(0, NAME_WIDTH - name.length())) + "  " + outcome);
    }

    @Override
    public void close() {
        log.ifPresent(RunLog::close);
    }
}
