package org.plant4j.pipeline.evaluation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.plant4j.Curve;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.report.Html;
import org.plant4j.report.LineChart;
import org.plant4j.report.MetricTables;
import org.plant4j.report.ReportPage;
import org.plant4j.support.AtomicFile;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.train.TrainingHistory;

/** Writes the report of a run, {@code report.html}: metrics, calibration, learning curves and settings. */
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

    /** Writes the report from the files of the run directory. */
    public static void write(RunDirectory directory) {
        String page = page(directory).toHtml();
        directory.add(staging -> AtomicFile.write(staging.report(), draft -> Files.writeString(draft, page)));
    }

    private static ReportPage page(RunDirectory directory) {
        RunManifest manifest = directory.readManifest();
        Map<String, Evaluation> splits = new LinkedHashMap<>();
        for (String split : List.of(PreparedCorpus.TEST, PreparedCorpus.DEV)) {
            if (directory.has(directory.metrics(split))) {
                splits.put(split, Evaluation.read(directory.metrics(split)));
            }
        }
        ReportPage page = ReportPage.titled(manifest.name())
                .lead("Performance of this model on held-out documents.")
                .facts(facts(manifest, splits));
        results(page, splits);
        buckets(page, splits);
        curves(page, splits);
        splits.keySet().stream()
                .findFirst()
                .filter(split -> directory.has(directory.predictions(split)))
                .ifPresent(split -> ErrorReport.of(directory, split).addTo(page));
        new CalibrationReport(directory).addTo(page);
        if (directory.has(directory.history())) {
            training(page, directory.read(directory.history(), TrainingHistory.class));
        }
        try {
            page.section("Experiment").details("Resolved settings", pre(Files.readString(directory.experiment())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page.provenance(provenance(manifest));
    }

    private static Map<String, String> facts(RunManifest manifest, Map<String, Evaluation> splits) {
        Map<String, String> facts = new LinkedHashMap<>();
        splits.entrySet().stream().findFirst().ifPresent(best -> {
            facts.put("MAP, " + best.getKey(), percent(best.getValue().metric(MetricNames.MAP)));
            facts.put("micro-F1, " + best.getKey(), percent(best.getValue().metric(MetricNames.MICRO_F1)));
        });
        facts.put("training documents", String.valueOf(manifest.sizes().get("train")));
        facts.put("labels", String.valueOf(manifest.sizes().get("labels")));
        facts.put("seed", String.valueOf(manifest.seed()));
        return facts;
    }

    private static void results(ReportPage page, Map<String, Evaluation> splits) {
        page.section("Results");
        if (splits.isEmpty()) {
            page.paragraphs("Neither dev nor test has labels, so there are no metrics.");
            return;
        }
        page.table("In percent, with 95 % bootstrap intervals over documents", MetricTables.bySplit(HEADLINE, splits))
                .paragraphs(describeThresholds(splits.keySet()));
        List<String> all =
                List.copyOf(splits.values().iterator().next().metrics().keySet());
        page.details("All metrics", MetricTables.bySplit(all, splits).toHtml());
    }

    private static String describeThresholds(Set<String> splits) {
        if (!splits.contains(PreparedCorpus.DEV)) {
            return "The threshold is 0.5, because there are no labelled dev documents to tune it on.";
        }
        String tuned = "Thresholds were tuned on dev, so the F1 on dev is slightly optimistic";
        return splits.contains(PreparedCorpus.TEST)
                ? tuned + "; test was scored once with these thresholds."
                : tuned + ".";
    }

    private static void buckets(ReportPage page, Map<String, Evaluation> splits) {
        splits.entrySet().stream()
                .findFirst()
                .ifPresent(first -> page.section("Frequent and rare labels")
                        .table(
                                "By number of training documents with the label, in percent; " + first.getKey()
                                        + " documents",
                                MetricTables.byFrequency(first.getValue())));
    }

    private static void curves(ReportPage page, Map<String, Evaluation> splits) {
        if (splits.isEmpty()) {
            return;
        }
        LineChart byFrequency =
                chart("F1 by label frequency", "training documents", "F1 (%)").logX();
        LineChart precisionRecall = chart("Precision and recall", "recall (%)", "precision (%)");
        LineChart precisionAtK = chart("Precision at k", "k", "precision (%)");
        LineChart recallAtK = chart("Recall at k", "k", "recall (%)");
        splits.forEach((split, evaluation) -> {
            curve(evaluation, Evaluation.F1_BY_FREQUENCY)
                    .ifPresent(c -> byFrequency.scatter(split, c.x(), percent(c.y()), 8));
            curve(evaluation, Evaluation.PRECISION_RECALL)
                    .ifPresent(c -> precisionRecall.line(split, percent(c.x()), percent(c.y())));
            curve(evaluation, Evaluation.PRECISION_AT_K)
                    .ifPresent(c -> precisionAtK.line(split, c.x(), percent(c.y())));
            curve(evaluation, Evaluation.RECALL_AT_K).ifPresent(c -> recallAtK.line(split, c.x(), percent(c.y())));
        });
        page.section("Curves")
                .charts(byFrequency.toSvg(), precisionRecall.toSvg(), precisionAtK.toSvg(), recallAtK.toSvg());
    }

    private static LineChart chart(String title, String xLabel, String yLabel) {
        return LineChart.titled(title).xLabel(xLabel).yLabel(yLabel).yRange(0, 100);
    }

    private static double[] percent(double[] fractions) {
        return DoubleStream.of(fractions).map(value -> 100 * value).toArray();
    }

    private static Optional<Curve> curve(Evaluation evaluation, String name) {
        return Optional.ofNullable(evaluation.curves().get(name)).filter(curve -> curve.x().length > 0);
    }

    private static void training(ReportPage page, TrainingHistory history) {
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
                .yLabel("loss per document")
                .line("train", epochs, train);
        page.section("Training");
        if (DoubleStream.of(dev).anyMatch(Double::isFinite)) {
            LineChart measured =
                    LineChart.titled("Dev metrics by epoch").xLabel("epoch").yLabel("metric (%)");
            Set<String> names = history.epochs().get(0).metrics().keySet();
            names.forEach(name -> measured.line(
                    name,
                    epochs,
                    percent(history.epochs().stream()
                            .mapToDouble(e -> e.metric(name))
                            .toArray())));
            if (names.isEmpty()) {
                measured.line("dev metric", epochs, percent(metric));
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
        return "<pre>" + Html.escape(text) + "</pre>";
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * value);
    }
}
