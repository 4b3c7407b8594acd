package org.plant4j.metric;

import java.util.Arrays;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.plant4j.statistics.Ratio;

/**
 * For each label how often it was right, predicted and gold, and the micro and macro averages of that. The labels of an
 * average are those the model learned, predicted or not, and those unseen in training that are gold or predicted. What would be divided by nothing is 0.
 */
final class LabelCounts {

    private final int[] hits;
    private final int[] predicted;
    private final int[] gold;

    private LabelCounts(int size) {
        hits = new int[size];
        predicted = new int[size];
        gold = new int[size];
    }

    static LabelCounts of(int known, LabelSet[] predicted, LabelSet[] gold) {
        int largest = Arrays.stream(gold).mapToInt(LabelSet::max).max().orElse(-1);
        LabelCounts counts = new LabelCounts(Math.max(known, largest + 1));
        for (int d = 0; d < gold.length; d++) {
            LabelSet right = gold[d];
            right.stream().forEach(label -> counts.gold[label]++);
            predicted[d].stream().forEach(label -> {
                counts.predicted[label]++;
                counts.hits[label] += right.contains(label) ? 1 : 0;
            });
        }
        return counts;
    }

    /** The size of the label space, gold labels unseen in training included. */
    int size() {
        return gold.length;
    }

    int gold(int label) {
        return gold[label];
    }

    int predicted(int label) {
        return predicted[label];
    }

    double precision(int label) {
        return Ratio.divide(hits[label], predicted[label]);
    }

    double recall(int label) {
        return Ratio.divide(hits[label], gold[label]);
    }

    double f1(int label) {
        return Ratio.divide(2.0 * hits[label], predicted[label] + gold[label]);
    }

    /** Adds the averages over the labels to the metrics. */
    void addAverages(int[] labels, Map<String, Double> metrics) {
        double hit = Arrays.stream(labels).mapToDouble(l -> hits[l]).sum();
        double kept = Arrays.stream(labels).mapToDouble(l -> predicted[l]).sum();
        double right = Arrays.stream(labels).mapToDouble(l -> gold[l]).sum();
        metrics.put(MetricNames.MICRO_PRECISION, Ratio.divide(hit, kept));
        metrics.put(MetricNames.MICRO_RECALL, Ratio.divide(hit, right));
        metrics.put(MetricNames.MICRO_F1, Ratio.divide(2 * hit, kept + right));
        double precision = mean(labels, this::precision);
        double recall = mean(labels, this::recall);
        metrics.put(MetricNames.MACRO_PRECISION, precision);
        metrics.put(MetricNames.MACRO_RECALL, recall);
        metrics.put(MetricNames.MACRO_F1, mean(labels, this::f1));
        metrics.put(MetricNames.MACRO_F1_CAML, Ratio.divide(2 * precision * recall, precision + recall));
        int[] present = Arrays.stream(labels).filter(l -> gold[l] > 0).toArray();
        metrics.put(MetricNames.MACRO_F1_GOLD, mean(present, this::f1));
    }

    static double mean(int[] labels, IntToDoubleFunction value) {
        return Arrays.stream(labels).mapToDouble(value).average().orElse(0);
    }
}
