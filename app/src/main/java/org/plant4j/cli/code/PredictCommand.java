package org.plant4j.cli.code;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.plant4j.Coder;
import org.plant4j.CodingResult;
import org.plant4j.Progress;
import org.plant4j.RankedCode;
import org.plant4j.UserError;
import org.plant4j.cli.corpus.CorpusFormatOptions;
import org.plant4j.cli.corpus.RunCorpus;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.option.SplitNames;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.prediction.Ranking;
import org.plant4j.prediction.RankingFile;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant predict}: codes for documents. */
@Command(
        name = "predict",
        description = "Suggest codes for documents, with evidence.",
        footer = {
            "",
            "Examples:",
            "  plant predict codiesp-d nota.txt",
            "  plant predict runs/laat@demo document.txt",
            "  plant predict runs/laat@demo --text 'Acute kidney failure.' --json",
            "  plant predict runs/laat@demo new.jsonl --csv --predicted",
            "  plant predict runs/laat@demo --format text --corpus documents/ --tsv",
            "  plant predict runs/laat@demo --split test --ranking codes.tsv",
            "  plant predict runs/laat@demo --fhir bundle.json"
        })
public final class PredictCommand implements Callable<Integer> {

    /** The longest FHIR resource; its attachments are longer than their texts, because they are in base64. */
    private static final int MAX_RESOURCE_CHARACTERS = 1 << 24;

    /** Documents read ahead and coded together. */
    private static final int BATCH_SIZE = 32;

    private static final int BATCH_CHARACTERS = 500_000;

    private static final int SUBMISSION_CODES = 100;

    /** More codes than any document has above the threshold. */
    private static final int PREDICTED_CODES = 1000;

    /** Codes of the hidden band are omitted from FHIR output, so few more are needed. */
    private static final int FHIR_CODES = 50;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final CorpusFormatOptions format = new CorpusFormatOptions();

    @Mixin
    private final DocumentInput input = new DocumentInput();

