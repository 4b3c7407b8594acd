package org.plant4j.cli.corpus;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.text.CorpusStatistics;
import org.plant4j.text.CorpusStatistics.Distribution;
import org.plant4j.text.CorpusStatistics.SplitStatistics;
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
public final class CorpusStatsCommand implements Callable<Integer> {

    /** An indent that a page keeps too. */
    private static final String UNDER = "\u00a0\u00a0";

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final CorpusArgument source = new CorpusArgument();

    @Option(names = "--plot", paramLabel = "FILE", description = "Write a page with the codes' skew.")
    private Optional<Path> plot = Optional.empty();

    @Override
    public Integer call() {
        BadRowHandler badRows = source.badRows();
        Map<String, Corpus> parts = source.splits(badRows);
        List<Corpus> named = new ArrayList<>();
        parts.forEach((name, corpus) -> named.add(Corpora.concat(name, List.of(corpus))));
        CorpusStatistics statistics = CorpusStatistics.of(named, new WordTokenizer(), common.progress());
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(statistics));
        } else {
            common.out().print(table(statistics).toText(common.color()));
        }
        plot.ifPresent(file -> {
            OutputFile.write(file, page(statistics).toHtml());
            common.info("Written: " + file);
        });
        common.info(badRows);
        return CommandLine.ExitCode.OK;
    }

    private static ReportTable table(CorpusStatistics statistics) {
        List<Column> columns = new ArrayList<>(List.of(Column.text("")));
        statistics.splits().forEach(part -> columns.add(Column.number(part.name(), 0)));
        ReportTable empty = new ReportTable(columns, List.of());
        return new Rows(empty, statistics.splits())
                .row("documents", part -> whole(part.documents()))
                .row("distinct codes", part -> whole(part.distinctCodes()))
                .row(UNDER + "in one document only", part -> whole(part.codesSeenOnce()))
                .row(UNDER + "in fewer than ten", part -> whole(part.codesSeenUnderTen()))
                .row(
                        UNDER + "never in " + statistics.splits().get(0).name(),
                        part -> whole(part.codesUnseenInTraining()))
                .row(
                        "codes a document, mean",
                        part -> decimal(part.codesPerDocument().mean()))
                .row(UNDER + "quartiles", part -> quartiles(part.codesPerDocument()))
                .row(UNDER + "least to most", part -> extremes(part.codesPerDocument()))
                .row(
                        "words a document, mean",
                        part -> decimal(part.tokensPerDocument().mean()))
                .row(UNDER + "quartiles", part -> quartiles(part.tokensPerDocument()))
                .row(UNDER + "least to most", part -> extremes(part.tokensPerDocument()))
                .table();
    }

    /** Builds the table statistic by statistic. */
    private record Rows(ReportTable table, List<SplitStatistics> parts) {

        Rows row(String name, Function<SplitStatistics, String> value) {
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
        return whole(d.min()) + " – " + whole(d.max());
    }

    private ReportPage page(CorpusStatistics statistics) {
        LineChart skew = LineChart.titled("Codes by rank and frequency")
                .xLabel("rank of the code")
                .yLabel("documents with it")
                .logX()
                .logY();
        for (SplitStatistics part : statistics.splits()) {
            if (part.distinctCodes() > 0) {
                double[] ranks = IntStream.rangeClosed(1, part.distinctCodes())
                        .asDoubleStream()
                        .toArray();
                double[] documents = part.codesByFrequency().stream()
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
                .paragraphs(
                        "A straight fall on these axes is a power law: few codes are everywhere, most are nearly nowhere.")
                .charts(skew.toSvg());
    }
}
