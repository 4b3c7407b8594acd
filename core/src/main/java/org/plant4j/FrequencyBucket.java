package org.plant4j;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Metrics of the labels that occur in {@code minimum} to {@code maximum} training documents, both inclusive. All other
 * labels are removed from gold labels, predictions and rankings. If none of the bucket's labels is gold, the metrics are
 * counts only.
 *
 * @param name the name, such as {@code 1–5} or {@code unseen}
 * @param minimum the smallest number of training documents
 * @param maximum the largest number of training documents
 * @param metrics the metrics by name
 */
public record FrequencyBucket(String name, int minimum, int maximum, Map<String, Double> metrics) {

    /**
     * Copies the metrics.
     *
     * @param name the name, such as {@code 1–5} or {@code unseen}
     * @param minimum the smallest number of training documents
     * @param maximum the largest number of training documents
     * @param metrics the metrics by name
     */
    public FrequencyBucket {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }
}
