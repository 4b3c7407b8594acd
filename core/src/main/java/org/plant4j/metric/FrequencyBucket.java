package org.plant4j.metric;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well the codes do that occur between {@code minimum} and {@code maximum} times in training (both included). The
 * metrics are those of the whole evaluation with every other code taken away, from gold standard, predictions and
 * ranking alike; where none of the codes is gold, only the counts remain.
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
