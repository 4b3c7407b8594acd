package org.plant4j.cli.ranking;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.option.BadRowsOption;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.prediction.Ranking;
import org.plant4j.prediction.RankingFile;
import org.plant4j.prediction.RankingMerge;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant ranking merge}: merges several rankings into one. */
@Command(
        name = "merge",
        description = {
            "Merge several rankings of the same documents.",
            "The score of a code is the weighted mean of its scores; a ranking that does not list the code counts as 0.",
            "With --fitted it is computed as 'plant ranking fit' learned."
        },
        footer = {
            "",
            "Examples:",
            "  plant ranking merge plant.tsv descriptions.tsv --weights 2,1 -o merged.tsv",
            "  plant ranking merge plant.tsv descriptions.tsv --fitted merge.json --experiment plant@codiesp-d-final \\",
            "      -o merged.tsv"
        })
final class RankingMergeCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final BadRowsOption badRowsOption = new BadRowsOption();

    @Parameters(arity = "2..*", paramLabel = "FILE", description = "Ranking files from 'plant predict --ranking'.")
    private List<Path> files;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "Output file; compressed if its name ends in .gz.")
    private Path output = Path.of("merged.tsv");

    @Option(
            names = "--weights",
            split = ",",
            paramLabel = "W",
            description = "Comma-separated weights, one per ranking (default: equal weights).")
    private List<Double> weights = List.of();

    @Option(
            names = "--fitted",
            paramLabel = "FILE",
            description = "Output of 'plant ranking fit' for rankings of the same models in the same order.")
    private Optional<Path> fitted = Optional.empty();

    @Option(
            names = "--experiment",
            paramLabel = "EXPERIMENT",
            description = "With --fitted: experiment whose training documents the models were trained on.")
    private Optional<String> experiment = Optional.empty();

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Number of codes per document (default: ${DEFAULT-VALUE}).")
    private int top = 100;

    @Option(names = "--lowercase", description = "Write codes in lower case.")
    private boolean lowercase;

    @Override
    public Integer call() {
        check();
        BadRowHandler badRows = badRowsOption.open();
        OutputFile.createParentDirectory(output);
        List<RankingFile> rankings = files.stream().map(RankingFile::read).toList();
        List<Ranking> merged = fitted.map(RankingMerge::read)
                .map(stack -> merge(stack, rankings, badRows))
                .orElseGet(() -> RankingFile.merge(
                        rankings, weights.isEmpty() ? Collections.nCopies(files.size(), 1.0) : weights, top));
        RankingFile.write(output, merged, lowercase);
        common.info("Wrote " + output + ": " + merged.size() + " documents");
        common.reportSkipped(badRows);
        return CommandLine.ExitCode.OK;
    }

    private List<Ranking> merge(RankingMerge stack, List<RankingFile> rankings, BadRowHandler badRows) {
        int members = stack.stacking().members();
        if (members != rankings.size()) {
            throw new UserError(
                    "It was fitted to " + members + " rankings, not " + rankings.size(),
                    fitted.orElseThrow().toString(),
                    "give the rankings of the same models, in the same order as to plant ranking fit");
        }
        Splits splits = CorpusFormats.openSplits(
                ExperimentArgument.read(experiment.orElseThrow(), List.of()).corpus(), badRows);
        return stack.merge(rankings, RankingMerge.frequencies(splits.train()), top);
    }

    private void check() {
        OptionCheck.atLeast(1, "--top", top);
        if (fitted.isPresent() != experiment.isPresent()) {
            throw new UserError(
                    "--fitted and --experiment belong together",
                    fitted.isPresent() ? "--fitted" : "--experiment",
                    "give both: the merge depends on the number of training documents of a code");
        }
        if (badRowsOption.skip() && fitted.isEmpty()) {
            throw new UserError(
                    "Only the corpus of --experiment can have bad rows to skip",
                    BadRowsOption.NAME,
                    "drop it, or add --fitted and --experiment");
        }
        if (fitted.isPresent() && !weights.isEmpty()) {
            throw new UserError("--fitted and --weights are both given", "--weights", "give one of them");
        }
        if (!weights.isEmpty() && weights.size() != files.size()) {
            throw new UserError(
                    weights.size() + " weights given for " + files.size() + " rankings",
                    "--weights",
                    "give one weight per ranking, in the same order");
        }
        boolean valid = weights.stream().allMatch(weight -> weight >= 0 && Double.isFinite(weight));
        if (!valid || (!weights.isEmpty() && weights.stream().allMatch(weight -> weight == 0))) {
            throw new UserError(
                    "The weights must not be negative, and not all 0",
                    "--weights",
                    "use numbers of 0 or more, at least one above 0");
        }
    }
}
