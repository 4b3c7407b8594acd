package org.plant4j;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.metric.ListedCodes;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.StrictJson;

/**
 * The result of an evaluation, stored by a run as {@code metrics.json}: metrics by name (see {@link MetricNames}) in display
 * order, confidence intervals, metrics per frequency bucket, and curves by name.
 *
 * @param documents the number of documents
 * @param thresholds the scores from which labels are predicted
 * @param metrics the metrics by name, in display order
 * @param intervals confidence intervals of metrics by name
 * @param buckets the metrics of labels by the number of their training documents
 * @param curves the curves by name
 */
public record Evaluation(
        int documents,
        Thresholds thresholds,
        Map<String, Double> metrics,
        Map<String, Interval> intervals,
        List<FrequencyBucket> buckets,
        Map<String, Curve> curves) {

    /** The name of the curve of precision by recall. */
    public static final String PRECISION_RECALL = "precision-recall";

    /** The name of the curve of F1 by the number of training documents of labels. */
    public static final String F1_BY_FREQUENCY = "F1-by-frequency";
    /** The name of the curve of P@k by k. */
    public static final String PRECISION_AT_K = "precision-at-k";
    /** The name of the curve of R@k by k. */
    public static final String RECALL_AT_K = "recall-at-k";

    private static final ObjectMapper JSON = StrictJson.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    /**
     * Copies the maps and lists.
     *
     * @param documents the number of documents
     * @param thresholds the scores from which labels are predicted
     * @param metrics the metrics by name, in display order
     * @param intervals confidence intervals of metrics by name
     * @param buckets the metrics of labels by the number of their training documents
     * @param curves the curves by name
     */
    public Evaluation {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        intervals = Collections.unmodifiableMap(new LinkedHashMap<>(intervals));
        buckets = List.copyOf(buckets);
        curves = Collections.unmodifiableMap(new LinkedHashMap<>(curves));
    }

    /**
     * Evaluates sets of predicted codes: precision, recall, F1 and exact match, with 95 % confidence intervals.
     *
     * <pre>{@code
     * Evaluation evaluation = Evaluation.of(
     *         Map.of("1", Set.of("I10", "E11.9"), "2", Set.of("J18.9")),
     *         Map.of("1", Set.of("I10"), "2", Set.of("J18.9", "I10")));
     * double f1 = evaluation.metric(MetricNames.MICRO_F1); // 0.667
     * }</pre>
     *
     * @param gold the correct codes of each document, by document id
     * @param predicted the predicted codes by document id; a document that is missing has none
     * @return the evaluation
     * @throws IllegalArgumentException if {@code gold} is empty or lacks a predicted document
     */
    public static Evaluation of(
            Map<String, ? extends Collection<String>> gold, Map<String, ? extends Collection<String>> predicted) {
        return ListedCodes.evaluateSets(gold, predicted);
    }

    /**
     * Evaluates ranked codes: the metrics of {@link #of}, and those of rankings, such as mean average precision and P@5.
     * Areas under curves and buckets are left out, because they need the scores of all codes or the training documents.
     *
     * @param gold the correct codes of each document, by document id
     * @param rankings codes with scores by document id, in any order; codes that are not listed count as not found
     * @param threshold the score from which a code is predicted
     * @return the evaluation
     * @throws IllegalArgumentException if {@code gold} is empty or lacks a ranked document, if a score is NaN, or if a document
     *     has a code twice
     */
    public static Evaluation ofRankings(
            Map<String, ? extends Collection<String>> gold,
            Map<String, ? extends Collection<RankedCode>> rankings,
            double threshold) {
        return ListedCodes.evaluateRankings(gold, rankings, threshold);
    }

    /**
     * The value of a metric, or NaN if it was not computed.
     *
     * @param name the name of a metric, see {@link MetricNames}
     * @return the value, between 0 and 1 unless the metric is a count
     */
    public double metric(String name) {
        return metrics.getOrDefault(name, Double.NaN);
    }

    /**
     * Writes JSON atomically.
     *
     * @param file the file
     */
    public void write(Path file) {
        AtomicFile.write(file, draft -> JSON.writerWithDefaultPrettyPrinter().writeValue(draft.toFile(), this));
    }

    /**
     * Reads a file that {@link #write} has written.
     *
     * @param file the file
     * @return the evaluation
     */
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
