package org.plant4j.metric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.plant4j.statistics.Bootstrap;
import org.plant4j.statistics.Ratio;

/**
 * From scores and gold labels to every metric. A score row has one score for each of the L labels that a model can give;
 * gold ids from L on are codes it cannot: they are never predicted, but count in recall, in F1, in the denominators of the
 * ranking metrics and among the labels of a macro average. Areas under the ROC curve leave them out. Of the L labels those
 * without a training document take part in every ranking, but in a macro average only where they are gold or predicted: a
 * code book's thousands would drown it.
 */
public final class Evaluator {

    /** Cut-offs of the ranking metrics, upper ends of the frequency buckets, length of the "at k" curves, intervals. */
    public record Options(List<Integer> cutoffs, List<Integer> bucketEnds, int curveLength, Bootstrap bootstrap) {

        public Options {
            cutoffs = List.copyOf(cutoffs);
            bucketEnds = bucketEnds.stream().sorted().distinct().toList();
            cutoffs.forEach(Cutoff::check);
        }

        /** The cut-offs and buckets of the literature, 95 % intervals from 1,000 draws. */
        public static Options standard(long seed) {
            return new Options(
                    List.of(1, 3, 5, 8, 10, 15), List.of(0, 5, 10, 50, 100, 500), 20, new Bootstrap(1000, 0.95, seed));
        }

        /** The same without resampling, for a look at dev documents after every epoch. */
        public Options withoutIntervals() {
            return new Options(cutoffs, bucketEnds, curveLength, new Bootstrap(0, bootstrap.level(), bootstrap.seed()));
        }
    }

    private static final int CURVE_POINTS = 200;

    private final Options options;
    private final int[] trainFrequency;
    private final Propensity propensity;

    /** {@code trainFrequency}: in how many of the {@code trainDocuments} each known label occurs. */
    public Evaluator(Options options, int trainDocuments, int[] trainFrequency) {
        this.options = options;
        this.trainFrequency = trainFrequency.clone();
        this.propensity = new Propensity(trainDocuments, this.trainFrequency);
    }

    public Evaluation evaluate(float[][] scores, LabelSet[] gold, Thresholds thresholds) {
        check(scores, gold);
        for (float[] row : scores) {
            if (row.length != trainFrequency.length) {
                throw new IllegalArgumentException(
                        "labels: " + row.length + " (expected: " + trainFrequency.length + ", as in training)");
            }
        }
        return new Pass(scores, gold, thresholds).evaluation();
    }

    /** Ends a call with arrays that do not fit, or a score that is no number and so has no rank. */
    static void check(float[][] scores, LabelSet[] gold) {
        if (scores.length != gold.length) {
            throw new IllegalArgumentException("documents: " + scores.length + " scored, " + gold.length + " gold");
        }
        IntStream.range(0, scores.length).parallel().forEach(d -> {
            for (int label = 0; label < scores[d].length; label++) {
                if (Float.isNaN(scores[d][label])) {
                    throw new IllegalArgumentException("score: NaN at document " + d + ", label " + label);
                }
            }
        });
    }

    /** One evaluation under way. */
    private final class Pass {

        private final float[][] scores;
        private final LabelSet[] gold;
        private final Thresholds thresholds;
        private final LabelSet[] predicted;
        private final LabelCounts counts;
        private final ThresholdSweep[] perLabel;

        Pass(float[][] scores, LabelSet[] gold, Thresholds thresholds) {
            this.scores = scores;
            this.gold = gold;
            this.thresholds = thresholds;
            this.predicted =
                    Arrays.stream(scores).parallel().map(thresholds::predict).toArray(LabelSet[]::new);
            this.counts = LabelCounts.of(trainFrequency.length, predicted, gold);
            this.perLabel = ThresholdSweep.perLabel(scores, gold, trainFrequency.length);
        }

