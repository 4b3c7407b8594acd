package org.plant4j.app;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.BadRows;
import org.plant4j.corpus.CodeBook;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.JsonLinesCorpus;
import org.plant4j.explain.Highlight;
import org.plant4j.explain.TerminalStyle;
import org.plant4j.explain.WeightedSpan;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant corpus show}: one document with its codes and what a human marked. */
@Command(name = "show", description = "Show one document: its codes, and its text with the gold evidence marked.")
final class CorpusShowCommand implements Callable<Integer> {

    private static final int WIDEST_NOTE = 100;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final CorpusSource source = new CorpusSource();

    @Option(names = "--id", paramLabel = "ID", description = "The document's id (default: the first document).")
    private Optional<String> id = Optional.empty();

    @Override
    public Integer call() {
        BadRows badRows = source.badRows();
        Corpus all = Corpora.concat("all", List.copyOf(source.parts(badRows).values()));
        Document document;
        try (Stream<Document> documents = all.documents()) {
            document = documents
                    .filter(each -> id.isEmpty() || each.id().equals(id.get()))
                    .findFirst()
                    .orElseThrow(() -> new UserError(
                            id.map(wanted -> "There is no document '" + wanted + "'")
                                    .orElse("The corpus is empty"),
                            source.name(),
                            id.isPresent() ? "see ids with: plant corpus export" : "give documents, one a row"));
        }
        if (json.wanted()) {
            common.out().println(JsonLinesCorpus.line(document));
        } else {
            print(document, source.codeBook());
        }
        common.say(badRows);
        return CommandLine.ExitCode.OK;
    }

    private void print(Document document, CodeBook book) {
        common.out().println(common.bold(document.id()));
        int width = document.codes().stream().mapToInt(String::length).max().orElse(0);
        for (String code : document.codes()) {
            common.out()
                    .println("  " + code + " ".repeat(width - code.length()) + "  "
                            + common.faint(book.describe(code).orElse("")));
        }
        common.out().println();
        List<WeightedSpan> spans = document.evidence().stream()
                .flatMap(evidence -> evidence.spans().stream())
                .map(span -> new WeightedSpan(span, 1))
                .toList();
        TerminalStyle style = TerminalStyle.whole(Math.min(common.width(), WIDEST_NOTE), common.colour());
        common.out().print(new Highlight(document.text(), spans).toTerminal(style));
    }
}
