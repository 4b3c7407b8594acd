package org.plant4j.metric;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Metrics of the labels that occur in {@code minimum} to {@code maximum} training documents, both inclusive. All other
 * labels are removed from gold labels, predictions and rankings. If none of the bucket's labels is gold, the metrics are
 * counts only.
 */
public record FrequencyBucket(String name, int minimum, int maximum, Map<String, Double> metrics) {

    public FrequencyBucket {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    static String name(int minimum, int maximum) {
        if (maximum == 0) {
            return "unseen";
        }
        if (maximum == Integer.MAX_VALUE) {
            return ">" + (minimum - 1);
        }
        return minimum == maximum ? Integer.toString(minimum) : minimum + "–" + maximum;
    }
}
