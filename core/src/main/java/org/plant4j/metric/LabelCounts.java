package org.plant4j.metric;

import java.util.Arrays;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.plant4j.MetricNames;
import org.plant4j.statistics.Ratio;

/** Hits, predictions and gold documents per label, and their micro and macro averages. Division by zero yields 0. */
final class LabelCounts {

    private final int[] hits;
    private final int[] predicted;
    private final int[] gold;

    private LabelCounts(int size) {
        hits = new int[size];
        predicted = new int[size];
        gold = new int[size];
    }

    static LabelCounts of(int labels, LabelSet[] predicted, LabelSet[] gold) {
        int maximum = Arrays.stream(gold).mapToInt(LabelSet::max).max().orElse(-1);
        LabelCounts counts = new LabelCounts(Math.max(labels, maximum + 1));
        for (int d = 0; d < gold.length; d++) {
            LabelSet goldLabels = gold[d];
            goldLabels.stream().forEach(label -> counts.gold[label]++);
            predicted[d].stream().forEach(label -> {
                counts.predicted[label]++;
                counts.hits[label] += goldLabels.contains(label) ? 1 : 0;
            });
        }
        return counts;
    }

    /** The number of labels, including gold labels outside the model's label space. */
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

    /** Adds the averages over these labels to the metrics. */
    void addAverages(int[] labels, Map<String, Double> metrics) {
        double hitPairs = Arrays.stream(labels).mapToDouble(l -> hits[l]).sum();
        double predictedPairs =
                Arrays.stream(labels).mapToDouble(l -> predicted[l]).sum();
        double goldPairs = Arrays.stream(labels).mapToDouble(l -> gold[l]).sum();
        metrics.put(MetricNames.MICRO_PRECISION, Ratio.divide(hitPairs, predictedPairs));
        metrics.put(MetricNames.MICRO_RECALL, Ratio.divide(hitPairs, goldPairs));
        metrics.put(MetricNames.MICRO_F1, Ratio.divide(2 * hitPairs, predictedPairs + goldPairs));
        double precision = mean(labels, this::precision);
        double recall = mean(labels, this::recall);
        metrics.put(MetricNames.MACRO_PRECISION, precision);
        metrics.put(MetricNames.MACRO_RECALL, recall);
        metrics.put(MetricNames.MACRO_F1, mean(labels, this::f1));
        metrics.put(MetricNames.MACRO_F1_CAML, Ratio.divide(2 * precision * recall, precision + recall));
        int[] goldLabels = Arrays.stream(labels).filter(l -> gold[l] > 0).toArray();
        metrics.put(MetricNames.MACRO_F1_GOLD, mean(goldLabels, this::f1));
    }

    static double mean(int[] labels, IntToDoubleFunction value) {
        return Arrays.stream(labels).mapToDouble(value).average().orElse(0);
    }
}
