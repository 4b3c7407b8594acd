package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.plant4j.Coder;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.context.ContextRule;
import org.plant4j.context.ContextScore;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.prediction.Suggestion;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.support.Progress;
import org.plant4j.support.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant context}: measures how the context of evidence changes predicted codes. */
@Command(
        name = "context",
        description = {
            "Measure which codes of a run need review because of their context.",
            "Counts predicted codes whose evidence is negated or about relatives, right and wrong ones."
        },
        footer = {
            "",
            "Examples:",
            "  plant context runs/plant@demo",
            "  plant context runs/plant@demo --split test --fractions 1,0.5"
        })
public final class ContextCommand implements Callable<Integer> {

    /** Codes per document; more are hardly ever predicted. */
    private static final int CODES = 40;

    private record Result(String run, double fraction, ContextScore score) {}

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Parameters(paramLabel = "RUN", arity = "1..*", description = "Run directories.")
    private List<Path> runs = List.of();

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            defaultValue = "dev",
            description = "dev or test (default: ${DEFAULT-VALUE}).")
    private String split = "dev";

    @Option(
            names = "--fractions",
            paramLabel = "FRACTION",
            split = ",",
            defaultValue = "1",
            description = "Least fractions of the weight of a code's evidence that is negated or about relatives, "
                    + "separated by commas (default: ${DEFAULT-VALUE}, all).")
    private List<Double> fractions = List.of();

    @Override
    public Integer call() {
        if (!List.of("dev", "test").contains(split)) {
            throw new UserError("Unknown split '" + split + "'", "--split", "use dev or test");
        }
        if (fractions.stream().anyMatch(fraction -> !(fraction > 0 && fraction <= 1))) {
            throw new UserError("A fraction is not above 0 and at most 1", "--fractions", "use fractions such as 0.5");
        }
        List<Result> results = new ArrayList<>();
        for (RunDirectory run : runs.stream().map(RunArgument::open).toList()) {
            measure(run).forEach((fraction, score) -> results.add(new Result(run.name(), fraction, score)));
        }
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(results));
        } else {
            print(results);
        }
        return CommandLine.ExitCode.OK;
    }

    private Map<Double, ContextScore> measure(RunDirectory run) {
        // Bad rows were reported when the corpus was prepared.
        Splits splits = CorpusFormats.openSplits(
                ExperimentFile.read(run.experiment(), List.of()).corpus(), BadRowHandler.skip());
        Corpus corpus = split.equals("dev") ? splits.dev() : splits.test();
        Map<Double, ContextScore> scores = new LinkedHashMap<>();
        try (Coder coder = device.load(run);
                Progress.Task task = common.progress().start("context", -1);
                Stream<Document> documents = corpus.documents()) {
            documents.filter(document -> !document.codes().isEmpty()).forEachOrdered(document -> {
                List<Suggestion> suggestions =
                        coder.code(document.text(), CODES).suggestions();
                for (double fraction : fractions) {
                    ContextScore score = ContextScore.of(suggestions, document.codes(), new ContextRule(fraction));
                    scores.merge(fraction, score, ContextScore::plus);
                }
                task.advance(1);
            });
        }
        return scores;
    }

    private void print(List<Result> results) {
        ReportTable table = ReportTable.of(
                Column.text("run"),
                Column.number("fraction", 2),
                Column.number("right", 0),
                Column.number("wrong", 0),
                Column.number("right moved", 0),
                Column.number("wrong moved", 0),
                Column.percent("precision"),
                Column.percent("after"));
        for (Result result : results) {
            ContextScore score = result.score();
            table = table.row(
                    result.run(),
                    result.fraction(),
                    score.right(),
                    score.wrong(),
                    score.rightMoved(),
                    score.wrongMoved(),
                    score.precision(),
                    score.precisionAfter());
        }
        common.out().print(table.toText(common.color()));
        common.out()
                .println(
                        common.faint(
                                "Codes predicted on " + split
                                        + "; moved: from the band suggest to review, because their evidence is negated or about relatives."));
    }
}
