package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.plant4j.cli.option.BadRowsOption;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of commands that run experiments. */
public final class PipelineOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override a setting, such as training.epochs=5; may be repeated.")
    private List<String> overrides = List.of();

    @Option(
            names = "--runs",
            paramLabel = "DIR",
            defaultValue = RunArgument.DEFAULT_RUNS,
            description = "Directory for runs (default: ${DEFAULT-VALUE}).")
    private Path runs = Path.of(RunArgument.DEFAULT_RUNS);

    @Option(
            names = "--force",
            description =
                    "Replace existing runs of the same name and renew their cached stages instead of reusing them.")
    private boolean force;

    @Mixin
    private final BadRowsOption badRowsOption = new BadRowsOption();

    public Path runs() {
        return runs;
    }

    List<String> overrides() {
        return overrides;
    }

    boolean force() {
        return force;
    }

    /** The flags that make another process run experiments the same way. */
    List<String> flags() {
        List<String> flags = new ArrayList<>();
        if (force) {
            flags.add("--force");
        }
        if (badRowsOption.skip()) {
            flags.add(BadRowsOption.NAME);
        }
        return flags;
    }

    public Experiment read(String named) {
        return ExperimentArgument.read(named, overrides, command.commandLine().getErr()::println);
    }

    /** Reads an experiment with further settings, which those of the command line override, under another name. */
    public Experiment read(String named, String name, List<String> settings) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(overrides);
        all.add("name=" + name);
        return ExperimentArgument.read(named, all);
    }

    BadRowHandler badRows() {
        return badRowsOption.open();
    }

    public RunDirectory runDirectory(Experiment experiment) {
        return new RunDirectory(runs.resolve(experiment.name()));
    }

    /** The class that starts this program, for starting it in another process. */
    String mainClass() {
        return command.root().userObject().getClass().getName();
    }

    /** The command as typed, for the manifest. */
    String commandLine() {
        return "plant " + String.join(" ", arguments());
    }

    /** The arguments as typed. */
    List<String> arguments() {
        return command.root().commandLine().getParseResult().originalArgs();
    }
}
