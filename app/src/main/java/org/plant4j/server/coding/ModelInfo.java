package org.plant4j.server.coding;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.Coder;
import org.plant4j.calibration.Band;
import org.plant4j.calibration.Bands;
import org.plant4j.calibration.Calibration;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.metric.Evaluation;

/** What can be said of a run's model: which it is, what it learned from, and how well it codes. */
public record ModelInfo(String name, String version, boolean byDescriptions, Map<String, Object> body) {

    public static ModelInfo read(RunDirectory run, Coder coder, boolean keepsText) {
        RunManifest manifest = run.read(run.manifest(), RunManifest.class);
        String version = manifest.version();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", manifest.name());
        body.put("version", version);
        body.put(
                "type",
                RunDirectory.JSON.valueToTree(run.modelConfig()).path("type").asText());
        body.put("codes", coder.labels().size());
        Map<String, Long> trainedOn = new LinkedHashMap<>();
        Map<String, Object> metrics = new LinkedHashMap<>();
        for (String part : List.of("train", "dev", "test")) {
            trainedOn.put(part, manifest.sizes().getOrDefault(part, 0L));
            if (Files.exists(run.metrics(part))) {
                metrics.put(part, finite(Evaluation.read(run.metrics(part)).metrics()));
            }
        }
        body.put("trainedOn", trainedOn);
        body.put("metrics", metrics);
        body.put("bands", bands(coder.calibration()));
        body.put("calibration", calibration(coder.calibration()));
        boolean byDescriptions = coder.hasDescriptionEvidence();
        body.put("explains", explains(byDescriptions, coder));
        body.put("keepsText", keepsText);
        return new ModelInfo(manifest.name(), version, byDescriptions, body);
    }

    /** What can be told of a code's reasons beside the words of the notes. */
    private static Map<String, Boolean> explains(boolean byDescriptions, Coder coder) {
        Map<String, Boolean> facts = new LinkedHashMap<>();
        facts.put("descriptions", byDescriptions);
        facts.put("views", coder.chosenView("", coder.labels().code(0)).isPresent());
        return facts;
    }

    /** The bands that show codes, the surest first, with what was measured on dev. */
    private static List<Map<String, Object>> bands(Calibration calibration) {
        List<Map<String, Object>> bands = new ArrayList<>();
        for (Band band : List.of(Band.SUGGEST, Band.REVIEW)) {
            double from = calibration.bands().threshold(band);
            if (Double.isFinite(from)) { // a run that was never measured suggests nothing
                Optional<Bands.BandMetrics> measure = calibration.measures().stream()
                        .filter(each -> each.band() == band)
                        .findFirst();
                Map<String, Object> facts = new LinkedHashMap<>();
                facts.put("band", band);
                facts.put("from", from);
                facts.put("precision", measure.map(Bands.BandMetrics::precision).filter(Double::isFinite));
                facts.put("recall", measure.map(Bands.BandMetrics::recall).filter(Double::isFinite));
                bands.add(facts);
            }
        }
        return bands;
    }

    private static Optional<Map<String, Object>> calibration(Calibration calibration) {
        if (!calibration.fitted()) {
            return Optional.empty();
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("method", calibration.calibrator().method());
        facts.put("eceBefore", calibration.before().expectedCalibrationError());
        facts.put("eceAfter", calibration.after().expectedCalibrationError());
        return Optional.of(facts);
    }

    /** JSON has no NaN: a metric that could not be measured is left out. */
    private static Map<String, Double> finite(Map<String, Double> metrics) {
        Map<String, Double> kept = new LinkedHashMap<>();
        metrics.forEach((name, value) -> {
            if (Double.isFinite(value)) {
                kept.put(name, value);
            }
        });
        return kept;
    }
}
