package org.plant4j.metric;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.Curve;

/**
 * Counts of hits and predictions at every relevant threshold: the distinct scores of gold (document, label) pairs, in
 * descending order. Between two of them only negative pairs are added, so ROC AUC, average precision, the precision-recall
 * curve and the best F1 are exact. The negative pairs, a thousand times as many, are counted instead of sorted.
 */
final class ThresholdSweep {

    private final float[] thresholds; // descending
    private final long[] hits; // gold pairs at or above the threshold
    private final long[] predicted; // all pairs at or above the threshold
    private final long[] tied; // negative pairs exactly at the threshold
    private final long pairs;

    private ThresholdSweep(float[] thresholds, long[] hits, long[] predicted, long[] tied, long pairs) {
        this.thresholds = thresholds;
        this.hits = hits;
        this.predicted = predicted;
        this.tied = tied;
        this.pairs = pairs;
    }

    /** Labels by group: {@code groupOf} holds the group of each label, from 0 to {@code groups} - 1. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Grouping(int[] groupOf, int groups) {

        /** All labels in one group. */
        static Grouping micro(int labels) {
            return new Grouping(new int[labels], 1);
        }

        /** Each label in a group of its own. */
        static Grouping perLabel(int labels) {
            return new Grouping(IntStream.range(0, labels).toArray(), labels);
        }
    }

    /** One sweep over all pairs. */
    static ThresholdSweep micro(Scores scores, LabelSet[] gold) {
        return of(scores, gold, List.of(Grouping.micro(scores.labels()))).get(0)[0];
    }

    /** One sweep per group of each grouping. Scores are read twice, however many groupings there are. */
    static List<ThresholdSweep[]> of(Scores scores, LabelSet[] gold, List<Grouping> groupings) {
        float[][] goldScores = IntStream.range(0, gold.length)
                .parallel()
                .mapToObj(d -> goldScores(scores.checkedRow(d), gold[d]))
                .toArray(float[][]::new);
        List<Counts> empty = groupings.stream()
                .map(grouping -> Counts.of(grouping, goldScores, gold))
                .toList();
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), Math.max(1, gold.length));
        return IntStream.range(0, threads)
                .parallel()
                .mapToObj(thread -> {
                    List<Counts> counts = empty.stream().map(Counts::copy).toList();
                    for (int d = thread; d < gold.length; d += threads) {
                        float[] row = scores.row(d);
                        counts.forEach(each -> each.add(row));
                    }
                    return counts;
                })
                .reduce(empty, ThresholdSweep::sum)
                .stream()
                .map(Counts::sweeps)
                .toList();
    }

    private static List<Counts> sum(List<Counts> a, List<Counts> b) {
        return IntStream.range(0, a.size())
                .mapToObj(i -> a.get(i).plus(b.get(i)))
                .toList();
    }

    /** The scores of the gold labels within the model's label space, in ascending order of the labels. */
    private static float[] goldScores(float[] row, LabelSet gold) {
        float[] scores = new float[gold.filter(label -> label < row.length).size()];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = row[gold.get(i)] + 0f; // + 0f: no -0
        }
        return scores;
    }

    /**
     * Counts of scores between and at the distinct gold scores of each group.
     *
     * @param goldScores of each group, ascending
     * @param points the distinct gold scores of each group
     * @param start offset of each group's counts: below, at, below, at, ..., above
     * @param zero the count of each group that scores of 0 belong to: of many labels, most scores are 0
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Counts(
            int[] groupOf, float[][] goldScores, float[][] points, int[] start, int[] zero, long[] counts) {

        static Counts of(Grouping grouping, float[][] scoresByDocument, LabelSet[] gold) {
            int groups = grouping.groups();
            float[][] goldScores = group(grouping, scoresByDocument, gold);
            float[][] points = new float[groups][];
            int[] start = new int[groups + 1];
            int[] zero = new int[groups];
            for (int g = 0; g < groups; g++) {
                points[g] = distinct(goldScores[g]);
                start[g + 1] = start[g] + 2 * points[g].length + 1;
                zero[g] = start[g] + slot(points[g], 0);
            }
            return new Counts(grouping.groupOf(), goldScores, points, start, zero, new long[start[groups]]);
        }

        private static float[][] group(Grouping grouping, float[][] scoresByDocument, LabelSet[] gold) {
            int[] sizes = new int[grouping.groups()];
            for (int d = 0; d < gold.length; d++) {
                for (int i = 0; i < scoresByDocument[d].length; i++) {
                    sizes[grouping.groupOf()[gold[d].get(i)]]++;
                }
            }
            float[][] goldScores = new float[grouping.groups()][];
            Arrays.setAll(goldScores, g -> new float[sizes[g]]);
            for (int d = 0; d < gold.length; d++) {
                for (int i = 0; i < scoresByDocument[d].length; i++) {
                    int g = grouping.groupOf()[gold[d].get(i)];
                    goldScores[g][--sizes[g]] = scoresByDocument[d][i];
                }
            }
            for (float[] scores : goldScores) {
                Arrays.sort(scores);
            }
            return goldScores;
        }

        Counts copy() {
            return new Counts(groupOf, goldScores, points, start, zero, counts.clone());
        }

        void add(float[] row) {
            for (int label = 0; label < groupOf.length; label++) {
                int group = groupOf[label];
                float score = row[label];
                counts[score == 0 ? zero[group] : start[group] + slot(points[group], score)]++;
            }
        }

        Counts plus(Counts other) {
            long[] sum = new long[counts.length];
            Arrays.setAll(sum, i -> counts[i] + other.counts[i]);
            return new Counts(groupOf, goldScores, points, start, zero, sum);
        }

        ThresholdSweep[] sweeps() {
            return IntStream.range(0, points.length)
                    .mapToObj(g -> ThresholdSweep.of(points[g], goldScores[g], counts, start[g]))
                    .toArray(ThresholdSweep[]::new);
        }
    }

    private static float[] distinct(float[] sorted) {
        float[] distinct = new float[sorted.length];
        int size = 0;
        for (float score : sorted) {
            if (size == 0 || distinct[size - 1] != score) {
                distinct[size++] = score;
            }
        }
        return Arrays.copyOf(distinct, size);
    }

    /** 2i + 1 for a score equal to the i-th point, 2i for a score between it and the previous point. */
    private static int slot(float[] points, float score) {
        int low = 0;
        // Branchless binary search: the comparisons are unpredictable.
        for (int span = points.length; span > 0; ) {
            int half = (span + 1) >>> 1;
            low += points[low + half - 1] < score ? half : 0;
            span -= half;
        }
        return 2 * low + (low < points.length && points[low] == score ? 1 : 0);
    }

    private static ThresholdSweep of(float[] points, float[] goldScores, long[] counts, int start) {
        int n = points.length;
        float[] thresholds = new float[n];
        long[] hits = new long[n];
        long[] predicted = new long[n];
        long[] tied = new long[n];
        long above = counts[start + 2 * n];
        int goldAbove = 0;
        for (int i = 0; i < n; i++) {
            int point = n - 1 - i;
            long at = counts[start + 2 * point + 1];
            int goldBefore = goldAbove;
            thresholds[i] = points[point];
            while (goldAbove < goldScores.length && goldScores[goldScores.length - 1 - goldAbove] == thresholds[i]) {
                goldAbove++;
            }
            hits[i] = goldAbove;
            predicted[i] = above + at;
            tied[i] = at - (goldAbove - goldBefore);
            above = predicted[i] + counts[start + 2 * point];
        }
        return new ThresholdSweep(thresholds, hits, predicted, tied, above);
    }

    /** The number of thresholds. */
    int size() {
        return thresholds.length;
    }

    float threshold(int i) {
        return thresholds[i];
    }

    /** The number of gold pairs within the model's label space. */
    long gold() {
        return size() == 0 ? 0 : hits[size() - 1];
    }

    double precision(int i) {
        return (double) hits[i] / predicted[i];
    }

    /** Recall, where {@code gold} includes pairs outside the model's label space. */
    double recall(int i, long gold) {
        return (double) hits[i] / gold;
    }

    /** Area under the ROC curve; ties count half. NaN without gold pairs or without negative pairs. */
    double auc() {
        long negatives = pairs - gold();
        long twice = 0; // twice the number of won comparisons, to stay an integer
        for (int i = 0; i < size(); i++) {
            long goldHere = hits[i] - (i == 0 ? 0 : hits[i - 1]);
            long falsePositives = predicted[i] - hits[i];
            twice += goldHere * (2 * (negatives - falsePositives) + tied[i]);
        }
        return gold() == 0 || negatives == 0 ? Double.NaN : twice / 2.0 / gold() / negatives;
    }

    /** Step-wise area under the precision-recall curve: Σ (increase in recall) × precision. */
    double averagePrecision(long gold) {
        double area = 0;
        for (int i = 0; i < size(); i++) {
            area += (hits[i] - (i == 0 ? 0 : hits[i - 1])) * precision(i);
        }
        return gold == 0 ? Double.NaN : area / gold;
    }

    /** The index of the highest threshold with the best F1, or -1 without gold pairs. */
    int bestF1Index(long gold) {
        int best = -1;
        double bestF1 = 0;
        for (int i = 0; i < size(); i++) {
            double f1 = 2.0 * hits[i] / (predicted[i] + gold);
            if (f1 > bestF1) {
                bestF1 = f1;
                best = i;
            }
        }
        return best;
    }

    /** Precision by recall, thinned to about {@code points} evenly spaced values of recall. */
    Curve precisionRecall(long gold, int points) {
        int[] indices = IntStream.range(0, size())
                .filter(i -> i == 0
                        || i == size() - 1
                        || (long) (recall(i, gold) * points) > (long) (recall(i - 1, gold) * points))
                .toArray();
        return new Curve(
                "recall",
                "precision",
                Arrays.stream(indices).mapToDouble(i -> recall(i, gold)).toArray(),
                Arrays.stream(indices).mapToDouble(this::precision).toArray());
    }
}
