package org.plant4j.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.plant4j.TerminalText;
import org.plant4j.eval.Evaluation;
import org.plant4j.eval.FrequencyBucket;
import org.plant4j.eval.Interval;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.Table;
import org.plant4j.eval.Table.Cell;
import org.plant4j.eval.Table.Column;
import org.plant4j.experiment.DevCalibration;
import org.plant4j.experiment.RunReport;
import org.plant4j.predict.RunFolder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant evaluate}: every metric of a run. */
@Command(
        name = "evaluate",
        description = {
            "Show every metric of a run, calibrate it where it is not yet, and write its report anew.",
            "The metrics are those that 'run' measured: thresholds tuned on dev, test scored once."
        })
final class EvaluateCommand implements Callable<Integer> {

    /** Columns left for a metric's meaning below which none is shown. */
    private static final int LEAST_MEANING = 24;

    private static final Set<String> COUNTS = Set.of(Metrics.LABELS, Metrics.GOLD_LABELS, Metrics.PREDICTED_LABELS);

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(paramLabel = "RUN", description = "The folder of a run, such as runs/demo-laat.")
    private Path run;

    @Option(names = "--part", paramLabel = "PART", description = "Only dev or test (default: both).")
    private Optional<String> part = Optional.empty();

    @Override
    public Integer call() {
        RunFolder folder = RunArgument.find(run);
        RunResult.part(folder, part);
        Map<String, Evaluation> evaluations = new LinkedHashMap<>();
        for (String each : part.map(List::of).orElseGet(() -> RunResult.parts(folder))) {
            evaluations.put(each, Evaluation.read(folder.metrics(each)));
        }
        if (!Files.exists(folder.calibration())) {
            DevCalibration.write(folder);
        }
        RunReport.write(folder);
        if (json.wanted()) {
            common.out().println(JsonOption.text(evaluations));
            return CommandLine.ExitCode.OK;
        }
        common.out().print(metrics(evaluations).toText(common.colour()));
        Map.Entry<String, Evaluation> first = evaluations.entrySet().iterator().next();
        common.out().println();
        common.out().print(buckets(first.getValue()).toText(common.colour()));
        common.out()
                .println(common.faint("By how many training documents carry the code; on "
                        + first.getValue().documents() + " " + first.getKey() + " documents."));
        common.say("");
        common.say("Report: " + folder.report());
        return CommandLine.ExitCode.OK;
    }

    private Table metrics(Map<String, Evaluation> evaluations) {
        int left = common.width() - 26 - 26 * evaluations.size();
        boolean meanings = left >= LEAST_MEANING;
        List<Column> columns = new ArrayList<>(List.of(Column.text("metric")));
        evaluations.keySet().forEach(name -> columns.add(Column.number(name, 4)));
        if (meanings) {
            columns.add(Column.text("meaning"));
        }
        Table table = new Table(columns, List.of());
        for (String metric : evaluations.values().iterator().next().metrics().keySet()) {
            List<Object> row = new ArrayList<>(List.of(metric));
            evaluations.values().forEach(evaluation -> row.add(cell(evaluation, metric)));
            if (meanings) {
                row.add(TerminalText.cut(Metrics.meaning(metric), left));
            }
            table = table.row(row.toArray());
        }
        return table;
    }

    private static Cell cell(Evaluation evaluation, String metric) {
        double value = evaluation.metric(metric);
        if (COUNTS.contains(metric)) {
            return Cell.of(String.format(Locale.ROOT, "%.0f", value));
        }
        Interval interval = evaluation.intervals().get(metric);
        return interval == null ? Cell.of(value) : Cell.of(value, interval.low(), interval.high());
    }

    private static Table buckets(Evaluation evaluation) {
        Table table = Table.of(
                Column.text("frequency"),
                Column.number("codes", 0),
                Column.number("micro-F1", 4),
                Column.number("macro-F1", 4),
                Column.number("recall", 4),
                Column.number("MAP", 4));
        for (FrequencyBucket bucket : evaluation.buckets()) {
            Map<String, Double> metrics = bucket.metrics();
            table = table.row(
                    bucket.name(),
                    metrics.getOrDefault(Metrics.GOLD_LABELS, 0.0),
                    metrics.getOrDefault(Metrics.MICRO_F1, Double.NaN),
                    metrics.getOrDefault(Metrics.MACRO_F1_GOLD, Double.NaN),
                    metrics.getOrDefault(Metrics.MICRO_RECALL, Double.NaN),
                    metrics.getOrDefault(Metrics.MAP, Double.NaN));
        }
        return table;
    }
}
