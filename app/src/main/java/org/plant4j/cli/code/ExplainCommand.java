package org.plant4j.cli.code;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.plant4j.Coder;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidencePage;
import org.plant4j.explain.HighlightedText;
import org.plant4j.explain.TerminalStyle;
import org.plant4j.prediction.ChosenView;
import org.plant4j.prediction.CodeEvidence;
import org.plant4j.prediction.Suggestion;
import org.plant4j.prediction.WeightedSpan;
import org.plant4j.support.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant explain}: the words of a note that speak for a code. */
@Command(
        name = "explain",
        description = "Show a note with the words marked that speak for a code.",
        footer = {
            "",
            "Examples:",
            "  plant explain runs/demo-laat note.txt --code I50.9",
            "  plant explain runs/demo-laat note.txt --codes 3 --context 0",
            "  plant explain runs/demo-laat note.txt --html note.html"
        })
public final class ExplainCommand implements Callable<Integer> {

    private static final int HTML_CODES = 10;
    private static final int MAX_WIDTH = 100;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final DocumentInput input = new DocumentInput();

    @Option(
            names = "--code",
            paramLabel = "CODE",
            description = "The code to explain; may be repeated (default: the best ones).")
    private List<String> wanted = List.of();

    @Option(
            names = "--codes",
            paramLabel = "N",
            description = "Without --code: how many of the best (default: 1; 10 for --html).")
    private Optional<Integer> codes = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "N",
            description = "Only the sentences with evidence and N around each (default: the whole note).")
    private Optional<Integer> context = Optional.empty();

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page instead.")
    private Optional<Path> html = Optional.empty();

    @Override
    public Integer call() {
        if (input.size() > 1) {
            throw new UserError("Several notes are given", "plant explain", "explain one at a time");
        }
        if (codes.orElse(1) < 1 || context.orElse(0) < 0) {
            throw new UserError("A number is too small", "--codes, --context", "use --codes 1 or more, --context 0");
        }
        RunDirectory folder = input.run();
        try (Coder coder = device.load(folder)) {
            InputDocument note = input.documents(common).findFirst().orElseThrow();
            List<Suggestion> suggestions = wanted.isEmpty()
                    ? coder.code(note.text(), codes.orElse(html.isPresent() ? HTML_CODES : 1))
                    : wanted.stream()
                            .map(code -> coder.explain(note.text(), code.strip().toUpperCase(Locale.ROOT)))
                            .toList();
            if (html.isPresent()) {
                write(html.get(), note, suggestions);
            } else {
                List<List<WeightedSpan>> meanings = coder.descriptionEvidence(
                        note.text(), suggestions.stream().map(Suggestion::code).toList());
                for (int i = 0; i < suggestions.size(); i++) {
                    Suggestion suggestion = suggestions.get(i);
                    print(note, suggestion, meanings.get(i), coder.chosenView(note.text(), suggestion.code()));
                }
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(
            InputDocument note, Suggestion suggestion, List<WeightedSpan> meaning, Optional<ChosenView> chosen) {
        common.out().println(heading(common, suggestion));
        if (!meaning.isEmpty()) {
            common.out().println(common.faint("of its description: " + quoted(suggestion.description(), meaning)));
        }
        chosen.ifPresent(view -> common.out()
                .println(common.faint("Chosen view " + view.number() + " of " + view.count() + ", on "
                        + String.join(", ", view.words()))));
        if (suggestion.evidence().isEmpty()) {
            common.out().println(common.faint("No word stands out for this code."));
        } else {
            int width = Math.min(common.width(), MAX_WIDTH);
            TerminalStyle style = new TerminalStyle(width, common.color(), context.orElse(-1));
            common.out().println();
            common.out().print(new HighlightedText(note.text(), suggestion.evidence()).toTerminal(style));
        }
        common.out().println();
    }

    /** The words that spoke, heaviest first. */
    private static String quoted(String text, List<WeightedSpan> spans) {
        return spans.stream()
                .map(one -> "“" + text.substring(one.span().start(), one.span().end()) + "”")
                .collect(Collectors.joining(", "));
    }

    /** Code, meaning, score and whether it is predicted. */
    public static String heading(CommonOptions common, Suggestion suggestion) {
        String meaning = suggestion.description().isEmpty() ? "" : "  " + suggestion.description();
        String score = String.format(Locale.ROOT, "  %.2f", suggestion.score());
        return common.bold(suggestion.code() + meaning) + score + (suggestion.predicted() ? "  ✓" : "");
    }

    private void write(Path file, InputDocument note, List<Suggestion> suggestions) {
        String title = note.id().equals("-") || note.id().equals("text") ? "Evidence" : note.id();
        EvidencePage page = new EvidencePage(
                title,
                note.text(),
                suggestions.stream()
                        .map(one -> new CodeEvidence(one.code(), one.description(), one.score(), one.evidence()))
                        .toList());
        OutputFile.write(file, page.toHtml());
        common.info("Written: " + file);
    }
}
