package org.plant4j.metric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.plant4j.statistics.Bootstrap;
import org.plant4j.statistics.Ratio;
import org.plant4j.support.Arguments;

/**
 * Computes all metrics from scores and gold labels.
 *
 * <p>A score row holds one score for each of the model's L labels. Gold ids from L on are labels outside the model's label
 * space: they are never predicted, but count in recall, F1, the denominators of the ranking metrics and macro averages. The
 * areas under the ROC curve exclude them. Labels without training documents (zero-shot labels) are ranked like all others,
 * but enter macro averages only if they are gold or predicted, because the thousands of a code set would dominate the
 * average.
 */
public final class Evaluator {

    /** Cutoffs of the ranking metrics, upper bounds of the frequency buckets, largest k of the "at k" curves, intervals. */
    public record Options(List<Integer> cutoffs, List<Integer> bucketEnds, int curveLength, Bootstrap bootstrap) {

        public Options {
            cutoffs = List.copyOf(cutoffs);
            bucketEnds = bucketEnds.stream().sorted().distinct().toList();
            cutoffs.forEach(k -> Arguments.atLeast(1, "k", k));
        }

        /** The cutoffs and buckets used in the literature, and 95 % intervals from 1,000 bootstrap samples. */
        public static Options standard(long seed) {
            return new Options(
                    List.of(1, 3, 5, 8, 10, 15), List.of(0, 5, 10, 50, 100, 500), 20, new Bootstrap(1000, 0.95, seed));
        }
    }

    private static final int CURVE_POINTS = 200;

    private final Options options;
    private final int[] trainFrequency;
    private final Propensity propensity;

    /** {@code trainFrequency} holds, for each label, the number of training documents that have it. */
    public Evaluator(Options options, int trainDocuments, int[] trainFrequency) {
        this.options = options;
        this.trainFrequency = trainFrequency.clone();
        this.propensity = new Propensity(trainDocuments, this.trainFrequency);
    }

    public Evaluation evaluate(float[][] scores, LabelSet[] gold, Thresholds thresholds) {
        checkScores(scores, gold);
        for (float[] row : scores) {
            Arguments.check(
                    row.length == trainFrequency.length,
                    "labels",
                    row.length,
                    trainFrequency.length + ", as in training");
        }
        return new Pass(scores, gold, thresholds).evaluation();
    }

    /** Rejects arrays of different lengths and NaN scores, which cannot be ranked. */
    static void checkScores(float[][] scores, LabelSet[] gold) {
        Arguments.check(gold.length == scores.length, "gold documents", gold.length, "" + scores.length);
        IntStream.range(0, scores.length).parallel().forEach(d -> {
            for (int label = 0; label < scores[d].length; label++) {
                if (Float.isNaN(scores[d][label])) {
                    throw new IllegalArgumentException("score: NaN at document " + d + ", label " + label);
                }
            }
        });
    }

    /** One evaluation: its inputs and the counts that several metrics share. */
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

        /** The labels in a range of training frequencies; those without training documents only if gold or predicted. */
        private int[] labels(int minimum, int maximum) {
            return IntStream.range(0, counts.size())
                    .filter(label -> frequency(label) > 0 || counts.gold(label) > 0 || counts.predicted(label) > 0)
                    .filter(label -> frequency(label) >= minimum && frequency(label) <= maximum)
                    .toArray();
        }

        private int frequency(int label) {
            return label < trainFrequency.length ? trainFrequency[label] : 0;
        }

        /** All metrics that are ratios of sums over documents and can therefore be resampled. */
        private List<Ratio> ratios(GoldRanks[] ranks, LabelSet[] goldSets, LabelSet[] predictedSets) {
            List<Ratio> ratios = new ArrayList<>();
            RankingMetric.standard(options.cutoffs()).forEach(metric -> ratios.add(metric.mean(ranks)));
            options.cutoffs().forEach(k -> ratios.add(propensity.precisionAt(k, ranks)));
            ratios.addAll(SetMetrics.of(predictedSets, goldSets));
            return ratios;
        }

        /** The ranks of gold labels among the scored labels in a range of training frequencies. */
        private GoldRanks[] ranks(int minimum, int maximum, LabelSet[] goldSets) {
            int[] candidates = IntStream.range(0, trainFrequency.length)
                    .filter(label -> trainFrequency[label] >= minimum && trainFrequency[label] <= maximum)
                    .toArray();
            return IntStream.range(0, scores.length)
                    .parallel()
                    .mapToObj(d -> GoldRanks.among(candidates, scores[d], goldSets[d]))
                    .toArray(GoldRanks[]::new);
        }

