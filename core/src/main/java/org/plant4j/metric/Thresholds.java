package org.plant4j.metric;

import java.util.Arrays;
import java.util.Objects;

/**
 * From which score on a label is predicted: one threshold for all, or one each ({@code perLabel}, empty where there is
 * one for all). Tuned on dev documents only.
 */
@SuppressWarnings("ArrayRecordComponent") // read once a label and document; copied in and out, compared by content
public record Thresholds(float common, float[] perLabel) {

    public Thresholds {
        if (Float.isNaN(common)) {
            throw new IllegalArgumentException("threshold: NaN (expected: a number)");
        }
        perLabel = perLabel.clone();
    }

    public static Thresholds common(float threshold) {
        return new Thresholds(threshold, new float[0]);
    }

    /**
     * The one threshold with the best micro-F1 on these documents: every score that could be it is tried, no grid. The
     * highest of several; 0.5 where no gold label can be predicted.
     */
    public static Thresholds tune(float[][] scores, LabelSet[] gold) {
        Evaluator.check(scores, gold);
        ThresholdSweep sweep = ThresholdSweep.micro(scores, gold);
        int best =
                sweep.bestF1Index(Arrays.stream(gold).mapToLong(LabelSet::size).sum());
        return common(best < 0 ? 0.5f : sweep.threshold(best));
    }

    /**
     * For each label the threshold with its best F1; labels with fewer than {@code minimumGold} documents say too
     * little and take the common one.
     */
    public static Thresholds tunePerLabel(float[][] scores, LabelSet[] gold, int minimumGold) {
        float common = tune(scores, gold).common();
        int labels = scores.length == 0 ? 0 : scores[0].length;
        ThresholdSweep[] sweeps = ThresholdSweep.perLabel(scores, gold, labels);
        float[] perLabel = new float[labels];
        for (int label = 0; label < labels; label++) {
            ThresholdSweep sweep = sweeps[label];
            boolean telling = sweep.gold() >= Math.max(1, minimumGold);
            perLabel[label] = telling ? sweep.threshold(sweep.bestF1Index(sweep.gold())) : common;
        }
        return new Thresholds(common, perLabel);
    }

    @Override
    public float[] perLabel() {
        return perLabel.clone();
    }

    public float threshold(int label) {
        return perLabel.length == 0 ? common : perLabel[label];
    }

    /** The labels that score at least their threshold. */
    public LabelSet predict(float[] scores) {
        if (perLabel.length > 0 && perLabel.length != scores.length) {
            throw new IllegalArgumentException("scores: " + scores.length + " (expected: " + perLabel.length + ")");
        }
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
                && common == thresholds.common
                && Arrays.equals(perLabel, thresholds.perLabel);
    }

    @Override
    public int hashCode() {
        return Objects.hash(common, Arrays.hashCode(perLabel));
    }

    @Override
    public String toString() {
        return "thresholds: " + common + ", " + perLabel.length + " per label";
    }
}
