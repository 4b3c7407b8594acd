package org.plant4j.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.plant4j.corpus.BadRows;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.Pipeline;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How experiments are run: with which changes, and where to. */
final class PipelineOptions {

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

    Path runs() {
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

    Experiment read(String named) {
        return ExperimentArgument.read(named, overrides);
    }

    BadRows badRows() {
        return badRowsOption.open();
    }

    /** False where it was interrupted. */
    boolean run(Experiment experiment, CommonOptions common, BadRows badRows, Interruption interruption) {
        try (Stages stages = new Stages(common, folder(experiment))) {
            return new Pipeline(experiment, runs, session(common, badRows, interruption, stages)).run();
        }
    }

    PreparedCorpus prepare(Experiment experiment, CommonOptions common, BadRows badRows) {
        Pipeline.Listener listener = (name, outcome) -> {};
        return new Pipeline(experiment, runs, session(common, badRows, () -> false, listener)).prepare();
    }

    private Pipeline.Session session(
            CommonOptions common, BadRows badRows, BooleanSupplier stop, Pipeline.Listener listener) {
        return new Pipeline.Session(line(), badRows, force, common.progress(), stop, listener);
    }

    RunFolder folder(Experiment experiment) {
        return new RunFolder(runs.resolve(experiment.name()));
    }

    /** The command as typed, for the manifest. */
    String line() {
        List<String> typed = command.root().commandLine().getParseResult().originalArgs();
        return "plant " + String.join(" ", typed);
    }
}
