package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.prediction.Ranking;
import org.plant4j.prediction.RankingFile;
import org.plant4j.support.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant ranking merge}: one ranking from several. */
@Command(
        name = "merge",
        description = {
            "Make one ranking from several of the same notes, as of models that read different words.",
            "A code's score is the weighted mean of its scores, 0 where a ranking does not list it."
        },
        footer = {"", "Example:", "  plant ranking merge plant.tsv descriptions.tsv --to both.tsv --weights 2,1"})
public final class RankingMergeCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Parameters(arity = "2..*", paramLabel = "FILE", description = "Rankings that 'predict --ranking' wrote.")
    private List<Path> files;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "FILE",
            description = "Where to; gzip where the name ends in .gz.")
    private Path to = Path.of("merged.tsv");

    @Option(
            names = "--weights",
            split = ",",
            paramLabel = "W",
            description = "What each ranking weighs, parted by commas (default: all the same).")
    private List<Double> weights = List.of();

    @Option(names = "--codes", paramLabel = "N", description = "Codes listed for a note (default: ${DEFAULT-VALUE}).")
    private int codes = 100;

    @Option(names = "--lower", description = "Codes in lower case (default: as the files write them).")
    private boolean lower;

    @Override
    public Integer call() {
        check();
        OutputFile.createParentDirectory(to);
        List<Ranking> merged = RankingFile.merge(
                files.stream().map(RankingFile::read).toList(),
                weights.isEmpty() ? Collections.nCopies(files.size(), 1.0) : weights,
                codes);
        RankingFile.write(to, merged, lower);
        common.info("Written: " + to + ", " + merged.size() + " notes");
        return CommandLine.ExitCode.OK;
    }

    private void check() {
        if (codes < 1) {
            throw new UserError(codes + " codes are none", "--codes", "use 1 or more");
        }
        if (!weights.isEmpty() && weights.size() != files.size()) {
            throw new UserError(
                    weights.size() + " weights do not fit " + files.size() + " rankings",
                    "--weights",
                    "give each ranking its weight, in their order, or none");
        }
        boolean fit = weights.stream().allMatch(weight -> weight >= 0 && Double.isFinite(weight));
        if (!fit || (!weights.isEmpty() && weights.stream().allMatch(weight -> weight == 0))) {
            throw new UserError("The weights cannot be averaged with", "--weights", "use numbers from 0 on, not all 0");
        }
    }
}
