package org.plant4j.experiment;

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
import org.plant4j.eval.Chart;
import org.plant4j.eval.Curve;
import org.plant4j.eval.Evaluation;
import org.plant4j.eval.FrequencyBucket;
import org.plant4j.eval.Interval;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Table;
import org.plant4j.predict.RunFolder;
import org.plant4j.train.History;

/** A run as one self-contained page: what was trained, how it went, and how well it codes. */
public final class RunReport {

    private static final List<String> HEADLINE =
            List.of(Metrics.MAP, Metrics.MICRO_F1, Metrics.MACRO_F1, "P@5", "P@8", "P@15", "R@15", Metrics.MICRO_AUC);

    private RunReport() {}

    /** Writes {@code report.html} from what the run's folder holds. */
    public static void write(RunFolder folder) {
        try {
            Files.writeString(folder.report(), page(folder).toHtml());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + folder.report(), e);
        }
    }

    private static ReportPage page(RunFolder folder) {
        Manifest manifest = folder.read(folder.manifest(), Manifest.class);
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
            learning(page, folder.read(folder.history(), History.class));
        }
        try {
            page.section("How it was made")
                    .details("The experiment, with all that it extends", pre(Files.readString(folder.experiment())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page.provenance(provenance(manifest));
    }

    private static Map<String, String> facts(Manifest manifest, Map<String, Evaluation> parts) {
        Map<String, String> facts = new LinkedHashMap<>();
        parts.entrySet().stream().findFirst().ifPresent(best -> {
            facts.put("MAP, " + best.getKey(), number(best.getValue().metric(Metrics.MAP)));
            facts.put("micro-F1, " + best.getKey(), number(best.getValue().metric(Metrics.MICRO_F1)));
        });
        facts.put("training documents", String.valueOf(manifest.sizes().get("train")));
        facts.put("codes", String.valueOf(manifest.sizes().get("codes")));
        facts.put("seed", String.valueOf(manifest.seed()));
        return facts;
    }

    private static void results(ReportPage page, Map<String, Evaluation> parts) {
        page.section("Results");
        if (parts.isEmpty()) {
            page.prose("Neither dev nor test has codes, so nothing could be measured.");
            return;
        }
        Table table = Table.of(columns(parts));
        for (String metric : HEADLINE) {
            List<Object> row = new ArrayList<>();
            row.add(metric);
            parts.values().forEach(evaluation -> row.add(cell(evaluation, metric)));
            table = table.row(row.toArray());
        }
        page.table("With 95 % bootstrap intervals over documents.", table);
        page.prose(onThresholds(parts.keySet()));
        Table all = Table.of(columns(parts));
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

    private static Table.Column[] columns(Map<String, Evaluation> parts) {
        List<Table.Column> columns = new ArrayList<>();
        columns.add(Table.Column.text("metric"));
        parts.keySet().forEach(part -> columns.add(Table.Column.number(part, 4)));
        return columns.toArray(Table.Column[]::new);
    }

    private static Table.Cell cell(Evaluation evaluation, String metric) {
        Double value = evaluation.metrics().get(metric);
        if (value == null) {
            return Table.Cell.of(Double.NaN);
        }
        Interval interval = evaluation.intervals().get(metric);
        return interval == null ? Table.Cell.of(value) : Table.Cell.of(value, interval.low(), interval.high());
    }

    private static void buckets(ReportPage page, Map<String, Evaluation> parts) {
        Optional<Map.Entry<String, Evaluation>> first =
                parts.entrySet().stream().findFirst();
        if (first.isEmpty()) {
            return;
        }
        Table table = Table.of(
                Table.Column.text("training documents with the code"),
                Table.Column.number("codes", 0),
                Table.Column.number("micro-F1", 4),
                Table.Column.number("macro-F1", 4),
                Table.Column.number("recall", 4),
                Table.Column.number("MAP", 4));
        for (FrequencyBucket bucket : first.get().getValue().buckets()) {
            Map<String, Double> m = bucket.metrics();
            table = table.row(
                    bucket.name(),
                    m.getOrDefault(Metrics.GOLD_LABELS, 0.0),
                    m.getOrDefault(Metrics.MICRO_F1, Double.NaN),
                    m.getOrDefault(Metrics.MACRO_F1_GOLD, Double.NaN),
                    m.getOrDefault(Metrics.MICRO_RECALL, Double.NaN),
                    m.getOrDefault(Metrics.MAP, Double.NaN));
        }
        page.section("Frequent and rare codes")
                .table("By how often a code occurs in training; " + first.get().getKey() + " documents.", table);
    }

    private static void curves(ReportPage page, Map<String, Evaluation> parts) {
        if (parts.isEmpty()) {
            return;
        }
        Chart precisionRecall =
                Chart.titled("Precision and recall").x("recall").y("precision").yRange(0, 1);
        Chart atK = Chart.titled("Precision at k").x("k").y("precision").yRange(0, 1);
        Chart recallAtK = Chart.titled("Recall at k").x("k").y("recall").yRange(0, 1);
        Chart byFrequency = Chart.titled("F1 by code frequency")
                .x("training documents")
                .y("F1")
                .logX()
                .yRange(0, 1);
        parts.forEach((part, evaluation) -> {
            line(evaluation, Evaluation.PRECISION_RECALL).ifPresent(c -> precisionRecall.line(part, c.x(), c.y()));
            line(evaluation, Evaluation.PRECISION_AT_K).ifPresent(c -> atK.line(part, c.x(), c.y()));
            line(evaluation, Evaluation.RECALL_AT_K).ifPresent(c -> recallAtK.line(part, c.x(), c.y()));
            line(evaluation, Evaluation.F1_BY_FREQUENCY).ifPresent(c -> byFrequency.points(part, c.x(), c.y(), 8));
        });
        page.section("Curves").charts(byFrequency.toSvg(), precisionRecall.toSvg(), atK.toSvg(), recallAtK.toSvg());
    }

    private static Optional<Curve> line(Evaluation evaluation, String name) {
        return Optional.ofNullable(evaluation.curves().get(name)).filter(curve -> curve.x().length > 0);
    }

    private static void learning(ReportPage page, History history) {
        double[] epochs =
                history.epochs().stream().mapToDouble(e -> e.epoch() + 1).toArray();
        double[] train =
                history.epochs().stream().mapToDouble(History.Epoch::trainLoss).toArray();
        double[] dev =
                history.epochs().stream().mapToDouble(History.Epoch::devLoss).toArray();
        double[] metric =
                history.epochs().stream().mapToDouble(History.Epoch::devMetric).toArray();
        Chart loss =
                Chart.titled("Loss by epoch").x("epoch").y("loss a document").line("train", epochs, train);
        page.section("Learning");
        if (DoubleStream.of(dev).anyMatch(Double::isFinite)) {
            Chart measured = Chart.titled("Dev metrics by epoch").x("epoch").y("on dev");
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

    private static Map<String, String> provenance(Manifest manifest) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", manifest.command());
        facts.put("started", manifest.started());
        facts.putAll(manifest.versions());
        manifest.seconds().forEach((stage, s) -> facts.put(stage, String.format(Locale.ROOT, "%.1f s", s)));
        facts.put("fingerprint", manifest.fingerprint());
        return facts;
    }

    private static String pre(String text) {
        return "<pre>" + org.plant4j.Html.escape(text) + "</pre>";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
