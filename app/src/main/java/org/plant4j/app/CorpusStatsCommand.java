package org.plant4j.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.plant4j.corpus.BadRows;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.eval.Chart;
import org.plant4j.eval.CorpusStatistics;
import org.plant4j.eval.CorpusStatistics.Distribution;
import org.plant4j.eval.CorpusStatistics.Part;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Table;
import org.plant4j.eval.Table.Column;
import org.plant4j.text.WordTokenizer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant corpus stats}: what the papers' data tables print. */
@Command(
        name = "stats",
        description = "Documents, codes, words and the long tail of a corpus, a column a part.",
        footer = {
            "",
            "Examples:",
            "  plant corpus stats demo-laat",
            "  plant corpus stats --format jsonl notes --train train.jsonl --test test.jsonl --plot skew.html"
        })
final class CorpusStatsCommand implements Callable<Integer> {

    /** An indent that a page keeps too. */
    private static final String UNDER = "\u00a0\u00a0";

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final CorpusSource source = new CorpusSource();

    @Option(names = "--plot", paramLabel = "FILE", description = "Write a page with the codes' skew.")
    private Optional<Path> plot = Optional.empty();

    @Override
    public Integer call() {
        BadRows badRows = source.badRows();
        Map<String, Corpus> parts = source.parts(badRows);
        List<Corpus> named = new ArrayList<>();
        parts.forEach((name, corpus) -> named.add(Corpora.concat(name, List.of(corpus))));
        CorpusStatistics statistics = CorpusStatistics.of(named, new WordTokenizer(), common.progress());
        if (json.wanted()) {
            common.out().println(JsonOption.text(statistics));
        } else {
            common.out().print(table(statistics).toText(common.colour()));
        }
        plot.ifPresent(file -> {
            PageFile.write(file, page(statistics).toHtml());
            common.say("Written: " + file);
        });
        common.say(badRows);
        return CommandLine.ExitCode.OK;
    }

    private static Table table(CorpusStatistics statistics) {
        List<Column> columns = new ArrayList<>(List.of(Column.text("")));
        statistics.parts().forEach(part -> columns.add(Column.number(part.name(), 0)));
        Table empty = new Table(columns, List.of());
        return new Rows(empty, statistics.parts())
                .row("documents", part -> whole(part.documents()))
                .row("distinct codes", part -> whole(part.distinctCodes()))
                .row(UNDER + "in one document only", part -> whole(part.codesSeenOnce()))
                .row(UNDER + "in fewer than ten", part -> whole(part.codesSeenUnderTen()))
                .row(
                        UNDER + "never in " + statistics.parts().get(0).name(),
                        part -> whole(part.codesUnseenInTraining()))
                .row(
                        "codes a document, mean",
                        part -> decimal(part.codesPerDocument().mean()))
                .row(UNDER + "quartiles", part -> quartiles(part.codesPerDocument()))
                .row(UNDER + "least to most", part -> extremes(part.codesPerDocument()))
                .row(
                        "words a document, mean",
                        part -> decimal(part.wordsPerDocument().mean()))
                .row(UNDER + "quartiles", part -> quartiles(part.wordsPerDocument()))
                .row(UNDER + "least to most", part -> extremes(part.wordsPerDocument()))
                .table();
    }

    /** Builds the table statistic by statistic. */
    private record Rows(Table table, List<Part> parts) {

        Rows row(String name, Function<Part, String> value) {
            List<Object> row = new ArrayList<>(List.of(name));
            parts.forEach(part -> row.add(value.apply(part)));
            return new Rows(table.row(row.toArray()), parts);
        }
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }

    private static String quartiles(Distribution d) {
        return whole(d.lowerQuartile()) + " · " + whole(d.median()) + " · " + whole(d.upperQuartile());
    }

    private static String extremes(Distribution d) {
        return whole(d.least()) + " – " + whole(d.most());
    }

    private ReportPage page(CorpusStatistics statistics) {
        Chart skew = Chart.titled("Codes by rank and frequency")
                .x("rank of the code")
                .y("documents with it")
                .logX()
                .logY();
        for (Part part : statistics.parts()) {
            if (part.distinctCodes() > 0) {
                double[] ranks = IntStream.rangeClosed(1, part.distinctCodes())
                        .asDoubleStream()
                        .toArray();
                double[] documents = part.ranked().stream()
                        .mapToDouble(CorpusStatistics.CodeCount::documents)
                        .toArray();
                skew.line(part.name(), ranks, documents);
            }
        }
        return ReportPage.titled("Corpus: " + source.name())
                .lead("How many documents and codes there are, and how few codes carry most of them.")
                .section("Numbers")
                .table(table(statistics))
                .section("Skew")
                .prose(
                        "A straight fall on these axes is a power law: few codes are everywhere, most are nearly nowhere.")
                .charts(skew.toSvg());
    }
}
