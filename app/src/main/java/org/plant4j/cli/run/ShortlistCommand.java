package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.EvaluationSplit;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.study.measurement.ShortlistAgreement;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant shortlist}: compares predictions by shortlist with full scoring. */
@Command(
        name = "shortlist",
        description = {
            "Compare predictions by shortlist with full scoring.",
            "Scores all labels of every document and counts how often a shortlist holds all of the best ones.",
            "Without --sizes, finds the smallest size for each --agreement."
        },
        footer = {
            "",
            "Examples:",
            "  plant shortlist runs/plant@demo",
            "  plant shortlist runs/plant@demo --sizes 50,100"
        })
public final class ShortlistCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final EvaluationSplit split = new EvaluationSplit();

    @Parameters(paramLabel = "RUN", arity = "1..*", description = "Directories of runs of PLANT.")
    private List<Path> runs = List.of();

    @Option(
            names = "--sizes",
            paramLabel = "N",
            split = ",",
            description = "Labels in a shortlist, separated by commas.")
    private List<Integer> sizes = List.of();

    @Option(
            names = "--agreement",
            paramLabel = "SHARE",
            split = ",",
            defaultValue = "0.9,0.95,0.99,1",
            description = "Shares of documents with the same best labels, separated by commas"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Double> agreements = List.of();

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "15",
            description = "Best labels that are compared (default: ${DEFAULT-VALUE}).")
    private int top = Coder.DEFAULT_CODES;

    @Override
    public Integer call() {
        sizes.forEach(size -> OptionCheck.atLeast(1, "--sizes", size));
        OptionCheck.atLeast(1, "--top", top);
        agreements.forEach(agreement -> {
            if (!(agreement >= 0 && agreement <= 1)) {
                throw new UserError(
                        "An agreement must be between 0 and 1, not " + agreement, "--agreement", "such as 0.99");
            }
        });
        List<ShortlistAgreement.Result> results = new ArrayList<>();
        for (Path run : runs) {
            results.addAll(ShortlistAgreement.measure(
                    RunArgument.open(run), device.compute(), split.name(), sizes, agreements, top, common.progress()));
        }
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(results));
        } else {
            print(results);
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(List<ShortlistAgreement.Result> results) {
        ReportTable table = ReportTable.of(
                Column.text("run"),
                Column.number("shortlist", 0),
                Column.number("documents", 0),
                Column.percent("same top " + top),
                Column.percent("of top " + top + " listed"),
                Column.percent("gold labels listed"));
        for (ShortlistAgreement.Result result : results) {
            table = table.row(
                    result.run(),
                    result.size(),
                    result.documents(),
                    result.equal(),
                    result.listed(),
                    result.goldListed());
        }
        common.out().print(table.toText(common.color()));
    }
}
