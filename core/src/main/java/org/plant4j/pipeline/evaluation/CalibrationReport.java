package org.plant4j.pipeline.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.plant4j.Curve;
import org.plant4j.calibration.Bands;
import org.plant4j.calibration.Calibration;
import org.plant4j.calibration.Reliability;
import org.plant4j.calibration.ScoredPairs;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Predictions;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.text.PreparedCorpus;

/** The calibration section of a run's report. */
final class CalibrationReport {

    private static final Map<String, String> NAMES =
            Map.of("temperature", "temperature scaling", "isotonic", "isotonic regression");

    private final RunDirectory directory;

    CalibrationReport(RunDirectory directory) {
        this.directory = directory;
    }

    void addTo(ReportPage page) {
        if (!directory.has(directory.calibration())) {
            return;
        }
        Calibration calibration = directory.readCalibration();
        if (!calibration.fitted()) {
            return;
        }
        page.section("Calibration").paragraphs(method(calibration));
        ReportTable errors = ReportTable.of(
                ReportTable.Column.text("split"),
                ReportTable.Column.percent("scores"),
                ReportTable.Column.percent("calibrated"));
        List<String> charts = new ArrayList<>();
        if (directory.has(directory.predictions(PreparedCorpus.TEST))) {
            ScoredPairs test = ScoredPairs.of(Predictions.read(directory.predictions(PreparedCorpus.TEST)));
            double[] probabilities = calibration.calibrator().probabilities(test.scores());
            Reliability before = Reliability.of(test.scores(), test.correct());
            Reliability after = Reliability.of(probabilities, test.correct());
            errors = errors.row(
                    PreparedCorpus.TEST, before.expectedCalibrationError(), after.expectedCalibrationError());
            charts.add(chart(PreparedCorpus.TEST, before, after));
            bands(page, PreparedCorpus.TEST, calibration.bands().measure(probabilities, test));
        }
        errors = errors.row(
                PreparedCorpus.DEV,
                calibration.before().expectedCalibrationError(),
                calibration.after().expectedCalibrationError());
        charts.add(chart(PreparedCorpus.DEV, calibration.before(), calibration.after()));
        bands(page, PreparedCorpus.DEV, calibration.metrics());
        page.table("Expected calibration error in percent, " + Reliability.BINS + " bins", errors)
                .charts(charts.toArray(String[]::new));
        new CalibrationByFrequency(directory)
                .measure()
                .forEach((split, rows) -> page.table(
                        "Calibration by number of training documents of the label; " + split + " documents",
                        CalibrationByFrequency.table(rows)));
    }

    private static String method(Calibration calibration) {
        String chosen = calibration.calibrator().method();
        String start = chosen.equals("none")
                ? "Probabilities are the raw scores: in cross-validation on " + calibration.documents()
                        + " dev documents, no calibration method was significantly better."
                : "Probabilities come from " + NAMES.get(chosen) + ", fitted on the top labels of "
                        + calibration.documents() + " dev documents and chosen by cross-validation.";
        return start + " Negative log-likelihood per label: scores " + loss(calibration, "none") + ", "
                + NAMES.get("temperature") + " " + loss(calibration, "temperature") + ", " + NAMES.get("isotonic")
                + " " + loss(calibration, "isotonic") + ".";
    }

    private static String loss(Calibration calibration, String method) {
        return String.format(
                Locale.ROOT, "%.4f", calibration.negativeLogLikelihood().getOrDefault(method, Double.NaN));
    }

    private static void bands(ReportPage page, String split, List<Bands.BandMetrics> measures) {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("band"),
                ReportTable.Column.number("minimum probability", 3),
                ReportTable.Column.percent("precision"),
                ReportTable.Column.percent("recall"),
                ReportTable.Column.number("labels per document", 1));
        for (Bands.BandMetrics measure : measures) {
            table = table.row(
                    measure.band().key(),
                    measure.from(),
                    measure.precision(),
                    measure.recall(),
                    measure.labelsPerDocument());
        }
        page.table("Bands, chosen on dev; " + split + " documents", table);
    }

    private static String chart(String split, Reliability before, Reliability after) {
        Curve scores = before.curve();
        Curve calibrated = after.curve();
        return LineChart.titled("Reliability, " + split)
                .xLabel("probability")
                .yLabel("observed frequency")
                .yRange(0, 1)
                .line("scores", scores.x(), scores.y())
                .line("calibrated", calibrated.x(), calibrated.y())
                .line("ideal", new double[] {0, 1}, new double[] {0, 1})
                .toSvg();
    }
}
