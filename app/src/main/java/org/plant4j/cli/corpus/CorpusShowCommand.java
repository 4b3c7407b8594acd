package org.plant4j.cli.corpus;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.Evidence;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.explain.HighlightedText;
import org.plant4j.explain.TerminalStyle;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant corpus show}: prints a document with its codes and gold evidence. */
@Command(name = "show", description = "Show a document with its codes and gold evidence.")
final class CorpusShowCommand implements Callable<Integer> {

    private static final int MAX_WIDTH = 100;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final CorpusArgument source = new CorpusArgument();

    @Option(names = "--id", paramLabel = "ID", description = "Document id (default: the first document).")
    private Optional<String> id = Optional.empty();

    @Override
    public Integer call() {
        BadRowHandler badRows = source.badRows();
        Corpus all = Corpora.concat("all", List.copyOf(source.splits(badRows).values()));
        Document document;
        try (Stream<Document> documents = all.documents()) {
            document = documents
                    .filter(each -> id.isEmpty() || each.id().equals(id.get()))
                    .findFirst()
                    .orElseThrow(() -> new UserError(
                            id.map(wanted -> "No such document: '" + wanted + "'")
                                    .orElse("The corpus is empty"),
                            source.name(),
                            id.isPresent() ? "list ids with: plant corpus export" : "check the path"));
        }
        if (json.enabled()) {
            common.out().println(JsonLinesCorpus.toJson(document));
        } else {
            print(document, source.codeSet(badRows));
        }
        common.reportSkipped(badRows);
        return CommandLine.ExitCode.OK;
    }

    private void print(Document document, CodeSet book) {
        common.out().println(common.bold(document.id()));
        int width = document.codes().stream().mapToInt(String::length).max().orElse(0);
        for (String code : document.codes()) {
            common.out()
                    .println("  " + code + " ".repeat(width - code.length()) + "  "
                            + common.faint(book.describe(code).orElse("")));
        }
        common.out().println();
        List<Evidence> spans = document.evidence().stream()
                .flatMap(evidence -> evidence.spans().stream())
                .map(span -> new Evidence(span, document.text().substring(span.start(), span.end()), 1))
                .toList();
        TerminalStyle style = TerminalStyle.wholeDocument(Math.min(common.width(), MAX_WIDTH), common.color());
        common.out().print(new HighlightedText(document.text(), spans).toTerminal(style));
    }
}
