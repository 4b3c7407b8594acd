package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.metric.Curve;
import org.plant4j.metric.Evaluation;
import org.plant4j.metric.FrequencyBucket;
import org.plant4j.metric.MetricNames;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.Interval;
import org.plant4j.train.TrainingHistory;

/** A run as one self-contained page: what was trained, how it went, and how well it codes. */
public final class RunReport {

    private static final List<String> HEADLINE = List.of(
            MetricNames.MAP,
            MetricNames.MICRO_F1,
            MetricNames.MACRO_F1,
            "P@5",
            "P@8",
            "P@15",
            "R@15",
            MetricNames.MICRO_AUC);

    private RunReport() {}

    /** Writes {@code report.html} from what the run's folder holds. */
    public static void write(RunDirectory folder) {
        try {
            Files.writeString(folder.report(), page(folder).toHtml());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + folder.report(), e);
        }
    }

    private static ReportPage page(RunDirectory folder) {
        RunManifest manifest = folder.read(folder.manifest(), RunManifest.class);
        Map<String, Evaluation> parts = new LinkedHashMap<>();
        for (String part : List.of(Pipeline.TEST, Pipeline.DEV)) {
            if (Files.exists(folder.metrics(part))) {
                parts.put(part, Evaluation.read(folder.metrics(part)));
            }
        }
        ReportPage page = ReportPage.titled(manifest.name())
                .lead("How this model codes documents it has not seen.")
                .facts(facts(manifest, parts));
        results(page, parts);
        buckets(page, parts);
        curves(page, parts);
        new CalibrationReport(folder).addTo(page);
        if (Files.exists(folder.history())) {
            learning(page, folder.read(folder.history(), TrainingHistory.class));
        }
        try {
            page.section("How it was made")
                    .details("The experiment, with all that it extends", pre(Files.readString(folder.experiment())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page.provenance(provenance(manifest));
    }

    private static Map<String, String> facts(RunManifest manifest, Map<String, Evaluation> parts) {
        Map<String, String> facts = new LinkedHashMap<>();
        parts.entrySet().stream().findFirst().ifPresent(best -> {
            facts.put("MAP, " + best.getKey(), number(best.getValue().metric(MetricNames.MAP)));
            facts.put("micro-F1, " + best.getKey(), number(best.getValue().metric(MetricNames.MICRO_F1)));
        });
        facts.put("training documents", String.valueOf(manifest.sizes().get("train")));
        facts.put("codes", String.valueOf(manifest.sizes().get("codes")));
        facts.put("seed", String.valueOf(manifest.seed()));
        return facts;
    }

    private static void results(ReportPage page, Map<String, Evaluation> parts) {
        page.section("Results");
        if (parts.isEmpty()) {
            page.paragraphs("Neither dev nor test has codes, so nothing could be measured.");
            return;
        }
        ReportTable table = ReportTable.of(columns(parts));
        for (String metric : HEADLINE) {
            List<Object> row = new ArrayList<>();
            row.add(metric);
            parts.values().forEach(evaluation -> row.add(cell(evaluation, metric)));
            table = table.row(row.toArray());
        }
        page.table("With 95 % bootstrap intervals over documents.", table);
        page.paragraphs(onThresholds(parts.keySet()));
        ReportTable all = ReportTable.of(columns(parts));
        for (String metric : parts.values().iterator().next().metrics().keySet()) {
            List<Object> row = new ArrayList<>();
            row.add(metric);
            parts.values().forEach(evaluation -> row.add(cell(evaluation, metric)));
            all = all.row(row.toArray());
        }
        page.details("Every metric", all.toHtml());
    }

    private static String onThresholds(Set<String> parts) {
        if (!parts.contains(Pipeline.DEV)) {
            return "There are no coded dev documents to tune a threshold on, so it is 0.5.";
        }
        String tuned = "Thresholds were tuned on dev, so its F1 is a little too good";
        return parts.contains(Pipeline.TEST) ? tuned + "; test was scored once, with them." : tuned + ".";
    }

    private static ReportTable.Column[] columns(Map<String, Evaluation> parts) {
        List<ReportTable.Column> columns = new ArrayList<>();
        columns.add(ReportTable.Column.text("metric"));
        parts.keySet().forEach(part -> columns.add(ReportTable.Column.number(part, 4)));
        return columns.toArray(ReportTable.Column[]::new);
    }

    private static ReportTable.Cell cell(Evaluation evaluation, String metric) {
        Double value = evaluation.metrics().get(metric);
        if (value == null) {
            return ReportTable.Cell.of(Double.NaN);
        }
        Interval interval = evaluation.intervals().get(metric);
        return interval == null
                ? ReportTable.Cell.of(value)
                : ReportTable.Cell.of(value, interval.low(), interval.high());
    }

    private static void buckets(ReportPage page, Map<String, Evaluation> parts) {
        Optional<Map.Entry<String, Evaluation>> first =
                parts.entrySet().stream().findFirst();
        if (first.isEmpty()) {
            return;
        }
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("training documents with the code"),
                ReportTable.Column.number("codes", 0),
                ReportTable.Column.number("micro-F1", 4),
                ReportTable.Column.number("macro-F1", 4),
                ReportTable.Column.number("recall", 4),
                ReportTable.Column.number("MAP", 4));
        for (FrequencyBucket bucket : first.get().getValue().buckets()) {
            Map<String, Double> m = bucket.metrics();
            table = table.row(
                    bucket.name(),
                    m.getOrDefault(MetricNames.GOLD_LABELS, 0.0),
                    m.getOrDefault(MetricNames.MICRO_F1, Double.NaN),
                    m.getOrDefault(MetricNames.MACRO_F1_GOLD, Double.NaN),
                    m.getOrDefault(MetricNames.MICRO_RECALL, Double.NaN),
                    m.getOrDefault(MetricNames.MAP, Double.NaN));
        }
        page.section("Frequent and rare codes")
                .table("By how often a code occurs in training; " + first.get().getKey() + " documents.", table);
    }

    private static void curves(ReportPage page, Map<String, Evaluation> parts) {
        if (parts.isEmpty()) {
            return;
        }
        LineChart precisionRecall = LineChart.titled("Precision and recall")
                .xLabel("recall")
                .yLabel("precision")
                .yRange(0, 1);
        LineChart atK = LineChart.titled("Precision at k")
                .xLabel("k")
                .yLabel("precision")
                .yRange(0, 1);
        LineChart recallAtK =
                LineChart.titled("Recall at k").xLabel("k").yLabel("recall").yRange(0, 1);
        LineChart byFrequency = LineChart.titled("F1 by code frequency")
                .xLabel("training documents")
                .yLabel("F1")
                .logX()
                .yRange(0, 1);
        parts.forEach((part, evaluation) -> {
            line(evaluation, Evaluation.PRECISION_RECALL).ifPresent(c -> precisionRecall.line(part, c.x(), c.y()));
            line(evaluation, Evaluation.PRECISION_AT_K).ifPresent(c -> atK.line(part, c.x(), c.y()));
            line(evaluation, Evaluation.RECALL_AT_K).ifPresent(c -> recallAtK.line(part, c.x(), c.y()));
            line(evaluation, Evaluation.F1_BY_FREQUENCY).ifPresent(c -> byFrequency.scatter(part, c.x(), c.y(), 8));
        });
        page.section("Curves").charts(byFrequency.toSvg(), precisionRecall.toSvg(), atK.toSvg(), recallAtK.toSvg());
    }

    private static Optional<Curve> line(Evaluation evaluation, String name) {
        return Optional.ofNullable(evaluation.curves().get(name)).filter(curve -> curve.x().length > 0);
    }

    private static void learning(ReportPage page, TrainingHistory history) {
        double[] epochs =
                history.epochs().stream().mapToDouble(e -> e.epoch() + 1).toArray();
        double[] train = history.epochs().stream()
                .mapToDouble(TrainingHistory.Epoch::trainLoss)
                .toArray();
        double[] dev = history.epochs().stream()
                .mapToDouble(TrainingHistory.Epoch::devLoss)
                .toArray();
        double[] metric = history.epochs().stream()
                .mapToDouble(TrainingHistory.Epoch::devMetric)
                .toArray();
        LineChart loss = LineChart.titled("Loss by epoch")
                .xLabel("epoch")
                .yLabel("loss a document")
                .line("train", epochs, train);
        page.section("Learning");
        if (DoubleStream.of(dev).anyMatch(Double::isFinite)) {
            LineChart measured =
                    LineChart.titled("Dev metrics by epoch").xLabel("epoch").yLabel("on dev");
            Set<String> names = history.epochs().get(0).metrics().keySet();
            names.forEach(name -> measured.line(
                    name,
                    epochs,
                    history.epochs().stream().mapToDouble(e -> e.metric(name)).toArray()));
            if (names.isEmpty()) {
                measured.line("dev metric", epochs, metric);
            }
            page.charts(loss.line("dev", epochs, dev).toSvg(), measured.toSvg());
        } else {
            page.charts(loss.toSvg());
        }
    }

    private static Map<String, String> provenance(RunManifest manifest) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", manifest.command());
        facts.put("started", manifest.started());
        facts.putAll(manifest.versions());
        manifest.seconds().forEach((stage, s) -> facts.put(stage, String.format(Locale.ROOT, "%.1f s", s)));
        facts.put("fingerprint", manifest.fingerprint());
        return facts;
    }

    private static String pre(String text) {
        return "<pre>" + org.plant4j.report.Html.escape(text) + "</pre>";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