        Evaluation evaluation() {
            int[] labels = labels(0, Integer.MAX_VALUE);
            ThresholdSweep micro = ThresholdSweep.micro(scores, gold);
            GoldRanks[] ranks = ranks(0, Integer.MAX_VALUE, gold);
            List<Ratio> ratios = ratios(ranks, gold, predicted);
            return new Evaluation(
                    scores.length,
                    thresholds,
                    metrics(labels, ratios, micro),
                    options.bootstrap().intervals(ratios),
                    buckets(),
                    curves(labels, ranks, micro));
        }

        /** The labels of a training frequency: known ones, and where 0 is meant gold or predicted ones unseen in training. */
        private int[] labels(int minimum, int maximum) {
            return IntStream.range(0, counts.size())
                    .filter(label -> frequency(label) > 0 || counts.gold(label) > 0 || counts.predicted(label) > 0)
                    .filter(label -> frequency(label) >= minimum && frequency(label) <= maximum)
                    .toArray();
        }

        private int frequency(int label) {
            return label < trainFrequency.length ? trainFrequency[label] : 0;
        }

        /** Every metric that is a ratio of sums over documents, so that it can be resampled. */
        private List<Ratio> ratios(GoldRanks[] ranks, LabelSet[] right, LabelSet[] kept) {
            List<Ratio> ratios = new ArrayList<>();
            ratios.add(Ratio.mean(new AveragePrecision(), ranks));
            ratios.add(Ratio.mean(new RPrecision(), ranks));
            options.cutoffs().forEach(k -> ratios.add(Ratio.mean(new PrecisionAtK(k), ranks)));
            options.cutoffs().forEach(k -> ratios.add(Ratio.mean(new RecallAtK(k), ranks)));
            options.cutoffs().forEach(k -> ratios.add(Ratio.mean(new NdcgAtK(k), ranks)));
            options.cutoffs().forEach(k -> ratios.add(propensity.precisionAt(k, ranks)));
            ratios.addAll(SetMetrics.of(kept, right));
            return ratios;
        }

        /** Among all labels of a training frequency that have a score. */
        private GoldRanks[] ranks(int minimum, int maximum, LabelSet[] right) {
            int[] candidates = IntStream.range(0, trainFrequency.length)
                    .filter(label -> trainFrequency[label] >= minimum && trainFrequency[label] <= maximum)
                    .toArray();
            return IntStream.range(0, scores.length)
                    .parallel()
                    .mapToObj(d -> GoldRanks.among(candidates, scores[d], right[d]))
                    .toArray(GoldRanks[]::new);
        }

        private Map<String, Double> metrics(int[] labels, List<Ratio> ratios, ThresholdSweep micro) {
            Map<String, Double> metrics = new LinkedHashMap<>();
            int[] present =
                    Arrays.stream(labels).filter(l -> counts.gold(l) > 0).toArray();
            if (present.length > 0) {
                ratios.forEach(ratio -> metrics.put(ratio.name(), ratio.value()));
                counts.addAverages(labels, metrics);
                areas(present, micro, metrics);
            }
            double kept = Arrays.stream(labels).mapToDouble(counts::predicted).sum();
            double right = Arrays.stream(labels).mapToDouble(counts::gold).sum();
            metrics.put(MetricNames.LABELS, (double) labels.length);
            metrics.put(MetricNames.GOLD_LABELS, (double) present.length);
            metrics.put(MetricNames.PREDICTED_LABELS, (double)
                    Arrays.stream(labels).filter(l -> counts.predicted(l) > 0).count());
            metrics.put(MetricNames.GOLD_PER_DOCUMENT, Ratio.divide(right, scores.length));
            metrics.put(MetricNames.PREDICTED_PER_DOCUMENT, Ratio.divide(kept, scores.length));
            return metrics;
        }

        /** Areas under the curves; an area that is not defined is left out. */
        private void areas(int[] present, ThresholdSweep micro, Map<String, Double> metrics) {
            if (!Double.isNaN(micro.auc())) {
                metrics.put(MetricNames.MICRO_AUC, micro.auc());
            }
            Arrays.stream(present)
                    .filter(l -> l < perLabel.length)
                    .mapToDouble(l -> perLabel[l].auc())
                    .filter(auc -> !Double.isNaN(auc))
                    .average()
                    .ifPresent(auc -> metrics.put(MetricNames.MACRO_AUC, auc));
            long right = Arrays.stream(present).mapToLong(counts::gold).sum();
            metrics.put(MetricNames.MICRO_AP, micro.averagePrecision(right));
            metrics.put(
                    MetricNames.MACRO_AP,
                    LabelCounts.mean(
                            present, l -> l < perLabel.length ? perLabel[l].averagePrecision(counts.gold(l)) : 0));
        }

