package org.plant4j.server.coding;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.Band;
import org.plant4j.Coder;
import org.plant4j.Evaluation;
import org.plant4j.calibration.Bands;
import org.plant4j.calibration.Calibration;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;

/**
 * The model of a run as {@code /api/model} describes it.
 *
 * @param codes number of codes that the model can suggest
 * @param guard whether the run has a guard, which detects texts that do not resemble the training documents
 * @param keepsText whether the server stores the texts of reviewed documents
 */
public record ModelInfo(
        String name,
        String version,
        String type,
        int codes,
        @JsonUnwrapped Quality quality,
        ExplanationTypes explains,
        boolean guard,
        boolean keepsText) {

    /** Documents and metrics by split, and what was measured on the dev split. */
    public record Quality(
            Map<String, Long> documents,
            Map<String, Map<String, Double>> metrics,
            List<BandInfo> bands,
            Optional<CalibrationInfo> calibration) {}

    /** A band that starts at a probability, with its precision and recall if they were measured. */
    public record BandInfo(Band band, double threshold, Optional<Double> precision, Optional<Double> recall) {}

    /** The calibration method and the expected calibration error before and after it. */
    public record CalibrationInfo(String method, double eceBefore, double eceAfter) {}

    /** The explanations that the model provides besides evidence in the documents. */
    public record ExplanationTypes(boolean descriptions, boolean views) {}

    public static ModelInfo read(RunDirectory run, Coder coder, boolean keepsText) {
        RunManifest manifest = run.readManifest();
        String type =
                RunDirectory.JSON.valueToTree(run.modelConfig()).path("type").asText();
        ExplanationTypes explains = new ExplanationTypes(coder.hasDescriptionEvidence(), coder.hasSharedViews());
        return new ModelInfo(
                manifest.name(),
                manifest.version(),
                type,
                coder.codes().size(),
                quality(run, manifest, run.calibrationOrNone()),
                explains,
                coder.hasGuard(),
                keepsText);
    }

    private static Quality quality(RunDirectory run, RunManifest manifest, Calibration calibration) {
        Map<String, Long> documents = new LinkedHashMap<>();
        Map<String, Map<String, Double>> metrics = new LinkedHashMap<>();
        for (String split : List.of("train", "dev", "test")) {
            documents.put(split, manifest.sizes().getOrDefault(split, 0L));
            if (run.has(run.metrics(split))) {
                metrics.put(split, finite(Evaluation.read(run.metrics(split)).metrics()));
            }
        }
        return new Quality(documents, metrics, bands(calibration), calibrationInfo(calibration));
    }

    /** The visible bands, highest probability first. */
    private static List<BandInfo> bands(Calibration calibration) {
        List<BandInfo> bands = new ArrayList<>();
        for (Band band : List.of(Band.SUGGEST, Band.REVIEW)) {
            double threshold = calibration.bands().threshold(band);
            if (Double.isFinite(threshold)) { // infinite if the run was never evaluated
                Optional<Bands.BandMetrics> measured = calibration.metrics().stream()
                        .filter(each -> each.band() == band)
                        .findFirst();
                bands.add(new BandInfo(
                        band,
                        threshold,
                        measured.map(Bands.BandMetrics::precision).filter(Double::isFinite),
                        measured.map(Bands.BandMetrics::recall).filter(Double::isFinite)));
            }
        }
        return bands;
    }

    private static Optional<CalibrationInfo> calibrationInfo(Calibration calibration) {
        return calibration.fitted()
                ? Optional.of(new CalibrationInfo(
                        calibration.calibrator().method(),
                        calibration.before().expectedCalibrationError(),
                        calibration.after().expectedCalibrationError()))
                : Optional.empty();
    }

    /** JSON has no NaN: metrics that could not be measured are left out. */
    private static Map<String, Double> finite(Map<String, Double> metrics) {
        Map<String, Double> finite = new LinkedHashMap<>();
        metrics.forEach((name, value) -> {
            if (Double.isFinite(value)) {
                finite.put(name, value);
            }
        });
        return finite;
    }
}
