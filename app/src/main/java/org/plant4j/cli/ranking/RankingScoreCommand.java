package org.plant4j.cli.ranking;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.plant4j.cli.corpus.CorpusArgument;
import org.plant4j.cli.option.BadRowsOption;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.prediction.RankingFile;
import org.plant4j.prediction.RankingScore;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant ranking score}: evaluates a ranking against the gold codes. */
@Command(
        name = "score",
        description = {
            "Evaluate a ranking against the gold codes.",
            "Ignores the case of codes. Codes that the ranking does not list count as not found."
        },
        footer = {"", "Example:", "  plant ranking score my.yaml merged.tsv --split dev"})
final class RankingScoreCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final BadRowsOption badRowsOption = new BadRowsOption();

    @Parameters(
            index = "0",
            paramLabel = "EXPERIMENT",
            description = "Experiment with the corpus: MODEL@CORPUS or a YAML file.")
    private String experiment;

    @Parameters(index = "1", paramLabel = "FILE", description = "A ranking file from 'plant predict --ranking'.")
    private Path file;

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            description = "Ranked split: train, dev or test (default: ${DEFAULT-VALUE}).")
    private String split = PreparedCorpus.DEV;

    @Override
    public Integer call() {
        BadRowHandler badRows = badRowsOption.open();
        Map<String, Corpus> splits = CorpusArgument.splitsByName(CorpusFormats.openSplits(
                ExperimentArgument.read(experiment, List.of()).corpus(), badRows));
        RankingScore score = RankingScore.compute(RankingFile.read(file), CorpusArgument.requireSplit(splits, split));
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(score));
        } else {
            print(score);
        }
        if (!score.missing().isEmpty()) {
            common.info("Documents missing from the ranking, counted as 0: "
                    + score.missing().size() + ", the first is '"
                    + score.missing().get(0) + "'");
        }
        if (score.extra() > 0) {
            common.info("Ranked documents without codes in " + split + ", ignored: " + score.extra());
        }
        common.reportSkipped(badRows);
        return CommandLine.ExitCode.OK;
    }

    private void print(RankingScore score) {
        ReportTable table = ReportTable.of(Column.text("metric"), Column.percent(split));
        for (Map.Entry<String, Double> metric : score.metrics().entrySet()) {
            table = table.row(metric.getKey(), metric.getValue());
        }
        common.out().print(table.toText(common.color()));
        common.out().println(common.faint("In percent, on " + score.documents() + " " + split + " documents."));
    }
}
