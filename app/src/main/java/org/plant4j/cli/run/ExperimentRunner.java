package org.plant4j.cli.run;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.plant4j.StageListener;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.process.InterruptHandler;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.distributed.SingleProcess;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.text.PreparedCorpus;

/** Runs experiments for a command: prints their stages, and stops cleanly on Ctrl-C until it is closed. */
public final class ExperimentRunner implements AutoCloseable {

    private final CommonOptions common;
    private final PipelineOptions options;
    private final InterruptHandler interrupt;
    private final BadRowHandler badRows;
    private final ProcessGroup group;

    public ExperimentRunner(CommonOptions common, PipelineOptions options) {
        this(common, options, SingleProcess.INSTANCE);
    }

    /** Trains with the other processes of a group, of which only the first prints. */
    ExperimentRunner(CommonOptions common, PipelineOptions options, ProcessGroup group) {
        this.common = common;
        this.options = options;
        this.group = group;
        this.interrupt = new InterruptHandler(common);
        this.badRows = options.badRows();
    }

    /** Runs one experiment after the other and passes each run on that it finished. Returns false if interrupted. */
    public boolean runAll(List<Experiment> experiments, Consumer<RunDirectory> finished) {
        for (Experiment experiment : experiments) {
            if (interrupt.getAsBoolean() || !run(experiment)) {
                return false;
            }
            if (group.isFirst()) {
                finished.accept(options.runDirectory(experiment));
            }
        }
        return true;
    }

    private boolean run(Experiment experiment) {
        if (!group.isFirst()) {
            return pipeline(experiment, (stage, outcome) -> {}).run();
        }
        try (StagePrinter stages = new StagePrinter(common, options.runDirectory(experiment))) {
            return pipeline(experiment, stages).run();
        }
    }

    /** Prepares the corpus of an experiment without training. */
    PreparedCorpus prepare(Experiment experiment) {
        return pipeline(experiment, (stage, outcome) -> {}).prepare();
    }

    private Pipeline pipeline(Experiment experiment, StageListener listener) {
        return new Pipeline(
                experiment,
                options.runs(),
                new Session(options.commandLine(), badRows, options.force(), common.progress(), interrupt, listener)
                        .withGroup(group));
    }

    /** Whether the user pressed Ctrl-C. */
    BooleanSupplier interrupted() {
        return interrupt;
    }

    /** Prints how to resume, and returns the exit code of an interrupted command. */
    public int reportInterruption() {
        common.info("Interrupted. Run the same command again to resume.");
        return InterruptHandler.EXIT;
    }

    /** Reports skipped rows and stops handling Ctrl-C. */
    @Override
    public void close() {
        common.reportSkipped(badRows);
        interrupt.close();
    }
}
