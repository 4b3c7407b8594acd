package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.Coder;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.context.ContextScore;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.ContextProfiling;
import org.plant4j.prediction.Suggestion;
import org.plant4j.prediction.Trait;
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
        footer = {"", "Examples:", "  plant context runs/plant@demo", "  plant context runs/plant@demo --split test"})
public final class ContextCommand implements Callable<Integer> {

    /** Codes per document; more are hardly ever predicted. */
    private static final int CODES = 40;

    /**
     * The predicted codes of a run that need review.
     *
     * @param withoutProfile all codes whose evidence is negated or about relatives, also where training documents with such
     *     mentions have the code
     */
    private record Result(String run, String split, int documents, ContextScore score, ContextScore withoutProfile) {

        Result plus(List<Suggestion> suggestions, Document document) {
            return new Result(
                    run,
                    split,
                    documents + 1,
                    score.plus(ContextScore.of(suggestions, document.codes(), Suggestion::contradicted)),
                    withoutProfile.plus(
                            ContextScore.of(suggestions, document.codes(), ContextCommand::isNegatedOrFamily)));
        }
    }

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
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the measurement of a single run as JSON, for results/context.")
    private @Nullable Path output;

    @Override
    public Integer call() {
        if (!List.of("dev", "test").contains(split)) {
            throw new UserError("Unknown split '" + split + "'", "--split", "use dev or test");
        }
        if (output != null && runs.size() > 1) {
            throw new UserError("--output takes a single run", "--output", "measure the runs one by one");
        }
        List<Result> results =
                runs.stream().map(RunArgument::open).map(this::measure).toList();
        if (output != null) {
            OutputFile.write(output, JsonOption.pretty(results.get(0)) + "\n");
        }
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(results));
        } else {
            print(results);
        }
        return CommandLine.ExitCode.OK;
    }

    private Result measure(RunDirectory run) {
        CorpusConfig config = ExperimentFile.read(run.experiment(), List.of()).corpus();
        if (!run.has(run.contextProfile())) {
            ContextProfiling.write(run, config);
        }
        // Bad rows were reported when the corpus was prepared.
        Splits splits = CorpusFormats.openSplits(config, BadRowHandler.skip());
        Corpus corpus = split.equals("dev") ? splits.dev() : splits.test();
        try (Coder coder = device.load(run);
                Progress.Task task = common.progress().start("context", -1);
                Stream<Document> documents = corpus.documents()) {
            Result result = new Result(run.name(), split, 0, ContextScore.NONE, ContextScore.NONE);
            for (Document document :
                    (Iterable<Document>) documents.filter(each -> !each.codes().isEmpty())::iterator) {
                result = result.plus(coder.code(document.text(), CODES).suggestions(), document);
                task.advance(1);
            }
            return result;
        }
    }

    private static boolean isNegatedOrFamily(Suggestion suggestion) {
        return !suggestion.evidence().isEmpty()
                && suggestion.evidence().stream()
                        .allMatch(item -> item.traits().stream().anyMatch(Trait::contradicts));
    }

    private void print(List<Result> results) {
        ReportTable table = ReportTable.of(
                Column.text("run"),
                Column.number("right", 0),
                Column.number("wrong", 0),
                Column.number("right moved", 0),
                Column.number("wrong moved", 0),
                Column.text("without profile"),
                Column.percent("precision"),
                Column.percent("after"));
        for (Result result : results) {
            ContextScore score = result.score();
            table = table.row(
                    result.run(),
                    score.right(),
                    score.wrong(),
                    score.rightMoved(),
                    score.wrongMoved(),
                    result.withoutProfile().rightMoved() + " / "
                            + result.withoutProfile().wrongMoved(),
                    score.precision(),
                    score.precisionAfter());
        }
        common.out().print(table.toText(common.color()));
        common.out()
                .println(
                        common.faint(
                                "Codes predicted on " + split
                                        + "; moved: from the band suggest to review, because their evidence is negated or about relatives."));
        common.out()
                .println(common.faint(
                        "Without profile: right / wrong codes moved if negated mentions never supported a code."));
    }
}
