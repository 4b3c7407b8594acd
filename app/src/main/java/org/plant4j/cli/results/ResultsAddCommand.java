package org.plant4j.cli.results;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommitOption;
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

    @Mixin
    private final CommitOption commit = new CommitOption();

    @Override
    public Integer call() {
        List<RunDirectory> directories = runs.stream().map(RunArgument::open).toList();
        ResultFiles files = new ResultFiles(results);
        for (ExperimentResult result : new ResultCollector(commit.hash()).collect(directories, split)) {
            common.out().println(files.write(result));
        }
        common.out().flush();
        return CommandLine.ExitCode.OK;
    }
}
