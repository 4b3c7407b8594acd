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

/** {@code plant corpus stats}: prints the statistics that papers report about a corpus. */
@Command(
        name = "stats",
        description = "Show the number of documents, codes and tokens per split.",
        footer = {
            "",
            "Examples:",
            "  plant corpus stats laat@demo",
            "  plant corpus stats --format jsonl data --train train.jsonl --plot stats.html"
        })
public final class CorpusStatsCommand implements Callable<Integer> {

    /** Non-breaking spaces, so that the HTML page keeps the indent. */
    private static final String INDENT = "\u00a0\u00a0";

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final CorpusArgument source = new CorpusArgument();

    @Option(names = "--plot", paramLabel = "FILE", description = "Write an HTML page with a plot of code frequencies.")
    private Optional<Path> plot = Optional.empty();

    @Override
    public Integer call() {
        BadRowHandler badRows = source.badRows();
        Map<String, Corpus> splits = source.splits(badRows);
        List<Corpus> named = new ArrayList<>();
        splits.forEach((name, corpus) -> named.add(Corpora.concat(name, List.of(corpus))));
        CorpusStatistics statistics = CorpusStatistics.of(named, new WordTokenizer(), common.progress());
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(statistics));
        } else {
            common.out().print(table(statistics).toText(common.color()));
        }
        plot.ifPresent(file -> {
            OutputFile.write(file, page(statistics).toHtml());
            common.info("Wrote " + file);
        });
        common.reportSkipped(badRows);
        return CommandLine.ExitCode.OK;
    }

    /** The table of all statistics, one column per split. */
    public static ReportTable table(CorpusStatistics statistics) {
        List<Column> columns = new ArrayList<>(List.of(Column.text("")));
        statistics.splits().forEach(split -> columns.add(Column.number(split.name(), 0)));
        ReportTable empty = new ReportTable(columns, List.of());
        return new Rows(empty, statistics.splits())
                .row("documents", split -> whole(split.documents()))
                .row("distinct codes", split -> whole(split.distinctCodes()))
                .row(INDENT + "in one document", split -> whole(split.codesSeenOnce()))
                .row(INDENT + "in fewer than ten documents", split -> whole(split.codesSeenUnderTen()))
                .row(
                        INDENT + "not in " + statistics.splits().get(0).name(),
                        split -> whole(split.codesUnseenInTraining()))
                .row(
                        "codes per document, mean",
                        split -> decimal(split.codesPerDocument().mean()))
                .row(INDENT + "quartiles", split -> quartiles(split.codesPerDocument()))
                .row(INDENT + "range", split -> extremes(split.codesPerDocument()))
                .row(
                        "tokens per document, mean",
                        split -> decimal(split.tokensPerDocument().mean()))
                .row(INDENT + "quartiles", split -> quartiles(split.tokensPerDocument()))
                .row(INDENT + "range", split -> extremes(split.tokensPerDocument()))
                .table();
    }

    /** Adds one row per statistic. */
    private record Rows(ReportTable table, List<SplitStatistics> splits) {

        Rows row(String name, Function<SplitStatistics, String> value) {
            List<Object> row = new ArrayList<>(List.of(name));
            splits.forEach(split -> row.add(value.apply(split)));
            return new Rows(table.row(row.toArray()), splits);
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
        LineChart frequencies = LineChart.titled("Codes by rank and frequency")
                .xLabel("rank")
                .yLabel("documents")
                .logX()
                .logY();
        for (SplitStatistics split : statistics.splits()) {
            if (split.distinctCodes() > 0) {
                double[] ranks = IntStream.rangeClosed(1, split.distinctCodes())
                        .asDoubleStream()
                        .toArray();
                double[] documents = split.codesByFrequency().stream()
                        .mapToDouble(CorpusStatistics.CodeCount::documents)
                        .toArray();
                frequencies.line(split.name(), ranks, documents);
            }
        }
        return ReportPage.titled("Corpus: " + source.name())
                .lead("Numbers of documents, codes and tokens, and the distribution of code frequencies.")
                .section("Numbers")
                .table(table(statistics))
                .section("Code frequencies")
                .paragraphs("A straight line on these axes is a power law: a few codes are frequent, most are rare.")
                .charts(frequencies.toSvg());
    }
}
