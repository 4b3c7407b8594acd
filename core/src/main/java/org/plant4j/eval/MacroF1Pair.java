package org.plant4j.eval;

import java.util.Arrays;

/**
 * Two runs' mean F1 of the labels that occur in the gold standard. It is no sum over documents, so each permutation
 * counts every label anew.
 */
final class MacroF1Pair implements PairedStatistic {

    private final LabelSet[] a;
    private final LabelSet[] b;
    private final LabelSet[] gold;
    private final int[] goldCounts;
    private final int present;

    /** Label ids are shared by all three. */
    MacroF1Pair(LabelSet[] a, LabelSet[] b, LabelSet[] gold) {
        this.goldCounts =
                new int[Arrays.stream(gold).mapToInt(LabelSet::max).max().orElse(-1) + 1];
        Arrays.stream(gold).flatMapToInt(LabelSet::stream).forEach(label -> goldCounts[label]++);
        this.present = (int) Arrays.stream(goldCounts).filter(n -> n > 0).count();
        this.a = relevant(a);
        this.b = relevant(b);
        this.gold = gold.clone();
    }

    private LabelSet[] relevant(LabelSet[] predicted) {
        return Arrays.stream(predicted)
                .map(set -> set.filter(label -> label < goldCounts.length && goldCounts[label] > 0))
                .toArray(LabelSet[]::new);
    }

    @Override
    public String name() {
        return Metrics.MACRO_F1_GOLD;
    }

    @Override
    public double first() {
        return f1(a, a, new long[(gold.length >> 6) + 1]);
    }

    @Override
    public double second() {
        return f1(b, b, new long[(gold.length >> 6) + 1]);
    }

    @Override
    public double difference(long[] swapped) {
        return f1(a, b, swapped) - f1(b, a, swapped);
    }

    private double f1(LabelSet[] own, LabelSet[] other, long[] swapped) {
        int[] hits = new int[goldCounts.length];
        int[] kept = new int[goldCounts.length];
        for (int d = 0; d < gold.length; d++) {
            LabelSet predicted = PairedStatistic.isSwapped(swapped, d) ? other[d] : own[d];
            for (int i = 0; i < predicted.size(); i++) {
                int label = predicted.get(i);
                kept[label]++;
                hits[label] += gold[d].contains(label) ? 1 : 0;
            }
        }
        double sum = 0;
        for (int label = 0; label < kept.length; label++) {
            sum += hits[label] == 0 ? 0 : 2.0 * hits[label] / (kept[label] + goldCounts[label]);
        }
        return Ratio.of(sum, present);
    }
}
