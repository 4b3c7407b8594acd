package org.plant4j.cli.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.Coder;
import org.plant4j.CodingResult;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.Suggestion;
import org.plant4j.Trait;
import org.plant4j.UserError;
import org.plant4j.calibration.Bands;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.EvaluationSplit;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.context.ContextScore;
import org.plant4j.context.TraitScore;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.demo.AnnotatedSummary;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.evaluation.ContextProfiling;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.support.FileLock;
import org.plant4j.text.PreparedCorpus;
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
            "Counts codes that move from the band suggest to review because their evidence is negated or about"
                    + " relatives, right and wrong ones."
        },
        footer = {"", "Examples:", "  plant context runs/plant@demo", "  plant context runs/plant@demo --split test"})
public final class ContextCommand implements Callable<Integer> {

    /** Codes per document; more are hardly ever suggested. */
    private static final int CODES = 40;

    /**
     * The codes that move from the band suggest to review.
     *
     * @param withoutProfile all codes whose evidence is negated or about relatives, also where training documents with such
     *     mentions have the code
     * @param traits on the demo corpus, whose generator knows the context of mentions: the traits that they get
     */
    private record Result(
            String run,
            String split,
            int documents,
            ContextScore score,
            ContextScore withoutProfile,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TraitScore> traits) {

        Result plus(List<Suggestion> suggestions, Bands bands, Document document) {
            return new Result(
                    run,
                    split,
                    documents + 1,
                    score.plus(ContextScore.of(suggestions, bands, document.codes(), Suggestion::contradicted)),
                    withoutProfile.plus(
                            ContextScore.of(suggestions, bands, document.codes(), ContextCommand::isNegatedOrFamily)),
                    traits);
        }
    }

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final EvaluationSplit split = new EvaluationSplit();

    @Parameters(paramLabel = "RUN", arity = "1..*", description = "Run directories.")
    private List<Path> runs = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the measurement of a single run as JSON, for results/context.")
    private @Nullable Path output;

    @Override
    public Integer call() {
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
        // Bad rows were reported when the corpus was prepared.
        Splits splits = CorpusFormats.openSplits(config, BadRowHandler.skip());
        Corpus corpus = split.name().equals(PreparedCorpus.DEV) ? splits.dev() : splits.test();
        addProfileIfMissing(run, config);
        try (Coder coder = device.load(run);
                Progress.Task task = common.progress().start("context", -1);
                Stream<Document> documents = corpus.documents()) {
            Bands bands = run.calibrationOrNone().bands();
            Result result =
                    new Result(run.name(), split.name(), 0, ContextScore.NONE, ContextScore.NONE, traits(config));
            for (Document document :
                    (Iterable<Document>) documents.filter(each -> !each.codes().isEmpty())::iterator) {
                CodingResult coded = coder.code(document.text(), CODES);
                // Nothing is suggested out of domain, whatever the context.
                List<Suggestion> suggestions = coded.inDomain() ? coded.suggestions() : List.of();
                result = result.plus(suggestions, bands, document);
                task.advance(1);
            }
            return result;
        }
    }

    private List<TraitScore> traits(CorpusConfig corpus) {
        if (!corpus.format().equals("demo") || !corpus.options().isEmpty()) {
            return List.of();
        }
        try (Stream<AnnotatedSummary> summaries =
                new DemoCorpus(split.name().equals(PreparedCorpus.DEV) ? Split.DEV : Split.TEST, 1).summaries()) {
            return TraitScore.of(summaries);
        }
    }

    private void addProfileIfMissing(RunDirectory run, CorpusConfig corpus) {
        if (run.has(run.contextProfile())) {
            return;
        }
        try (FileLock lock = FileLock.acquire(
                        Pipeline.lockFile(run),
                        () -> common.info("Waiting for `plant run`, which writes to this run."),
                        () -> false)
                .orElseThrow()) {
            ContextProfiling.write(run, corpus);
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
                Column.number("suggested right", 0),
                Column.number("suggested wrong", 0),
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
                .println(common.faint("Codes whose probability is in the band suggest, on " + split.name()
                        + "; moved: to review, because their evidence is negated or about relatives."));
        common.out()
                .println(common.faint(
                        "Without profile: right / wrong codes moved if negated mentions never supported a code."));
        results.stream()
                .filter(result -> !result.traits().isEmpty())
                .findFirst()
                .ifPresent(this::printTraits);
    }

    private void printTraits(Result result) {
        ReportTable table = ReportTable.of(
                Column.text("mentions"),
                Column.number("number", 0),
                Column.number("negated", 0),
                Column.number("family", 0),
                Column.number("hypothetical", 0),
                Column.number("negated or family", 0));
        for (TraitScore score : result.traits()) {
            table = table.row(
                    score.context().toString().toLowerCase(Locale.ROOT).replace('_', ' '),
                    score.mentions(),
                    score.negated(),
                    score.family(),
                    score.hypothetical(),
                    score.contradicted());
        }
        common.out().println();
        common.out().print(table.toText(common.color()));
        common.out()
                .println(common.faint(
                        "Mentions of conditions in the demo corpus, by the context that its generator knows."));
    }
}
