package org.plant4j.metric;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.MetricNames;
import org.plant4j.statistics.PairedStatistic;
import org.plant4j.statistics.Ratio;

/**
 * Macro-F1 over the gold labels, of two runs. Macro-F1 is not a ratio of sums over documents, so each permutation
 * recounts every label.
 */
final class PairedMacroF1 implements PairedStatistic {

    private final int[][][] runs; // (2, documents, predicted labels that are gold in any document): label << 1 | isHit
    private final int[] gold; // number of documents per label
    private final int goldLabels;

    /** All three arrays use the same label ids. */
    PairedMacroF1(LabelSet[] a, LabelSet[] b, LabelSet[] gold) {
        this.gold = new int[Arrays.stream(gold).mapToInt(LabelSet::max).max().orElse(-1) + 1];
        Arrays.stream(gold).flatMapToInt(LabelSet::stream).forEach(label -> this.gold[label]++);
        this.goldLabels = (int) Arrays.stream(this.gold).filter(n -> n > 0).count();
        this.runs = new int[][][] {encode(a, gold), encode(b, gold)};
    }

    private int[][] encode(LabelSet[] predicted, LabelSet[] goldSets) {
        return IntStream.range(0, goldSets.length)
                .mapToObj(d -> predicted[d].stream()
                        .filter(label -> label < gold.length && gold[label] > 0)
                        .map(label -> label << 1 | (goldSets[d].contains(label) ? 1 : 0))
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
        int[] counts = new int[2 * gold.length]; // misses and hits of label 0, of label 1, ...
        for (int d = 0; d < runs[0].length; d++) {
            for (int encoded : runs[run ^ PairedStatistic.swapBit(swapped, d)][d]) {
                counts[encoded]++;
            }
        }
        double sum = 0;
        for (int label = 0; label < gold.length; label++) {
            int hits = counts[2 * label + 1];
            sum += hits == 0 ? 0 : 2.0 * hits / (counts[2 * label] + hits + gold[label]);
        }
        return Ratio.divide(sum, goldLabels);
    }
}
