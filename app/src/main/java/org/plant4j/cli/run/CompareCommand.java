package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.Predictions;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.statistics.ApproximateRandomization;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant compare}: compares two runs with a significance test. */
@Command(
        name = "compare",
        description = {
            "Compare two runs on the same documents, with p-values.",
            "Uses test if both runs were evaluated on it, otherwise dev. The models are not needed."
        })
public final class CompareCommand implements Callable<Integer> {

    private static final List<Integer> CUTOFFS = List.of(5, 8, 15);
    private static final double SIGNIFICANT = 0.05;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "Directory of the first run.")
    private Path first;

    @Parameters(
            index = "1",
            paramLabel = "RUN",
            description = "Directory of the second run; a positive difference favours it.")
    private Path second;

    @Option(names = "--split", paramLabel = "SPLIT", description = "dev or test (default: test if available).")
    private Optional<String> split = Optional.empty();

    @Option(
            names = "--permutations",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Number of permutations (default: ${DEFAULT-VALUE}).")
    private int permutations;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "Random seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public Integer call() {
        OptionCheck.atLeast(1, "--permutations", permutations);
        RunDirectory a = RunArgument.open(first);
        RunDirectory b = RunArgument.open(second);
        String shared = sharedSplit(a, b);
        Comparison comparison = Comparison.of(
                a.name(),
                Predictions.read(a.predictions(shared)),
                b.name(),
                Predictions.read(b.predictions(shared)),
                CUTOFFS,
                new ApproximateRandomization(permutations, seed));
        if (json.enabled()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("split", shared);
            result.put("permutations", permutations);
            result.put("seed", seed);
            result.put("comparison", comparison);
            common.out().println(JsonOption.pretty(result));
        } else {
            print(comparison, shared);
        }
        return CommandLine.ExitCode.OK;
    }

    /** The split that both runs were evaluated on. */
    private String sharedSplit(RunDirectory a, RunDirectory b) {
        String ofA = RunResult.chooseSplit(a, split);
        String ofB = RunResult.chooseSplit(b, split);
        if (ofA.equals(ofB)) {
            return ofA;
        }
        return RunResult.evaluatedSplits(a).stream()
                .filter(RunResult.evaluatedSplits(b)::contains)
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "The runs were not evaluated on the same split: one on " + ofA + ", the other on " + ofB,
                        a.name() + ", " + b.name(),
                        "evaluate both on the same split"));
    }

    private void print(Comparison comparison, String split) {
        ReportTable table = ReportTable.of(
                Column.text("metric"),
                Column.percent(comparison.first()),
                Column.percent(comparison.second()),
                Column.number("difference", 2),
                Column.number("p", 4));
        for (Comparison.Row row : comparison.rows()) {
            table = table.row(
                    row.metric(),
                    row.first(),
                    row.second(),
                    String.format(Locale.ROOT, "%+.2f", 100 * row.difference()),
                    row.pValue());
        }
        common.out().print(table.toText(common.color()));
        common.out()
                .println(common.faint(String.format(
                        Locale.ROOT,
                        "In percent, on %d %s documents; p: two-sided randomization test, %,d permutations.",
                        comparison.documents(),
                        split,
                        permutations)));
        common.out().println(verdict(comparison));
    }

    private static String verdict(Comparison comparison) {
        List<String> better = metrics(comparison, 1);
        List<String> worse = metrics(comparison, -1);
        if (better.isEmpty() && worse.isEmpty()) {
            return "No difference is significant (p < " + SIGNIFICANT + ").";
        }
        String gains = better.isEmpty()
                ? ""
                : comparison.second() + " is better on " + list(better, comparison) + " (p < " + SIGNIFICANT + "). ";
        String losses = worse.isEmpty()
                ? ""
                : comparison.first() + " is better on " + list(worse, comparison) + " (p < " + SIGNIFICANT + ").";
        return (gains + losses).strip();
    }

    private static String list(List<String> metrics, Comparison comparison) {
        return metrics.size() == comparison.rows().size()
                ? "all " + metrics.size() + " metrics"
                : String.join(", ", metrics);
    }

    private static List<String> metrics(Comparison comparison, int direction) {
        return comparison.rows().stream()
                .filter(row -> row.pValue() < SIGNIFICANT && row.difference() * direction > 0)
                .map(Comparison.Row::metric)
                .toList();
    }
}
