package org.plant4j.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.calibration.FrequencyCalibration;
import org.plant4j.cli.corpus.RunCorpus;
import org.plant4j.cli.option.BadRowsOption;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.cli.option.SplitNames;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.evaluation.CalibrationByFrequency;
import org.plant4j.pipeline.evaluation.CorpusEvaluation;
import org.plant4j.pipeline.evaluation.DevCalibration;
import org.plant4j.pipeline.evaluation.ErrorReport;
import org.plant4j.pipeline.evaluation.RunReport;
import org.plant4j.report.MetricTables;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.report.TerminalText;
import org.plant4j.support.FileLock;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant evaluate}: prints every metric of a run. */
@Command(
        name = "evaluate",
        description = {
            "Show all metrics of a run and rewrite its report.",
            "The metrics are those that 'plant run' measured: thresholds tuned on dev, test scored once. With --corpus,"
                    + " the trained model is evaluated on other documents in the same way, and the run is not changed."
        },
        footer = {
            "",
            "Examples:",
            "  plant evaluate runs/plant@demo",
            "  plant evaluate runs/mine --corpus new.jsonl --predictions new-predictions.jsonl.gz"
        })
public final class EvaluateCommand implements Callable<Integer> {

    /** Minimum width of the column that explains the metrics. */
    private static final int MIN_DESCRIPTION = 24;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(
            paramLabel = "RUN",
            description =
                    "Run directory, such as runs/laat@demo, or with --corpus a pretrained model, such as codiesp-d.")
    private Path run;

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            completionCandidates = SplitNames.class,
            description = "dev or test (default: both).")
    private Optional<String> split = Optional.empty();

    @Option(
            names = "--corpus",
            paramLabel = "PATH",
            description = "Evaluate on this corpus with gold codes: .jsonl, .csv or .tsv, with the columns of the run's"
                    + " own corpus if the format is the same.")
    private Optional<String> corpus = Optional.empty();

    @Option(
            names = "--predictions",
            paramLabel = "FILE",
            description = "With --corpus: write the predictions to FILE (.jsonl.gz).")
    private Optional<Path> predictions = Optional.empty();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final BadRowsOption badRowsOption = new BadRowsOption();

    @Override
    public Integer call() {
        if (corpus.isPresent()) {
            return evaluateCorpus(corpus.get());
        }
        if (predictions.isPresent()) {
            throw new UserError("--predictions needs a --corpus", "--predictions", "add --corpus, or drop it");
        }
        return evaluateRun();
    }

    private int evaluateCorpus(String path) {
        if (split.isPresent()) {
            throw new UserError("Both --split and --corpus are given", "--split", "drop one of them");
        }
        predictions.ifPresent(OutputFile::createParentDirectory);
        RunDirectory directory = RunArgument.open(run);
        BadRowHandler badRows = badRowsOption.open();
        CorpusEvaluation result = CorpusEvaluation.of(
                directory, RunCorpus.open(directory, List.of(path), badRows), device.compute(), common.progress());
        Map<String, Evaluation> evaluations = Map.of(path, result.evaluation());
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(evaluations));
        } else {
            printTables(evaluations);
            ErrorReport errors = ErrorReport.of(directory, "gold", result.predictions());
            common.out().println();
            common.out().print(errors.causes().toText(common.color()));
            common.out().println(common.faint(errors.summary()));
        }
        if (result.trainedDocuments() > 0) {
            common.info(String.format(
                    Locale.ROOT,
                    "Warning: the model was trained on %,d of the %,d documents, so these figures are too good.",
                    result.trainedDocuments(),
                    result.predictions().documents().size()));
        }
        predictions.ifPresent(file -> {
            result.predictions().write(file);
            common.info("Wrote " + file);
        });
        common.reportSkipped(badRows);
        return CommandLine.ExitCode.OK;
    }

    private int evaluateRun() {
        RunDirectory directory = RunArgument.openExceptReport(run);
        if (directory.has(directory.card())) {
            throw new UserError(
                    "This is a packed model, which has no report",
                    run.toString(),
                    "evaluate it with --corpus, or show its card: plant model card " + run);
        }
        RunResult.chooseSplit(directory, split);
        Map<String, Evaluation> evaluations = new LinkedHashMap<>();
        for (String each : split.map(List::of).orElseGet(() -> RunResult.evaluatedSplits(directory))) {
            evaluations.put(each, Evaluation.read(directory.metrics(each)));
        }
        updateLocked(directory);
        Map<String, List<FrequencyCalibration>> calibration = new CalibrationByFrequency(directory).measure();
        calibration.keySet().retainAll(evaluations.keySet());
        if (json.enabled()) {
            Map<String, Object> result = new LinkedHashMap<>(evaluations);
            result.put("calibration", calibration);
            common.out().println(JsonOption.pretty(result));
            return CommandLine.ExitCode.OK;
        }
        Map.Entry<String, Evaluation> first = printTables(evaluations);
        if (calibration.containsKey(first.getKey())) {
            common.out().println();
            common.out()
                    .print(CalibrationByFrequency.table(calibration.get(first.getKey()))
                            .toText(common.color()));
            common.out()
                    .println(common.faint(
                            "In percent. ECE: expected calibration error of the top labels of each document."));
        }
        common.info("");
        common.info("Report: " + directory.report());
        return CommandLine.ExitCode.OK;
    }

    /** Prints all metrics, and the first evaluation by label frequency. */
    private Map.Entry<String, Evaluation> printTables(Map<String, Evaluation> evaluations) {
        common.out().print(metrics(evaluations).toText(common.color()));
        Map.Entry<String, Evaluation> first = evaluations.entrySet().iterator().next();
        common.out().println();
        common.out().print(MetricTables.byFrequency(first.getValue()).toText(common.color()));
        common.out()
                .println(common.faint("In percent. Labels by number of training documents, on "
                        + first.getValue().documents() + " " + first.getKey() + " documents."));
        return first;
    }

    /** Waits while `plant run` writes to the same directory. */
    private void updateLocked(RunDirectory directory) {
        Path file = Pipeline.lockFile(directory);
        if (!Files.isDirectory(file.resolveSibling(""))) { // a copied run
            updateReport(directory);
            return;
        }
        try (FileLock lock = FileLock.acquire(
                        file, () -> common.info("Waiting for `plant run`, which writes to this run."), () -> false)
                .orElseThrow()) {
            updateReport(directory);
        }
    }

    private void updateReport(RunDirectory directory) {
        try (Progress.Task task = common.progress().start("evaluate", 2)) {
            if (!directory.has(directory.calibration())) {
                task.message("calibration");
                DevCalibration.write(directory);
            }
            task.advance(1);
            task.message("report");
            RunReport.write(directory);
            task.advance(1);
        }
    }

    private ReportTable metrics(Map<String, Evaluation> evaluations) {
        int left = common.width() - 26 - 26 * evaluations.size();
        boolean descriptions = left >= MIN_DESCRIPTION;
        List<Column> columns = new ArrayList<>(List.of(Column.text("metric")));
        evaluations.keySet().forEach(name -> columns.add(Column.number(name, 2)));
        if (descriptions) {
            columns.add(Column.text("description"));
        }
        ReportTable table = new ReportTable(columns, List.of());
        for (String metric : evaluations.values().iterator().next().metrics().keySet()) {
            List<Object> row = new ArrayList<>(List.of(metric));
            evaluations.values().forEach(evaluation -> row.add(MetricTables.cell(evaluation, metric)));
            if (descriptions) {
                row.add(TerminalText.truncate(MetricNames.description(metric), left));
            }
            table = table.row(row.toArray());
        }
        return table;
    }
}
