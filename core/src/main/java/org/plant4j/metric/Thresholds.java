package org.plant4j.metric;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.plant4j.support.Arguments;

/**
 * Score thresholds above which labels are predicted, tuned on dev documents only: one global threshold, or one per label.
 *
 * @param perLabel one threshold per label; empty to use the global threshold for all
 */
@SuppressWarnings("ArrayRecordComponent") // plain array for speed; copied defensively, compared by content
public record Thresholds(float global, float[] perLabel) {

    public Thresholds {
        Arguments.check(!Float.isNaN(global), "threshold", global, "a number");
        perLabel = perLabel.clone();
    }

    public static Thresholds global(float threshold) {
        return new Thresholds(threshold, new float[0]);
    }

    /**
     * The global threshold with the best micro-F1 on these documents. The search is exact: it tries every gold score. Ties
     * go to the highest threshold; without predictable gold labels the threshold is 0.5.
     */
    public static Thresholds tune(Scores scores, LabelSet[] gold) {
        Evaluator.checkSizes(scores, gold);
        return tune(ThresholdSweep.micro(scores, gold), gold);
    }

    private static Thresholds tune(ThresholdSweep sweep, LabelSet[] gold) {
        int best =
                sweep.bestF1Index(Arrays.stream(gold).mapToLong(LabelSet::size).sum());
        return global(best < 0 ? 0.5f : sweep.threshold(best));
    }

    /**
     * The threshold with the best F1 for each label. Labels with fewer than {@code minimumGold} gold documents use the
     * global threshold, because too few documents make a tuned one unreliable.
     */
    public static Thresholds tunePerLabel(Scores scores, LabelSet[] gold, int minimumGold) {
        Evaluator.checkSizes(scores, gold);
        int labels = scores.labels();
        List<ThresholdSweep[]> groupings = ThresholdSweep.of(
                scores, gold, List.of(ThresholdSweep.Grouping.micro(labels), ThresholdSweep.Grouping.perLabel(labels)));
        float global = tune(groupings.get(0)[0], gold).global();
        ThresholdSweep[] sweeps = groupings.get(1);
        float[] perLabel = new float[labels];
        for (int label = 0; label < labels; label++) {
            ThresholdSweep sweep = sweeps[label];
            boolean enoughGold = sweep.gold() >= Math.max(1, minimumGold);
            perLabel[label] = enoughGold ? sweep.threshold(sweep.bestF1Index(sweep.gold())) : global;
        }
        return new Thresholds(global, perLabel);
    }

    @Override
    public float[] perLabel() {
        return perLabel.clone();
    }

    public float threshold(int label) {
        return perLabel.length == 0 ? global : perLabel[label];
    }

    /** The labels whose score is at least their threshold. */
    public LabelSet predict(float[] scores) {
        Arguments.check(
                perLabel.length == 0 || perLabel.length == scores.length,
                "scores",
                scores.length,
                "" + perLabel.length);
        int[] predicted = new int[16];
        int size = 0;
        for (int label = 0; label < scores.length; label++) {
            if (scores[label] >= threshold(label)) {
                if (size == predicted.length) {
                    predicted = Arrays.copyOf(predicted, 2 * size);
                }
                predicted[size++] = label;
            }
        }
        return LabelSet.of(Arrays.copyOf(predicted, size));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Thresholds thresholds
                && global == thresholds.global
                && Arrays.equals(perLabel, thresholds.perLabel);
    }

    @Override
    public int hashCode() {
        return Objects.hash(global, Arrays.hashCode(perLabel));
    }

    @Override
    public String toString() {
        return "thresholds: " + global + ", " + perLabel.length + " per label";
    }
}
