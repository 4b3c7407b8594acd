package org.plant4j.metric;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.statistics.PairedStatistic;
import org.plant4j.statistics.Ratio;

/**
 * Two runs' mean F1 of the labels that occur in the gold standard. It is no sum over documents, so each permutation
 * counts every label anew.
 */
public final class PairedMacroF1 implements PairedStatistic {

    private final int[][][] runs; // (2, documents, predicted labels that are gold somewhere): label << 1 | right
    private final int[] gold; // documents of each label
    private final int present;

    /** Label ids are shared by all three. */
    PairedMacroF1(LabelSet[] a, LabelSet[] b, LabelSet[] gold) {
        this.gold = new int[Arrays.stream(gold).mapToInt(LabelSet::max).max().orElse(-1) + 1];
        Arrays.stream(gold).flatMapToInt(LabelSet::stream).forEach(label -> this.gold[label]++);
        this.present = (int) Arrays.stream(this.gold).filter(n -> n > 0).count();
        this.runs = new int[][][] {marked(a, gold), marked(b, gold)};
    }

    private int[][] marked(LabelSet[] predicted, LabelSet[] right) {
        return IntStream.range(0, right.length)
                .mapToObj(d -> predicted[d].stream()
                        .filter(label -> label < gold.length && gold[label] > 0)
                        .map(label -> label << 1 | (right[d].contains(label) ? 1 : 0))
                        .toArray())
                .toArray(int[][]::new);
    }

    @Override
    public String name() {
        return MetricNames.MACRO_F1_GOLD;
    }

    @Override
    public double first() {
        return f1(0, noSwaps());
    }

    @Override
    public double second() {
        return f1(1, noSwaps());
    }

    @Override
    public double difference(long[] swapped) {
        return f1(0, swapped) - f1(1, swapped);
    }

    private long[] noSwaps() {
        return new long[runs[0].length / Long.SIZE + 1];
    }

    private double f1(int run, long[] swapped) {
        int[] counts = new int[2 * gold.length]; // wrong, right, wrong, right, ...
        for (int d = 0; d < runs[0].length; d++) {
            for (int mark : runs[run ^ PairedStatistic.swapBit(swapped, d)][d]) {
                counts[mark]++;
            }
        }
        double sum = 0;
        for (int label = 0; label < gold.length; label++) {
            int hits = counts[2 * label + 1];
            sum += hits == 0 ? 0 : 2.0 * hits / (counts[2 * label] + hits + gold[label]);
        }
        return Ratio.divide(sum, present);
    }
}