        private List<FrequencyBucket> buckets() {
            List<Integer> ends = new ArrayList<>(options.bucketEnds());
            ends.add(Integer.MAX_VALUE);
            int[] bucketOf = IntStream.range(0, counts.size())
                    .map(label -> (int)
                            ends.stream().filter(end -> end < frequency(label)).count())
                    .toArray();
            ThresholdSweep[] sweeps =
                    ThresholdSweep.grouped(scores, gold, Arrays.copyOf(bucketOf, trainFrequency.length), ends.size());
            List<FrequencyBucket> buckets = new ArrayList<>();
            for (int b = 0; b < ends.size(); b++) {
                int bucket = b;
                int minimum = b == 0 ? 0 : ends.get(b - 1) + 1;
                int[] labels = labels(minimum, ends.get(b));
                LabelSet[] right = within(gold, bucketOf, bucket);
                LabelSet[] kept = within(predicted, bucketOf, bucket);
                buckets.add(new FrequencyBucket(
                        FrequencyBucket.name(minimum, ends.get(b)),
                        minimum,
                        ends.get(b),
                        metrics(labels, ratios(ranks(minimum, ends.get(bucket), right), right, kept), sweeps[b])));
            }
            return buckets;
        }

        private LabelSet[] within(LabelSet[] sets, int[] bucketOf, int bucket) {
            return Arrays.stream(sets)
                    .map(set -> set.filter(label -> bucketOf[label] == bucket))
                    .toArray(LabelSet[]::new);
        }

        private Map<String, Curve> curves(int[] labels, GoldRanks[] ranks, ThresholdSweep micro) {
            long right = Arrays.stream(gold).mapToLong(LabelSet::size).sum();
            Map<String, Curve> curves = new LinkedHashMap<>();
            curves.put(Evaluation.PRECISION_RECALL, micro.precisionRecall(right, CURVE_POINTS));
            curves.put(Evaluation.F1_BY_FREQUENCY, f1ByFrequency(labels));
            double[] ks = IntStream.rangeClosed(1, options.curveLength())
                    .asDoubleStream()
                    .toArray();
            curves.put(
                    Evaluation.PRECISION_AT_K,
                    new Curve(
                            "k",
                            "P@k",
                            ks,
                            Arrays.stream(ks)
                                    .map(k -> Ratio.mean(new PrecisionAtK((int) k), ranks)
                                            .value())
                                    .toArray()));
            curves.put(
                    Evaluation.RECALL_AT_K,
                    new Curve(
                            "k",
                            "R@k",
                            ks,
                            Arrays.stream(ks)
                                    .map(k -> Ratio.mean(new RecallAtK((int) k), ranks)
                                            .value())
                                    .toArray()));
            return curves;
        }

        /** Mean F1 of the gold labels of each octave of training frequency (0, 1, 2–3, 4–7, …) at its mean frequency. */
        private Curve f1ByFrequency(int[] labels) {
            List<double[]> points = new ArrayList<>();
            for (int octave = 0; octave <= Integer.SIZE; octave++) {
                int bits = octave;
                int[] members = Arrays.stream(labels)
                        .filter(l -> counts.gold(l) > 0)
                        .filter(l -> Integer.SIZE - Integer.numberOfLeadingZeros(frequency(l)) == bits)
                        .toArray();
                if (members.length > 0) {
                    points.add(new double[] {
                        LabelCounts.mean(members, this::frequency), LabelCounts.mean(members, counts::f1)
                    });
                }
            }
            return new Curve(
                    "training frequency",
                    "F1",
                    points.stream().mapToDouble(p -> p[0]).toArray(),
                    points.stream().mapToDouble(p -> p[1]).toArray());
        }
    }
}