        private Map<String, Double> metrics(int[] labels, List<Ratio> ratios, ThresholdSweep micro) {
            Map<String, Double> metrics = new LinkedHashMap<>();
            int[] goldLabels =
                    Arrays.stream(labels).filter(l -> counts.gold(l) > 0).toArray();
            if (goldLabels.length > 0) {
                ratios.forEach(ratio -> metrics.put(ratio.name(), ratio.value()));
                counts.addAverages(labels, metrics);
                addAreas(goldLabels, micro, metrics);
            }
            double predictedPairs =
                    Arrays.stream(labels).mapToDouble(counts::predicted).sum();
            double goldPairs = Arrays.stream(labels).mapToDouble(counts::gold).sum();
            metrics.put(MetricNames.LABELS, (double) labels.length);
            metrics.put(MetricNames.GOLD_LABELS, (double) goldLabels.length);
            metrics.put(MetricNames.PREDICTED_LABELS, (double)
                    Arrays.stream(labels).filter(l -> counts.predicted(l) > 0).count());
            metrics.put(MetricNames.GOLD_PER_DOCUMENT, Ratio.divide(goldPairs, scores.length));
            metrics.put(MetricNames.PREDICTED_PER_DOCUMENT, Ratio.divide(predictedPairs, scores.length));
            return metrics;
        }

        /** Adds the areas under the ROC and precision-recall curves, except undefined ones. */
        private void addAreas(int[] goldLabels, ThresholdSweep micro, Map<String, Double> metrics) {
            if (!Double.isNaN(micro.auc())) {
                metrics.put(MetricNames.MICRO_AUC, micro.auc());
            }
            Arrays.stream(goldLabels)
                    .filter(l -> l < perLabel.length)
                    .mapToDouble(l -> perLabel[l].auc())
                    .filter(auc -> !Double.isNaN(auc))
                    .average()
                    .ifPresent(auc -> metrics.put(MetricNames.MACRO_AUC, auc));
            long goldPairs = Arrays.stream(goldLabels).mapToLong(counts::gold).sum();
            metrics.put(MetricNames.MICRO_AP, micro.averagePrecision(goldPairs));
            metrics.put(
                    MetricNames.MACRO_AP,
                    LabelCounts.mean(
                            goldLabels, l -> l < perLabel.length ? perLabel[l].averagePrecision(counts.gold(l)) : 0));
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
                int minimum = b == 0 ? 0 : ends.get(b - 1) + 1;
                int maximum = ends.get(b);
                LabelSet[] goldSets = within(gold, bucketOf, b);
                List<Ratio> ratios =
                        ratios(ranks(minimum, maximum, goldSets), goldSets, within(predicted, bucketOf, b));
                buckets.add(new FrequencyBucket(
                        FrequencyBucket.name(minimum, maximum),
                        minimum,
                        maximum,
                        metrics(labels(minimum, maximum), ratios, sweeps[b])));
            }
            return buckets;
        }

        private LabelSet[] within(LabelSet[] sets, int[] bucketOf, int bucket) {
            return Arrays.stream(sets)
                    .map(set -> set.filter(label -> bucketOf[label] == bucket))
                    .toArray(LabelSet[]::new);
        }

        private Map<String, Curve> curves(int[] labels, GoldRanks[] ranks, ThresholdSweep micro) {
            long goldPairs = Arrays.stream(gold).mapToLong(LabelSet::size).sum();
            Map<String, Curve> curves = new LinkedHashMap<>();
            curves.put(Evaluation.PRECISION_RECALL, micro.precisionRecall(goldPairs, CURVE_POINTS));
            curves.put(Evaluation.F1_BY_FREQUENCY, f1ByFrequency(labels));
            curves.put(Evaluation.PRECISION_AT_K, atK("P@k", PrecisionAtK::new, ranks));
            curves.put(Evaluation.RECALL_AT_K, atK("R@k", RecallAtK::new, ranks));
            return curves;
        }

        private Curve atK(String name, IntFunction<RankingMetric> metric, GoldRanks[] ranks) {
            int[] ks = IntStream.rangeClosed(1, options.curveLength()).toArray();
            return new Curve(
                    "k",
                    name,
                    Arrays.stream(ks).asDoubleStream().toArray(),
                    Arrays.stream(ks)
                            .mapToDouble(k -> metric.apply(k).mean(ranks).value())
                            .toArray());
        }

        /** Mean F1 of the gold labels in each octave of training frequency (0, 1, 2–3, 4–7, …), at its mean frequency. */
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
