package org.plant4j.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.plant4j.Coder;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.ExperimentLibrary;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.evaluation.DomainTuning;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.support.FileLock;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant domain}: measures how well a run tells foreign texts from documents of its corpus. */
@Command(
        name = "domain",
        description = {
            "Measure how well a run detects foreign texts.",
            "Compares dev and test documents with texts in other languages, source code, random letters, shuffled words"
                    + " and other corpora. A run without a guard gets one."
        },
        footer = {"", "Example:", "  plant domain runs/plant@codiesp-d --foreign demo --foreign english=data/notes"})
public final class DomainCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Parameters(paramLabel = "RUN", description = "Run directory, such as runs/laat@demo.")
    private Path run;

    @Option(
            names = "--foreign",
            paramLabel = "[NAME=]SOURCE",
            description =
                    "Foreign texts: a corpus of the library, of which dev is used, a JSON lines file, or a directory"
                            + " of text files; may be repeated.")
    private List<String> foreign = List.of();

    @Option(
            names = "--documents",
            paramLabel = "N",
            description = "Maximal number of documents per split or source (default: ${DEFAULT-VALUE}).")
    private int documents = 250;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Also write the result to a JSON file.")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() {
        OptionCheck.atLeast(1, "--documents", documents);
        RunDirectory directory = RunArgument.open(run);
        output.ifPresent(OutputFile::createParentDirectory);
        Experiment experiment = ExperimentFile.read(directory.experiment(), List.of());
        Map<String, List<String>> others = new LinkedHashMap<>();
        foreign.forEach(each -> others.put(name(each), texts(open(each.substring(each.indexOf('=') + 1)))));
        Map<String, List<String>> splits = splits(experiment);
        tuneIfMissing(directory, experiment);
        DomainMeasurement measured;
        try (Coder coder = device.load(directory)) {
            measured = DomainMeasurement.of(directory.name(), coder, splits, others, common.progress());
        }
        output.ifPresent(file -> OutputFile.write(file, JsonOption.pretty(measured) + "\n"));
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(measured));
        } else {
            print(measured);
        }
        return CommandLine.ExitCode.OK;
    }

    private static String name(String source) {
        int separator = source.indexOf('=');
        return separator > 0 ? source.substring(0, separator) : source;
    }

    private static Corpus open(String source) {
        if (ExperimentLibrary.names(ExperimentLibrary.Kind.CORPORA).contains(source)) {
            return CorpusFormats.openSplits(
                            ExperimentArgument.read("prior@" + source, List.of())
                                    .corpus(),
                            BadRowHandler.fail())
                    .dev();
        }
        Path path = Path.of(source);
        if (!Files.exists(path)) {
            throw new UserError(
                    "There are no such texts",
                    "--foreign " + source,
                    "name a corpus such as demo, a JSON lines file, or a directory of text files");
        }
        return Files.isDirectory(path)
                ? CorpusFormats.openCorpus("text", path, Map.of(), BadRowHandler.fail())
                : CorpusFormats.openCorpus("jsonl", path, Map.of("uncoded", "keep"), BadRowHandler.fail());
    }

    private List<String> texts(Corpus corpus) {
        try (Stream<Document> sampled = Corpora.sample(corpus, documents, 1).documents()) {
            return sampled.map(Document::text).filter(text -> !text.isBlank()).toList();
        }
    }

    /** Dev and test; the training documents if dev is empty. */
    private Map<String, List<String>> splits(Experiment experiment) {
        Splits corpus = CorpusFormats.openSplits(experiment.corpus(), BadRowHandler.fail());
        Map<String, List<String>> splits = new LinkedHashMap<>();
        splits.put(PreparedCorpus.DEV, texts(corpus.dev()));
        if (splits.containsValue(List.of())) {
            splits.clear();
            splits.put("train", texts(corpus.train()));
        }
        splits.put(PreparedCorpus.TEST, texts(corpus.test()));
        return splits;
    }

    private void tuneIfMissing(RunDirectory directory, Experiment experiment) {
        if (directory.has(directory.domain())) {
            return;
        }
        Path runs = directory.path().toAbsolutePath().normalize().resolveSibling("");
        Session session = new Session(
                "plant domain", BadRowHandler.fail(), false, common.progress(), () -> false, (stage, outcome) -> {});
        PreparedCorpus prepared = new Pipeline(experiment, runs, session).prepare();
        try (FileLock lock = FileLock.acquire(
                        Pipeline.lockFile(directory),
                        () -> common.info("Waiting for `plant run`, which writes to this run."),
                        () -> false)
                .orElseThrow()) {
            DomainTuning.write(directory, prepared);
        }
    }

    private void print(DomainMeasurement measured) {
        ReportTable table = ReportTable.of(
                Column.text("texts"),
                Column.number("number", 0),
                Column.percent("rejected"),
                Column.percent("AUROC"),
                Column.percent("by highest score"),
                Column.percent("by predicted codes"),
                Column.number("predicted codes", 1));
        for (DomainMeasurement.Kind kind : Stream.concat(measured.corpus().stream(), measured.foreign().stream())
                .toList()) {
            table = table.row(
                    kind.name(),
                    kind.texts(),
                    kind.rejected(),
                    kind.auroc().getOrDefault("guard", Double.NaN),
                    kind.auroc().getOrDefault("highest score", Double.NaN),
                    kind.auroc().getOrDefault("predicted codes", Double.NaN),
                    kind.predictedCodes());
        }
        common.out().print(table.toText(common.color()));
        common.out()
                .println(
                        common.faint("In percent. AUROC against dev documents: of the guard, and of the model's highest"
                                + " score and number of predicted codes. Predicted codes are per text, before the guard. "
                                + measured.closestLanguage() + " is not among the other languages."));
    }
}
