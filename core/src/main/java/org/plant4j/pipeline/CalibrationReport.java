package org.plant4j.pipeline;

import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.plant4j.calibration.Bands;
import org.plant4j.calibration.Calibration;
import org.plant4j.calibration.Reliability;
import org.plant4j.calibration.ScoredPairs;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Curve;
import org.plant4j.metric.Predictions;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;

/** The part of a run's report that says how far its probabilities can be believed. */
public record CalibrationReport(RunDirectory folder) {

    private static final Map<String, String> NAMES =
            Map.of("temperature", "temperature scaling", "isotonic", "isotonic regression");

    void addTo(ReportPage page) {
        if (!Files.exists(folder.calibration())) {
            return;
        }
        Calibration calibration = folder.readCalibration();
        if (!calibration.fitted()) {
            return;
        }
        page.section("Calibration").paragraphs(method(calibration));
        if (Files.exists(folder.predictions(Pipeline.TEST))) {
            ScoredPairs test = ScoredPairs.of(Predictions.read(folder.predictions(Pipeline.TEST)));
            double[] probabilities = calibration.calibrator().probabilities(test.scores());
            Reliability before = Reliability.of(test.scores(), test.correct());
            Reliability after = Reliability.of(probabilities, test.correct());
            page.table(
                    "Expected calibration error, over " + Reliability.BINS + " bins",
                    errors().row(Pipeline.TEST, before.expectedCalibrationError(), after.expectedCalibrationError())
                            .row(
                                    Pipeline.DEV,
                                    calibration.before().expectedCalibrationError(),
                                    calibration.after().expectedCalibrationError()));
            bands(page, Pipeline.TEST, calibration.bands().measure(probabilities, test));
            bands(page, Pipeline.DEV, calibration.measures());
            page.charts(chart(Pipeline.TEST, before, after), chart(Pipeline.DEV, calibration));
        } else {
            page.table(
                    "Expected calibration error, over " + Reliability.BINS + " bins",
                    errors().row(
                                    Pipeline.DEV,
                                    calibration.before().expectedCalibrationError(),
                                    calibration.after().expectedCalibrationError()));
            bands(page, Pipeline.DEV, calibration.measures());
            page.charts(chart(Pipeline.DEV, calibration));
        }
    }

    private static String method(Calibration calibration) {
        String chosen = calibration.calibrator().method();
        String start = chosen.equals("none")
                ? "Probabilities are the scores as they are: on held-out documents, of dev's " + calibration.documents()
                        + ", nothing foretold what is right better than they do, beyond chance."
                : "Probabilities come from " + NAMES.get(chosen) + ", fitted on the best codes of dev's "
                        + calibration.documents() + " documents: chosen by how well it foretells what is right on"
                        + " documents held out of the fit.";
        return start + " Negative log-likelihood a code there: scores " + loss(calibration, "none") + ", "
                + NAMES.get("temperature") + " " + loss(calibration, "temperature") + ", " + NAMES.get("isotonic")
                + " " + loss(calibration, "isotonic") + ".";
    }

    private static String loss(Calibration calibration, String method) {
        return String.format(
                Locale.ROOT, "%.4f", calibration.negativeLogLikelihood().getOrDefault(method, Double.NaN));
    }

    private static ReportTable errors() {
        return ReportTable.of(
                ReportTable.Column.text("documents"),
                ReportTable.Column.number("scores", 4),
                ReportTable.Column.number("calibrated", 4));
    }

    private static void bands(ReportPage page, String part, List<Bands.BandMetrics> measures) {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("band"),
                ReportTable.Column.number("from probability", 3),
                ReportTable.Column.number("precision", 3),
                ReportTable.Column.number("share of gold codes", 3),
                ReportTable.Column.number("codes a document", 1));
        for (Bands.BandMetrics measure : measures) {
            table = table.row(
                    measure.band().key(), measure.from(), measure.precision(), measure.recall(), measure.codes());
        }
        page.table("Bands, chosen on dev; " + part + " documents.", table);
    }

    private static String chart(String part, Calibration calibration) {
        return chart(part, calibration.before(), calibration.after());
    }

    private static String chart(String part, Reliability before, Reliability after) {
        Curve scores = before.curve();
        Curve calibrated = after.curve();
        return LineChart.titled("Reliability, " + part)
                .xLabel("probability")
                .yLabel("share that is right")
                .yRange(0, 1)
                .line("scores", scores.x(), scores.y())
                .line("calibrated", calibrated.x(), calibrated.y())
                .line("ideal", new double[] {0, 1}, new double[] {0, 1})
                .toSvg();
    }
}
