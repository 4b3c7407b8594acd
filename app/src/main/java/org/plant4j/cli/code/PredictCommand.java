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
import java.util.stream.Stream;
import org.plant4j.Coder;
import org.plant4j.cli.corpus.CorpusFormatOptions;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.prediction.RankedCode;
import org.plant4j.prediction.Ranking;
import org.plant4j.prediction.RankingFile;
import org.plant4j.prediction.Suggestion;
import org.plant4j.support.Progress;
import org.plant4j.support.UserError;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant predict}: codes for notes. */
@Command(
        name = "predict",
        description = "Rank the codes of notes, with the words that support each.",
        footer = {
            "",
            "Examples:",
            "  plant predict runs/demo-laat note.txt",
            "  plant predict runs/demo-laat --text 'Acute kidney failure after sepsis.' --json",
            "  plant predict runs/cantemist --format cantemist --corpus test-set/cantemist-coding --tsv",
            "  plant predict runs/cantemist --part test --ranked codes.tsv",
            "  plant predict runs/demo-laat --fhir bundle.json"
        })
public final class PredictCommand implements Callable<Integer> {

    /** Notes coded at once: enough for good batches, few enough for any memory. */
    private static final int BATCH_SIZE = 32;

    private static final int SUBMISSION_CODES = 100;

    /** Those of the hidden band are left out anyway. */
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

    @Option(names = "--corpus", paramLabel = "PATH", description = "Notes of a corpus in the given --format.")
    private Optional<String> corpus = Optional.empty();

    @Option(
            names = "--part",
            paramLabel = "PART",
            description = "Only this part of the corpus; without --format train, dev or test of the run's own.")
    private Optional<String> part = Optional.empty();

    @Option(
            names = "--codes",
            paramLabel = "N",
            description = "Codes listed for a note (default: 15; 100 for --tsv of a corpus and --ranked).")
    private Optional<Integer> codes = Optional.empty();

    @Option(names = "--tsv", description = "Print note and code, parted by a tab, best code first.")
    private boolean tsv;

    @Option(
            names = "--ranked",
            paramLabel = "FILE",
            description = "Write note, code, rank and score, parted by tabs, best code first.")
    private Optional<Path> ranked = Optional.empty();

    @Option(
            names = "--lower",
            description = "With --tsv or --ranked: codes in lower case, as CodiEsp's scorer wants them.")
    private boolean lower;

    @Option(
            names = "--fhir",
            paramLabel = "FILE",
            description =
                    "Notes as a FHIR R4 resource in JSON: DocumentReference, Composition or Bundle; prints a Bundle"
                            + " of Condition and Procedure resources.")
    private Optional<String> fhir = Optional.empty();

    private final List<Ranking> rankings = new ArrayList<>();

    @Override
    public Integer call() {
        check();
        RunDirectory folder = input.run();
        if (fhir.isPresent()) {
            String resource = DocumentInput.read(fhir.get()).text();
            try (Coder coder = device.load(folder)) {
                common.out().println(new FhirPredictor(folder, coder, codes.orElse(FHIR_CODES)).code(resource));
            }
            return CommandLine.ExitCode.OK;
        }
        ranked.ifPresent(OutputFile::createParentDirectory);
        BadRowHandler badRows = format.badRows();
        boolean fromCorpus = format.format().isPresent() || part.isPresent();
        boolean several = fromCorpus || input.size() > 1;
        boolean submission = ranked.isPresent() || (tsv && fromCorpus);
        int most = codes.orElse(submission ? SUBMISSION_CODES : Coder.DEFAULT_CODES);
        try (Coder coder = device.load(folder);
                Stream<InputDocument> notes = fromCorpus ? corpusDocuments(folder, badRows) : input.documents(common);
                Progress.Task task =
                        common.progressUnlessOnTerminal().start("predict", fromCorpus ? -1 : input.size())) {
            Iterator<InputDocument> left = notes.iterator();
            if (!left.hasNext()) {
                throw new UserError("The corpus has no notes", corpus.orElse("--format"), "check path and part");
            }
            while (left.hasNext()) {
                List<InputDocument> chunk = new ArrayList<>();
                while (chunk.size() < BATCH_SIZE && left.hasNext()) {
                    chunk.add(left.next());
                }
                print(chunk, coder, most, several);
                task.advance(chunk.size());
            }
        }
        ranked.ifPresent(file -> {
            RankingFile.write(file, rankings, lower);
            common.info("Written: " + file);
        });
        common.info(badRows);
        return CommandLine.ExitCode.OK;
    }

