package org.plant4j;

import java.util.Arrays;
import java.util.Objects;
import org.plant4j.support.Arguments;

/**
 * Score thresholds above which labels are predicted, tuned on dev documents only: one global threshold, or one per label.
 *
 * @param global the threshold of labels without one of their own
 * @param perLabel one threshold per label; empty to use the global threshold for all
 */
@SuppressWarnings("ArrayRecordComponent") // plain array for speed; copied defensively, compared by content
public record Thresholds(float global, float[] perLabel) {

    /**
     * Checks the global threshold and copies the others.
     *
     * @param global the threshold of labels without one of their own
     * @param perLabel one threshold per label; empty to use the global threshold for all
     */
    public Thresholds {
        Arguments.check(!Float.isNaN(global), "threshold", global, "a number");
        perLabel = perLabel.clone();
    }

    /**
     * One threshold for all labels.
     *
     * @param threshold the score from which labels are predicted
     * @return the thresholds
     */
    public static Thresholds global(float threshold) {
        return new Thresholds(threshold, new float[0]);
    }

    /** {@return a copy of the thresholds by label id} */
    @Override
    public float[] perLabel() {
        return perLabel.clone();
    }

    /**
     * The number of labels with a threshold of their own; 0 if the global one is used for all.
     *
     * @return the number of labels
     */
    public int labelCount() {
        return perLabel.length;
    }

    /**
     * The threshold of a label, by its id.
     *
     * @param label the id of a label
     * @return the threshold
     */
    public float threshold(int label) {
        return perLabel.length == 0 ? global : perLabel[label];
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
