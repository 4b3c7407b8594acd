package org.plant4j.spark.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.spark.engine.BarrierTraining;
import org.plant4j.spark.engine.SparkEngine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of commands that run stages of an experiment. */
final class ExperimentOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Parameters(
            index = "0",
            paramLabel = "EXPERIMENT",
            description = "MODEL@CORPUS, such as plant@demo, or a YAML file.")
    private String named;

    @Option(
            names = "--runs",
            paramLabel = "DIR",
            description = "Directory of runs and cached stages, shared with 'plant run' (default: ${DEFAULT-VALUE}).")
    private Path runs = Path.of("runs");

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override a setting, such as preprocessing.min_token_count=2; repeatable.")
    private List<String> overrides = List.of();

    @Option(names = "--force", description = "Compute again what is already there.")
    private boolean force;

    @Option(
            names = "--partition-bytes",
            paramLabel = "N",
            description = "Bytes of JSON Lines per task (default: ${DEFAULT-VALUE}).")
    private long partitionBytes = SparkEngine.DEFAULT_PARTITION_BYTES;

    /** Prints the outcome of each stage. */
    Pipeline open(SparkSession spark) {
        PrintWriter out = command.commandLine().getOut();
        Session session = new Session(
                commandLine(), BadRowHandler.fail(), force, Progress.NONE, () -> false, (stage, outcome) -> {
                    out.println(stage + ": " + outcome);
                    out.flush();
                });
        return new Pipeline(experiment(), runs, session, new SparkEngine(spark, partitionBytes));
    }

    /** Training in several executors. */
    BarrierTraining training() {
        if (force) {
            // Each start after a lost executor would begin from the first epoch.
            throw new UserError("--force cannot be combined with --processes", "--force", "delete the run directory");
        }
        return new BarrierTraining(experiment(), runs, commandLine());
    }

    private Experiment experiment() {
        return ExperimentFile.open(named, overrides);
    }

    private String commandLine() {
        return "plant-spark "
                + String.join(" ", command.root().commandLine().getParseResult().originalArgs());
    }

    void print(String line) {
        command.commandLine().getOut().println(line);
        command.commandLine().getOut().flush();
    }
}
