package org.plant4j.eval;

import java.util.Arrays;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

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
        return Ratio.of(hits[label], predicted[label]);
    }

    double recall(int label) {
        return Ratio.of(hits[label], gold[label]);
    }

    double f1(int label) {
        return Ratio.of(2.0 * hits[label], predicted[label] + gold[label]);
    }

    /** Adds the averages over the labels to the metrics. */
    void average(int[] labels, Map<String, Double> metrics) {
        double hit = Arrays.stream(labels).mapToDouble(l -> hits[l]).sum();
        double kept = Arrays.stream(labels).mapToDouble(l -> predicted[l]).sum();
        double right = Arrays.stream(labels).mapToDouble(l -> gold[l]).sum();
        metrics.put(Metrics.MICRO_PRECISION, Ratio.of(hit, kept));
        metrics.put(Metrics.MICRO_RECALL, Ratio.of(hit, right));
        metrics.put(Metrics.MICRO_F1, Ratio.of(2 * hit, kept + right));
        double precision = mean(labels, this::precision);
        double recall = mean(labels, this::recall);
        metrics.put(Metrics.MACRO_PRECISION, precision);
        metrics.put(Metrics.MACRO_RECALL, recall);
        metrics.put(Metrics.MACRO_F1, mean(labels, this::f1));
        metrics.put(Metrics.MACRO_F1_CAML, Ratio.of(2 * precision * recall, precision + recall));
        int[] present = Arrays.stream(labels).filter(l -> gold[l] > 0).toArray();
        metrics.put(Metrics.MACRO_F1_GOLD, mean(present, this::f1));
    }

    static double mean(int[] labels, IntToDoubleFunction value) {
        return Arrays.stream(labels).mapToDouble(value).average().orElse(0);
    }
}