    @Option(
            names = "--corpus",
            paramLabel = "PATH",
            description = "Corpus to code; --format tells its format if the name does not.")
    private Optional<String> corpus = Optional.empty();

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            completionCandidates = SplitNames.class,
            description = "Split of the corpus; without --format train, dev or test of the run's own corpus.")
    private Optional<String> split = Optional.empty();

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Number of codes per document (default: 15; 100 for --tsv with a corpus and for --ranking).")
    private Optional<Integer> top = Optional.empty();

    @Option(names = "--tsv", description = "Print document and code, tab-separated, best code first.")
    private boolean tsv;

    @Option(
            names = "--csv",
            description = "Print id, code, description, score, probability, threshold and predicted as CSV, best code"
                    + " first.")
    private boolean csv;

    @Option(names = "--predicted", description = "Only codes whose score reaches the threshold.")
    private boolean predicted;

    @Option(
            names = "--ranking",
            paramLabel = "FILE",
            description = "Write document, code, rank and score to FILE, tab-separated, best code first.")
    private Optional<Path> ranking = Optional.empty();

    @Option(
            names = "--lowercase",
            description = "With --tsv or --ranking: write codes in lower case, as CodiEsp's scorer expects.")
    private boolean lowercase;

    @Option(
            names = "--fhir",
            paramLabel = "FILE",
            description =
                    "Code a FHIR R4 resource in JSON: DocumentReference, Composition or Bundle; prints a Bundle of"
                            + " Condition and Procedure resources.")
    private Optional<String> fhir = Optional.empty();

    /** Reasons by document id. */
    private final Map<String, String> outOfDomain = new LinkedHashMap<>();

    @Override
    public Integer call() {
        check();
        RunDirectory directory = input.run();
        if (fhir.isPresent()) {
            String resource = DocumentInput.text(fhir.get(), MAX_RESOURCE_CHARACTERS);
            try (Coder coder = device.load(directory)) {
                common.out().println(new FhirPredictor(directory, coder, top.orElse(FHIR_CODES)).code(resource));
            }
            return CommandLine.ExitCode.OK;
        }
        ranking.ifPresent(OutputFile::createParentDirectory);
        BadRowHandler badRows = format.badRows();
        boolean fromCorpus = format.format().isPresent() || split.isPresent() || corpus.isPresent() || input.isCorpus();
        boolean several = fromCorpus || input.size() > 1;
        boolean submission = ranking.isPresent() || (tsv && fromCorpus);
        int most = top.orElse(predicted ? PREDICTED_CODES : submission ? SUBMISSION_CODES : Coder.DEFAULT_CODES);
        if (csv) {
            common.out().println(SuggestionCsv.HEADER);
        }
        try (Coder coder = device.load(directory);
                Stream<InputDocument> documents =
                        fromCorpus ? corpusDocuments(directory, badRows) : input.documents(common);
                Progress.Task task =
                        common.progressUnlessOnTerminal().start("predict", fromCorpus ? -1 : input.size())) {
            Iterator<InputDocument> remaining = documents.iterator();
            if (!remaining.hasNext()) {
                throw new UserError(
                        "The corpus has no documents", corpus.orElse("--format"), "check the path and the split");
            }
            if (ranking.isPresent()) {
                RankingFile.write(
                        ranking.get(),
                        lowercase,
                        writer -> forEachChunk(remaining, task, chunk -> rank(chunk, coder, most, writer)));
            } else if (tsv) {
                forEachChunk(remaining, task, chunk -> rank(chunk, coder, most, this::print));
            } else {
                forEachChunk(remaining, task, chunk -> print(chunk, coder, most, several));
            }
        }
        ranking.ifPresent(file -> common.info("Wrote " + file));
        reportOutOfDomain();
        common.reportSkipped(badRows);
        return CommandLine.ExitCode.OK;
    }

    private static void forEachChunk(
            Iterator<InputDocument> documents, Progress.Task task, Consumer<List<InputDocument>> action) {
        while (documents.hasNext()) {
            List<InputDocument> chunk = nextChunk(documents);
            action.accept(chunk);
            task.advance(chunk.size());
        }
    }

    /** Several documents that are coded together, but only one if it is as long as documents may be. */
    private static List<InputDocument> nextChunk(Iterator<InputDocument> documents) {
        List<InputDocument> chunk = new ArrayList<>();
        int characters = 0;
        while (chunk.size() < BATCH_SIZE && characters < BATCH_CHARACTERS && documents.hasNext()) {
            InputDocument document = documents.next();
            chunk.add(document);
            characters += document.text().length();
        }
        return chunk;
    }

    private void check() {
        if (Stream.of(tsv, csv, json.enabled(), ranking.isPresent())
                        .filter(wanted -> wanted)
                        .count()
                > 1) {
            throw new UserError(
                    "Several of --tsv, --csv, --json and --ranking are given", "plant predict", "use one of them");
        }
        if (fhir.isPresent()
                && (tsv
                        || csv
                        || predicted
                        || json.enabled()
                        || ranking.isPresent()
                        || split.isPresent()
                        || input.isGiven()
                        || format.format().isPresent())) {
            throw new UserError(
                    "--fhir cannot be combined with other inputs or output formats",
                    "--fhir",
                    "drop the others, or --fhir");
        }
        top.ifPresent(value -> OptionCheck.atLeast(1, "--top", value));
        if ((format.format().isPresent() || split.isPresent() || corpus.isPresent()) && input.isGiven()) {
            throw new UserError(
                    "Both documents and a corpus are given",
                    format.format().isPresent() ? "--format" : split.isPresent() ? "--split" : "--corpus",
                    "drop one of them");
        }
    }

    private Stream<InputDocument> corpusDocuments(RunDirectory directory, BadRowHandler badRows) {
        return corpus(directory, badRows)
                .documents()
                .map(document -> new InputDocument(document.id(), document.text()));
    }

    private Corpus corpus(RunDirectory directory, BadRowHandler badRows) {
        String path = corpus.orElse("");
        if (format.format().isPresent()) {
            return split.map(name -> format.openSplit(path, name, badRows))
                    .orElseGet(() -> format.openAll(path, badRows));
        }
        if (corpus.isPresent() || input.isCorpus()) {
            return RunCorpus.open(directory, corpus.map(List::of).orElseGet(input::files), badRows);
        }
        return RunSplit.open(directory, split.orElse(PreparedCorpus.TEST), badRows);
    }

    private void print(List<InputDocument> documents, Coder coder, int codeCount, boolean several) {
        int explained = csv ? 0 : Math.min(codeCount, top.orElse(Coder.DEFAULT_CODES));
        List<CodingResult> results = code(documents, coder, codeCount, explained);
        CodingResultPrinter printer = new CodingResultPrinter(common, json.enabled(), several);
        for (int i = 0; i < documents.size(); i++) {
            String id = documents.get(i).id();
            if (csv) {
                results.get(i).domain().reason().ifPresent(reason -> outOfDomain.putIfAbsent(id, reason));
                common.out().print(SuggestionCsv.rows(id, results.get(i), coder::threshold));
            } else {
                printer.print(id, results.get(i));
            }
        }
        common.out().flush();
    }

    private List<CodingResult> code(List<InputDocument> documents, Coder coder, int codeCount, int explained) {
        List<String> texts = documents.stream().map(InputDocument::text).toList();
        return coder.code(texts, codeCount, explained).stream()
                .map(result -> predicted ? result.predicted() : result)
                .toList();
    }

    /** Rankings have no column for the domain check, so it goes to standard error. */
    private void rank(List<InputDocument> documents, Coder coder, int codeCount, Consumer<Ranking> rankings) {
        List<CodingResult> results = code(documents, coder, codeCount, 0);
        for (int i = 0; i < documents.size(); i++) {
            String id = documents.get(i).id();
            results.get(i).domain().reason().ifPresent(reason -> outOfDomain.putIfAbsent(id, reason));
            rankings.accept(new Ranking(
                    id,
                    results.get(i).suggestions().stream()
                            .map(each -> new RankedCode(each.code(), each.score()))
                            .toList()));
        }
    }

    private void print(Ranking ranked) {
        for (RankedCode each : ranked.codes()) {
            String code = lowercase ? each.code().toLowerCase(Locale.ROOT) : each.code();
            common.out().println(ranked.documentId() + "\t" + code);
        }
        common.out().flush();
    }

    private void reportOutOfDomain() {
        if (!outOfDomain.isEmpty()) {
            String documents = outOfDomain.size() == 1 ? " document does" : " documents do";
            common.info(outOfDomain.size() + documents + " not resemble the documents that the model was trained on:");
            outOfDomain.forEach((id, reason) -> common.info("  " + id + ": " + reason));
        }
    }
}
