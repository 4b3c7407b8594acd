package org.plant4j.metric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.plant4j.Curve;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.MetricNames;
import org.plant4j.Thresholds;
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
    private final int[] bucketEnds; // the highest training frequency of each bucket
    private final Propensity propensity;

    /** {@code trainFrequency} holds, for each label, the number of training documents that have it. */
    public Evaluator(Options options, int trainDocuments, int[] trainFrequency) {
        this.options = options;
        this.trainFrequency = trainFrequency.clone();
        this.bucketEnds = IntStream.concat(
                        options.bucketEnds().stream().mapToInt(Integer::intValue), IntStream.of(Integer.MAX_VALUE))
                .toArray();
        this.propensity = new Propensity(trainDocuments, this.trainFrequency);
    }

    /** Reads the scores three times, one document at a time. */
    public Evaluation evaluate(Scores scores, LabelSet[] gold, Thresholds thresholds) {
        checkSizes(scores, gold);
        Arguments.check(
                scores.documents() == 0 || scores.labels() == trainFrequency.length,
                "labels",
                scores.labels(),
                trainFrequency.length + ", as in training");
        return new Pass(scores, gold, thresholds).evaluation();
    }

    static void checkSizes(Scores scores, LabelSet[] gold) {
        Arguments.check(gold.length == scores.documents(), "gold documents", gold.length, "" + scores.documents());
    }

    private static String bucketName(int minimum, int maximum) {
        if (maximum == 0) {
            return "unseen";
        }
        if (maximum == Integer.MAX_VALUE) {
            return ">" + (minimum - 1);
        }
        return minimum == maximum ? Integer.toString(minimum) : minimum + "–" + maximum;
    }

    /** One evaluation: its inputs and the counts that several metrics share. */
    private final class Pass {

        private final LabelSet[] gold;
        private final Thresholds thresholds;
        private final LabelSet[] predicted;
        private final GoldRanks[] ranks;
        private final GoldRanks[][] bucketRanks; // (documents, buckets)
        private final LabelCounts counts;
        private final ThresholdSweep micro;
        private final ThresholdSweep[] perLabel;
        private final ThresholdSweep[] perBucket;

        Pass(Scores scores, LabelSet[] gold, Thresholds thresholds) {
            this.gold = gold;
            this.thresholds = thresholds;
            this.predicted = new LabelSet[gold.length];
            this.ranks = new GoldRanks[gold.length];
            this.bucketRanks = new GoldRanks[gold.length][];
            int labels = trainFrequency.length;
            rankGold(scores);
            this.counts = LabelCounts.of(labels, predicted, gold);
            List<ThresholdSweep[]> sweeps = ThresholdSweep.of(
                    scores,
                    gold,
                    List.of(
                            ThresholdSweep.Grouping.micro(labels),
                            ThresholdSweep.Grouping.perLabel(labels),
                            new ThresholdSweep.Grouping(
                                    IntStream.range(0, labels).map(this::bucket).toArray(), bucketEnds.length)));
            this.micro = sweeps.get(0)[0];
            this.perLabel = sweeps.get(1);
            this.perBucket = sweeps.get(2);
        }

        /** Predicts labels, and ranks gold labels among all labels and among those of their frequency bucket. */
        private void rankGold(Scores scores) {
            int[] all = IntStream.range(0, trainFrequency.length).toArray();
            int[][] members = new int[bucketEnds.length][];
            Arrays.setAll(
                    members,
                    b -> Arrays.stream(all).filter(label -> bucket(label) == b).toArray());
            IntStream.range(0, gold.length).parallel().forEach(d -> {
                float[] row = scores.checkedRow(d);
                predicted[d] = LabelSet.predicted(row, thresholds);
                ranks[d] = GoldRanks.among(all, row, gold[d]);
                bucketRanks[d] = new GoldRanks[members.length];
                Arrays.setAll(bucketRanks[d], b -> GoldRanks.among(members[b], row, within(gold[d], b)));
            });
        }

        Evaluation evaluation() {
            int[] labels = labels(0, Integer.MAX_VALUE);
            List<Ratio> ratios = ratios(ranks, gold, predicted);
            return new Evaluation(
                    gold.length,
                    thresholds,
                    metrics(labels, ratios, micro),
                    options.bootstrap().intervals(ratios),
                    buckets(),
                    curves(labels));
        }

        /** The position of a label's frequency bucket. */
        private int bucket(int label) {
            int position = Arrays.binarySearch(bucketEnds, frequency(label));
            return position < 0 ? -position - 1 : position;
        }

        private LabelSet within(LabelSet labels, int bucket) {
            return labels.filter(label -> bucket(label) == bucket);
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
        private List<Ratio> ratios(GoldRanks[] goldRanks, LabelSet[] goldSets, LabelSet[] predictedSets) {
            List<Ratio> ratios = new ArrayList<>();
            RankingMetric.standard(options.cutoffs()).forEach(metric -> ratios.add(metric.mean(goldRanks)));
            options.cutoffs().forEach(k -> ratios.add(propensity.precisionAt(k, goldRanks)));
            ratios.addAll(SetMetrics.of(predictedSets, goldSets));
            return ratios;
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
            metrics.put(MetricNames.GOLD_PER_DOCUMENT, Ratio.divide(goldPairs, gold.length));
            metrics.put(MetricNames.PREDICTED_PER_DOCUMENT, Ratio.divide(predictedPairs, gold.length));
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
            List<FrequencyBucket> buckets = new ArrayList<>();
            for (int b = 0; b < bucketEnds.length; b++) {
                int bucket = b;
                int minimum = b == 0 ? 0 : bucketEnds[b - 1] + 1;
                int maximum = bucketEnds[b];
                List<Ratio> ratios = ratios(
                        Arrays.stream(bucketRanks).map(each -> each[bucket]).toArray(GoldRanks[]::new),
                        within(gold, bucket),
                        within(predicted, bucket));
                buckets.add(new FrequencyBucket(
                        bucketName(minimum, maximum),
                        minimum,
                        maximum,
                        metrics(labels(minimum, maximum), ratios, perBucket[b])));
            }
            return buckets;
        }

        private LabelSet[] within(LabelSet[] sets, int bucket) {
            return Arrays.stream(sets).map(set -> within(set, bucket)).toArray(LabelSet[]::new);
        }

        private Map<String, Curve> curves(int[] labels) {
            long goldPairs = Arrays.stream(gold).mapToLong(LabelSet::size).sum();
            Map<String, Curve> curves = new LinkedHashMap<>();
            curves.put(Evaluation.PRECISION_RECALL, micro.precisionRecall(goldPairs, CURVE_POINTS));
            curves.put(Evaluation.F1_BY_FREQUENCY, f1ByFrequency(labels));
            curves.put(Evaluation.PRECISION_AT_K, atK("P@k", PrecisionAtK::new));
            curves.put(Evaluation.RECALL_AT_K, atK("R@k", RecallAtK::new));
            return curves;
        }

        private Curve atK(String name, IntFunction<RankingMetric> metric) {
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
