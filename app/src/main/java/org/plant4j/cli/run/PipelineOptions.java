package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.plant4j.cli.option.BadRowsOption;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How experiments are run: with which changes, and where to. */
public final class PipelineOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Change a setting, such as training.epochs=5; may be repeated.")
    private List<String> overrides = List.of();

    @Option(
            names = "--runs",
            paramLabel = "DIR",
            defaultValue = RunArgument.DEFAULT_RUNS,
            description = "Where run folders lie (default: ${DEFAULT-VALUE}).")
    private Path runs = Path.of(RunArgument.DEFAULT_RUNS);

    @Option(names = "--force", description = "Replace runs of the same name instead of reusing them.")
    private boolean force;

    @Mixin
    private final BadRowsOption badRowsOption = new BadRowsOption();

    public Path runs() {
        return runs;
    }

    List<String> overrides() {
        return overrides;
    }

    /** What another program must be told to run experiments the same way. */
    List<String> flags() {
        List<String> flags = new ArrayList<>();
        if (force) {
            flags.add("--force");
        }
        if (badRowsOption.skip()) {
            flags.add("--skip-bad");
        }
        return flags;
    }

    public Experiment read(String named) {
        return ExperimentArgument.read(named, overrides);
    }

    BadRowHandler badRows() {
        return badRowsOption.open();
    }

    /** False where it was interrupted. */
    public boolean run(
            Experiment experiment, CommonOptions common, BadRowHandler badRows, InterruptHandler interruption) {
        try (StagePrinter stages = new StagePrinter(common, runDirectory(experiment))) {
            return new Pipeline(experiment, runs, session(common, badRows, interruption, stages)).run();
        }
    }

    PreparedCorpus prepare(Experiment experiment, CommonOptions common, BadRowHandler badRows) {
        Pipeline.Listener listener = (name, outcome) -> {};
        return new Pipeline(experiment, runs, session(common, badRows, () -> false, listener)).prepare();
    }

    private Pipeline.Session session(
            CommonOptions common, BadRowHandler badRows, BooleanSupplier stop, Pipeline.Listener listener) {
        return new Pipeline.Session(commandLine(), badRows, force, common.progress(), stop, listener);
    }

    public RunDirectory runDirectory(Experiment experiment) {
        return new RunDirectory(runs.resolve(experiment.name()));
    }

    /** The class that starts this program, for starting it again. */
    String mainClass() {
        return command.root().userObject().getClass().getName();
    }

    /** The command as typed, for the manifest. */
    String commandLine() {
        List<String> typed = command.root().commandLine().getParseResult().originalArgs();
        return "plant " + String.join(" ", typed);
    }
}