    private void check() {
        if (Stream.of(tsv, json.enabled(), ranked.isPresent())
                        .filter(wanted -> wanted)
                        .count()
                > 1) {
            throw new UserError("Several of --tsv, --json and --ranked are given", "plant predict", "keep one of them");
        }
        if (fhir.isPresent()
                && (tsv
                        || json.enabled()
                        || ranked.isPresent()
                        || part.isPresent()
                        || input.isGiven()
                        || format.format().isPresent())) {
            throw new UserError(
                    "--fhir goes with no other notes and no other form", "--fhir", "drop the others, or --fhir");
        }
        if (codes.isPresent() && codes.get() < 1) {
            throw new UserError(codes.get() + " codes are none", "--codes", "use 1 or more");
        }
        if ((format.format().isPresent() || part.isPresent()) && input.isGiven()) {
            throw new UserError(
                    "Both notes and a corpus are given",
                    format.format().isPresent() ? "--format" : "--part",
                    "drop one of them");
        }
        if (format.format().isEmpty() && corpus.isPresent()) {
            throw new UserError(
                    "The corpus has no format",
                    "--corpus",
                    "add one, such as --format jsonl; a folder of notes is --format text");
        }
    }

    private Stream<InputDocument> corpusDocuments(RunDirectory folder, BadRowHandler badRows) {
        String path = corpus.orElse("");
        Corpus notes = format.format().isEmpty()
                ? runSplit(folder, part.orElse(Pipeline.TEST), badRows)
                : part.map(name -> format.openSplit(path, name, badRows))
                        .orElseGet(() -> format.openAll(path, badRows));
        return notes.documents().map(document -> new InputDocument(document.id(), document.text()));
    }

    /** A part of the corpus that the run was made from. */
    private static Corpus runSplit(RunDirectory folder, String name, BadRowHandler badRows) {
        Splits split = CorpusFormats.openSplits(
                ExperimentFile.read(folder.experiment(), List.of()).corpus(), badRows);
        return switch (name) {
            case PreparedCorpus.TRAIN -> split.train();
            case Pipeline.DEV -> split.dev();
            case Pipeline.TEST -> split.test();
            default ->
                throw new UserError(
                        "The run's corpus has no part '" + name + "'",
                        "--part",
                        "use train, dev or test; parts of another corpus need its --format");
        };
    }

    private void print(List<InputDocument> notes, Coder coder, int most, boolean several) {
        List<String> texts = notes.stream().map(InputDocument::text).toList();
        if (tsv || ranked.isPresent()) {
            List<List<RankedCode>> all = coder.rank(texts, most);
            for (int i = 0; i < notes.size(); i++) {
                printRanking(new Ranking(notes.get(i).id(), all.get(i)));
            }
        } else {
            List<List<Suggestion>> suggested = coder.code(texts, most);
            for (int i = 0; i < notes.size(); i++) {
                print(notes.get(i), suggested.get(i), several);
            }
        }
        common.out().flush();
    }

    private void printRanking(Ranking ranking) {
        if (ranked.isPresent()) {
            rankings.add(ranking);
            return;
        }
        for (RankedCode one : ranking.codes()) {
            String code = lower ? one.code().toLowerCase(Locale.ROOT) : one.code();
            common.out().println(ranking.documentId() + "\t" + code);
        }
    }

    private void print(InputDocument note, List<Suggestion> suggestions, boolean several) {
        if (json.enabled()) {
            Map<String, Object> result = toMap(note, suggestions);
            common.out().println(several ? JsonOption.line(result) : JsonOption.pretty(result));
            return;
        }
        if (several) {
            common.out().println(common.bold(note.id()));
        }
        common.out().print(new SuggestionTable(note.text(), suggestions).toText(common.width(), common.color()));
        if (several) {
            common.out().println();
        } else {
            common.out().println(common.faint("✓ passes the threshold that was tuned on dev."));
        }
    }

    private static Map<String, Object> toMap(InputDocument note, List<Suggestion> suggestions) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("id", note.id());
        result.put("codes", suggestions.stream().map(one -> toMap(note, one)).toList());
        return result;
    }

    private static Map<String, Object> toMap(InputDocument note, Suggestion suggestion) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("code", suggestion.code());
        result.put("description", suggestion.description());
        result.put("score", suggestion.score());
        result.put("probability", suggestion.probability());
        result.put("band", suggestion.band().key());
        result.put("predicted", suggestion.predicted());
        result.put(
                "evidence",
                suggestion.evidence().stream()
                        .map(weighted -> {
                            int start = weighted.span().start();
                            int end = weighted.span().end();
                            Map<String, Object> span = new LinkedHashMap<>();
                            span.put("start", start);
                            span.put("end", end);
                            span.put("text", note.text().substring(start, end));
                            span.put("weight", weighted.weight());
                            return span;
                        })
                        .toList());
        return result;
    }
}
