package org.plant4j.pipeline.stage;

import java.util.function.BooleanSupplier;
import org.plant4j.Progress;
import org.plant4j.StageListener;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.distributed.SingleProcess;

/**
 * The environment of a run.
 *
 * @param command the command line, for the manifest
 * @param force replaces an existing run and renews the cached stages that it uses
 * @param stop asks for an interruption
 * @param group the processes that train together; each runs the same pipeline
 */
public record Session(
        String command,
        BadRowHandler badRows,
        boolean force,
        Progress progress,
        BooleanSupplier stop,
        StageListener listener,
        ProcessGroup group) {

    public Session(
            String command,
            BadRowHandler badRows,
            boolean force,
            Progress progress,
            BooleanSupplier stop,
            StageListener listener) {
        this(command, badRows, force, progress, stop, listener, SingleProcess.INSTANCE);
    }

    /** The same session in a group; only its first process reports. */
    public Session withGroup(ProcessGroup processes) {
        return processes.isFirst()
                ? new Session(command, badRows, force, progress, stop, listener, processes)
                : new Session(command, badRows, force, Progress.NONE, stop, (stage, outcome) -> {}, processes);
    }
}
