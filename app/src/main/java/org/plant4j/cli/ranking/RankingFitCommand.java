package org.plant4j.cli.ranking;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.corpus.CorpusArgument;
import org.plant4j.cli.option.BadRowsOption;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.prediction.RankingFile;
import org.plant4j.prediction.RankingMerge;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.text.PreparedCorpus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant ranking fit}: learns how to merge rankings. */
@Command(
        name = "fit",
        description = {
            "Learn from gold codes how 'plant ranking merge' merges rankings.",
            "By the scores in all rankings and the number of training documents of a code. The printed MAP of the learned"
                    + " merge is cross-validated."
        },
        footer = {
            "",
            "Example:",
            "  plant ranking fit plant@codiesp-d dev-plant.tsv dev-descriptions.tsv -o merge.json",
            "  plant ranking merge test-plant.tsv test-descriptions.tsv --fitted merge.json \\",
            "      --experiment plant@codiesp-d-final -o merged.tsv"
        })
final class RankingFitCommand implements Callable<Integer> {

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

    @Parameters(
            index = "1..*",
            arity = "2..*",
            paramLabel = "FILE",
            description = "Ranking files of one split from 'plant predict --ranking'.")
    private List<Path> files;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "Output file, JSON.")
    private Path output = Path.of("merge.json");

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            description = "Ranked split: dev or test (default: ${DEFAULT-VALUE}).")
    private String split = PreparedCorpus.DEV;

    @Override
    public Integer call() {
        if (split.equals(PreparedCorpus.TRAIN)) {
            throw new UserError(
                    "A merge cannot be learned from the documents that the ranked models were trained on",
                    "--split train",
                    "rank dev: plant predict RUN --split dev --ranking FILE");
        }
        BadRowHandler badRows = badRowsOption.open();
        Map<String, Corpus> splits = CorpusArgument.splitsByName(CorpusFormats.openSplits(
                ExperimentArgument.read(experiment, List.of()).corpus(), badRows));
        OutputFile.createParentDirectory(output);
        RankingMerge.Fit fit = RankingMerge.fit(
                files.stream().map(RankingFile::read).toList(),
                CorpusArgument.requireSplit(splits, split),
                RankingMerge.frequencies(CorpusArgument.requireSplit(splits, PreparedCorpus.TRAIN)));
        RankingMerge stack = fit.stack();
        stack.write(output);
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(stack));
        } else {
            print(stack);
        }
        if (!fit.unranked().isEmpty()) {
            common.info("Documents missing from the rankings, left out: "
                    + fit.unranked().size() + ", the first is '"
                    + fit.unranked().get(0) + "'");
        }
        common.info("Wrote " + output);
        common.reportSkipped(badRows);
        return CommandLine.ExitCode.OK;
    }

    private void print(RankingMerge stack) {
        ReportTable table = ReportTable.of(Column.text("ranking"), Column.percent("MAP"));
        for (int i = 0; i < files.size(); i++) {
            table = table.row(
                    files.get(i).getFileName().toString(), stack.memberMap().get(i));
        }
        table = table.row("mean score", stack.meanMap()).row("learned, cross-validated", stack.map());
        common.out().print(table.toText(common.color()));
        common.out().println(common.faint("MAP in percent, on " + stack.documents() + " " + split + " documents."));
    }
}
