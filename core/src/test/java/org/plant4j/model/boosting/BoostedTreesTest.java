package org.plant4j.model.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoostedTreesTest {

    /** One tree of depth 2: feature 0 up to 1.5 and feature 1 up to 4 or not; else feature 1 is not looked at. */
    @Test
    void aRowGoesToTheSecondChildIfItsFeatureIsGreater() {
        BoostedTrees trees = new BoostedTrees(
                2, 0.5, new int[] {0, 1, BoostedTrees.NO_SPLIT}, new float[] {1.5f, 4, 0}, new float[] {1, 2, 3, 100});
        assertThat(trees.trees()).isEqualTo(1);
        assertThat(trees.logit(new float[] {1.5f, 4})).isEqualTo(1.5);
        assertThat(trees.logit(new float[] {0, 4.5f})).isEqualTo(2.5);
        assertThat(trees.logit(new float[] {1.6f, 9})).isEqualTo(3.5);
    }

    @Test
    void sizesMustFit() {
        assertThatThrownBy(() -> new BoostedTrees(1, 0, new int[2], new float[2], new float[2]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BoostedTrees(1, 0, new int[1], new float[2], new float[2]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BoostedTrees(0, 0, new int[0], new float[0], new float[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /**
     * Two of four rows are positive, so that the bias is 0, gradients are ±½ and second derivatives ¼. The first feature
     * separates the outcomes: leaves are −½ (±1) / (½ + 1) = ±1/3 with learning rate ½ and penalty 1.
     */
    @Test
    void oneSplitIsANewtonStep() {
        BoostedTrees trees = BoostedTreesTrainer.fit(
                new float[][] {{0, 7}, {1, 7}, {2, 7}, {3, 7}},
                new boolean[] {false, false, true, true},
                new BoostedTreesTrainer.Settings(1, 1, 0.5, 1, 0, 1),
                new Random(1));
        assertThat(trees.bias()).isZero();
        assertThat(trees.features()).containsExactly(0);
        assertThat(trees.thresholds()).containsExactly(1.5f);
        assertThat(trees.leaves()[0]).isCloseTo(-1 / 3f, within(1e-6f));
        assertThat(trees.leaves()[1]).isCloseTo(1 / 3f, within(1e-6f));
    }

    /** Both sides of a split must have second derivatives of 1, but all four rows have 1 together. */
    @Test
    void smallNodesAreNotSplit() {
        BoostedTrees trees = BoostedTreesTrainer.fit(
                new float[][] {{0}, {1}, {2}, {3}},
                new boolean[] {false, false, true, true},
                new BoostedTreesTrainer.Settings(1, 1, 0.5, 1, 1, 1),
                new Random(1));
        assertThat(trees.features()).containsExactly(BoostedTrees.NO_SPLIT);
        assertThat(trees.logit(new float[] {3})).isZero();
    }

    /** Exclusive or: neither feature says anything alone. */
    @Test
    void deeperTreesLearnInteractions() {
        Random random = new Random(3);
        float[][] rows = IntStream.range(0, 400)
                .mapToObj(i -> new float[] {random.nextFloat(), random.nextFloat()})
                .toArray(float[][]::new);
        boolean[] outcomes = new boolean[rows.length];
        for (int i = 0; i < rows.length; i++) {
            outcomes[i] = rows[i][0] > 0.5 != rows[i][1] > 0.5;
        }
        BoostedTrees trees = BoostedTreesTrainer.fit(
                rows, outcomes, new BoostedTreesTrainer.Settings(40, 3, 0.3, 1, 1, 1), new Random(1));
        assertThat(trees.logit(new float[] {0.2f, 0.2f})).isNegative();
        assertThat(trees.logit(new float[] {0.8f, 0.8f})).isNegative();
        assertThat(trees.logit(new float[] {0.2f, 0.8f})).isPositive();
        assertThat(trees.logit(new float[] {0.8f, 0.2f})).isPositive();
    }

    @Test
    void cutsAreBetweenValues() {
        assertThat(FeatureBins.cuts(new float[] {3, 1, 1, 2})).containsExactly(1.5f, 2.5f);
        assertThat(FeatureBins.cuts(new float[] {5, 5})).isEmpty();
    }

    /** 900 zeros and the values 1 to 100: at most 64 bins, most of which divide the values that are not 0. */
    @Test
    void manyValuesAreDividedByRowsAndByValues() {
        float[] values = new float[1000];
        for (int i = 1; i <= 100; i++) {
            values[i] = i;
        }
        float[] cuts = FeatureBins.cuts(values);
        assertThat(cuts.length).isBetween(32, 63);
        assertThat(cuts).isSorted();
        assertThat(cuts[0]).isPositive();
        assertThat(cuts[cuts.length - 1]).isLessThan(100);
        FeatureBins bins = FeatureBins.of(new float[][] {{0}, {1}, {2}, {1}});
        assertThat(bins.bins()[0]).containsExactly(0, 1, 2, 1);
        assertThat(bins.count(0)).isEqualTo(3);
    }
}
