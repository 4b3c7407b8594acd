package org.plant4j.app.desk;

import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.eval.Evaluation;
import org.plant4j.experiment.Manifest;
import org.plant4j.predict.RunFolder;

/** What can be said of a run's model: which it is, what it learned from, and how well it codes. */
record ModelFacts(String name, String version, Map<String, Object> body) {

    /** Digits of the fingerprint that tell one training from another. */
    private static final int VERSION = 12;

    static ModelFacts read(RunFolder run, int codes, Routing routing, boolean keepsText) {
        Manifest manifest = run.read(run.manifest(), Manifest.class);
        String fingerprint = manifest.fingerprint();
        String version = fingerprint.substring(0, Math.min(VERSION, fingerprint.length()));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", manifest.name());
        body.put("version", version);
        body.put(
                "type",
                RunFolder.JSON.valueToTree(run.modelConfig()).path("type").asText());
        body.put("codes", codes);
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
        body.put("bands", routing.bands());
        body.put("calibration", routing.calibration());
        body.put("keepsText", keepsText);
        return new ModelFacts(manifest.name(), version, body);
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
