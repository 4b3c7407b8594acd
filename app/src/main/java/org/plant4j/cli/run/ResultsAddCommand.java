package org.plant4j.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.results.ExperimentResult;
import org.plant4j.results.ResultCollector;
import org.plant4j.results.ResultFiles;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant results add}: stores the metrics of runs with their seeds, commit, command and data fingerprint. */
@Command(
        name = "add",
        description = {
            "Store the results of runs, one JSON file per experiment.",
            "Runs of an experiment that differ in their seed become one result with mean and deviation."
        },
        footer = {"", "Example:", "  plant results add runs/plant@codiesp-d-s1 runs/plant@codiesp-d-s2"})
final class ResultsAddCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Parameters(arity = "1..*", paramLabel = "RUN", description = "Run directories.")
    private List<Path> runs = List.of();

    @Option(names = "--split", paramLabel = "SPLIT", description = "dev or test (default: test if it has labels).")
    private Optional<String> split = Optional.empty();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            defaultValue = "results",
            description = "Directory of the results (default: ${DEFAULT-VALUE}).")
    private Path results = Path.of("results");

    @Option(
            names = "--commit",
            paramLabel = "HASH",
            description = "Commit of the code that made the runs (default: that of the working directory).")
    private Optional<String> commit = Optional.empty();

    @Override
    public Integer call() {
        List<RunDirectory> directories = runs.stream().map(RunArgument::open).toList();
        ResultFiles files = new ResultFiles(results);
        for (ExperimentResult result :
                new ResultCollector(commit.or(ResultsAddCommand::currentCommit)).collect(directories, split)) {
            common.out().println(files.write(result));
        }
        common.out().flush();
        return CommandLine.ExitCode.OK;
    }

    private static Optional<String> currentCommit() {
        try {
            Process git = new ProcessBuilder("git", "rev-parse", "HEAD")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String hash = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? Optional.of(hash) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // git is not installed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
