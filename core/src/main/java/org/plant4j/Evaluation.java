package org.plant4j;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.StrictJson;

/**
 * The result of an evaluation, stored by a run as {@code metrics.json}: metrics by name (see {@link MetricNames}) in display
 * order, confidence intervals, metrics per frequency bucket, and curves by name.
 */
public record Evaluation(
        int documents,
        Thresholds thresholds,
        Map<String, Double> metrics,
        Map<String, Interval> intervals,
        List<FrequencyBucket> buckets,
        Map<String, Curve> curves) {

    /** Names of the curves. */
    public static final String PRECISION_RECALL = "precision-recall";

    public static final String F1_BY_FREQUENCY = "F1-by-frequency";
    public static final String PRECISION_AT_K = "precision-at-k";
    public static final String RECALL_AT_K = "recall-at-k";

    private static final ObjectMapper JSON = StrictJson.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    public Evaluation {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        intervals = Collections.unmodifiableMap(new LinkedHashMap<>(intervals));
        buckets = List.copyOf(buckets);
        curves = Collections.unmodifiableMap(new LinkedHashMap<>(curves));
    }

    /** The value of a metric, or NaN if it was not computed. */
    public double metric(String name) {
        return metrics.getOrDefault(name, Double.NaN);
    }

    /** Writes JSON atomically. */
    public void write(Path file) {
        AtomicFile.write(file, draft -> JSON.writerWithDefaultPrettyPrinter().writeValue(draft.toFile(), this));
    }

    public static Evaluation read(Path file) {
        try {
            return JSON.readValue(file.toFile(), Evaluation.class);
        } catch (JacksonException e) {
            throw new UserError(
                    "Not a valid metrics file",
                    file + (e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr()),
                    "run the experiment again with --force",
                    e);
        } catch (IOException e) {
            throw new UserError("Cannot read the metrics", file.toString(), "run the experiment first", e);
        }
    }
}
