package org.plant4j.cli.code;

import static java.util.Comparator.naturalOrder;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.Coder;
import org.plant4j.CodingResult;
import org.plant4j.Document;
import org.plant4j.Explanation;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidencePage;
import org.plant4j.explain.HighlightedText;
import org.plant4j.explain.TerminalStyle;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant explain}: the evidence for a code in a document. */
@Command(
        name = "explain",
        description = "Highlight the evidence for a code in a document.",
        footer = {
            "",
            "Examples:",
            "  plant explain runs/laat@demo document.txt --code I50.9",
            "  plant explain runs/laat@demo document.txt --top 3 --context 0",
            "  plant explain runs/laat@demo document.txt --html evidence.html",
            "  plant explain runs/laat@demo --sample 10 --html sample.html"
        })
public final class ExplainCommand implements Callable<Integer> {

    private static final int HTML_CODES = 10;
    private static final int MAX_WIDTH = 100;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final DocumentInput input = new DocumentInput();

    @Option(
            names = "--code",
            paramLabel = "CODE",
            description = "Code to explain; may be repeated (default: the codes with the highest scores).")
    private List<String> requested = List.of();

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Number of codes to explain without --code (default: 1; 10 with --html).")
    private Optional<Integer> top = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "N",
            description =
                    "Show only sentences with evidence, and N sentences around each (default: the whole document).")
    private Optional<Integer> context = Optional.empty();

    @Option(names = "--html", paramLabel = "FILE", description = "Write an HTML page instead.")
    private Optional<Path> html = Optional.empty();

    @Option(
            names = "--sample",
            paramLabel = "N",
            description = "With --html: explain N random predicted codes of a split instead of a document.")
    private Optional<Integer> sample = Optional.empty();

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            description = "With --sample: dev or test of the run's corpus (default: dev).")
    private Optional<String> split = Optional.empty();

    @Option(names = "--seed", paramLabel = "SEED", description = "With --sample: random seed (default: 1).")
    private Optional<Long> seed = Optional.empty();

    @Override
    public Integer call() {
        if (sample.isPresent()) {
            explainSample(sample.get());
            return CommandLine.ExitCode.OK;
        }
        if (split.isPresent() || seed.isPresent()) {
            throw new UserError("--split and --seed need --sample", "plant explain", "add --sample N, or drop them");
        }
        if (input.size() > 1) {
            throw new UserError("Several documents are given", "plant explain", "explain one at a time");
        }
        top.ifPresent(value -> OptionCheck.atLeast(1, "--top", value));
        context.ifPresent(value -> OptionCheck.atLeast(0, "--context", value));
        if (json.enabled() && html.isPresent()) {
            throw new UserError("Both --json and --html are given", "plant explain", "drop one of them");
        }
        try (Coder coder = device.load(input.run())) {
            InputDocument document = input.documents(common).findFirst().orElseThrow();
            List<Explanation> explanations = explain(coder, document.text());
            if (html.isPresent()) {
                write(html.get(), document, explanations, coder.isCalibrated());
            } else if (json.enabled()) {
                common.out().println(JsonOption.pretty(explanations));
            } else {
                explanations.stream()
                        .flatMap(explanation -> explanation.domain().notice().stream())
                        .limit(1)
                        .forEach(notice -> common.out().println(notice + "\n"));
                explanations.forEach(explanation -> print(document, explanation));
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void explainSample(int count) {
        OptionCheck.atLeast(1, "--sample", count);
        Path file = html.orElseThrow(() -> new UserError("--sample needs --html", "--sample", "add --html FILE"));
        if (input.isGiven() || !requested.isEmpty() || top.isPresent() || context.isPresent() || json.enabled()) {
            throw new UserError(
                    "--sample cannot be combined with documents, codes or other output",
                    "--sample",
                    "use it with --html, --split and --seed only");
        }
        RunDirectory run = input.run();
        String name = split.orElse(PreparedCorpus.DEV);
        if (!List.of(PreparedCorpus.DEV, PreparedCorpus.TEST).contains(name)) {
            throw new UserError("There are no predictions for the split '" + name + "'", "--split", "use dev or test");
        }
        EvidenceSample drawn = EvidenceSample.draw(run, name, count, seed.orElse(1L));
        try (Coder coder = device.load(run);
                Stream<Document> documents =
                        RunSplit.open(run, name, BadRowHandler.fail()).documents()) {
            EvidencePage page = EvidencePage.ofEntries(
                    "Evidence of " + run.name() + " on " + name, drawn.explain(documents, coder), coder.isCalibrated());
            OutputFile.write(file, page.toHtml());
        }
        common.info("Wrote " + file);
    }

    private List<Explanation> explain(Coder coder, String text) {
        return requested.isEmpty()
                ? coder.explain(text, top.orElse(html.isPresent() ? HTML_CODES : 1))
                : coder.explain(
                        text,
                        requested.stream()
                                .map(code -> spelledAsInRun(code.strip(), coder.codes()))
                                .toList());
    }

    /** A code may be given in lower case unless the run has codes that differ by case only. */
    static String spelledAsInRun(String code, Collection<String> codes) {
        return codes.contains(code)
                ? code
                : codes.stream()
                        .filter(code::equalsIgnoreCase)
                        .min(naturalOrder())
                        .orElse(code);
    }

    private void print(InputDocument document, Explanation explanation) {
        Suggestion suggestion = explanation.suggestion();
        common.out().println(heading(common, suggestion));
        if (!explanation.descriptionEvidence().isEmpty()) {
            common.out()
                    .println(common.faint("Evidence in the description: "
                            + explanation.descriptionEvidence().stream()
                                    .map(one -> "“" + one.text() + "”")
                                    .collect(Collectors.joining(", "))));
        }
        explanation
                .view()
                .ifPresent(view -> common.out()
                        .println(common.faint("Shared view " + view.number() + " of " + view.count() + ": "
                                + String.join(", ", view.tokens()))));
        suggestion.evidence().stream()
                .filter(evidence -> !evidence.traits().isEmpty())
                .forEach(evidence -> common.out()
                        .println(common.faint("“" + evidence.text() + "”: " + SuggestionTable.traits(evidence))));
        if (suggestion.evidence().isEmpty()) {
            common.out().println(common.faint("No evidence for this code."));
        } else {
            int width = Math.min(common.width(), MAX_WIDTH);
            TerminalStyle style = new TerminalStyle(width, common.color(), context.orElse(-1));
            common.out().println();
            common.out().print(new HighlightedText(document.text(), suggestion.evidence()).toTerminal(style));
        }
        common.out().println();
    }

    /** Code, description, score, and the mark of the table. */
    public static String heading(CommonOptions common, Suggestion suggestion) {
        String description = suggestion.description().isEmpty() ? "" : "  " + suggestion.description();
        String score = String.format(Locale.ROOT, "  %.2f", suggestion.score());
        String mark = SuggestionTable.mark(suggestion);
        return common.bold(suggestion.code() + description) + score + (mark.isEmpty() ? "" : "  " + mark);
    }

    private void write(Path file, InputDocument document, List<Explanation> explanations, boolean calibrated) {
        String title = document.id().equals("-") || document.id().equals("text") ? "Evidence" : document.id();
        CodingResult result = new CodingResult(
                explanations.get(0).domain(),
                explanations.stream().map(Explanation::suggestion).toList());
        EvidencePage page = EvidencePage.ofDocument(title, document.text(), result, calibrated);
        OutputFile.write(file, page.toHtml());
        common.info("Wrote " + file);
    }
}
