package org.plant4j.metric;

import java.util.Arrays;
import java.util.List;
import org.plant4j.Thresholds;

/** Tunes thresholds on the scores and gold labels of dev documents. */
public final class ThresholdTuner {

    private ThresholdTuner() {}

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
        return Thresholds.global(best < 0 ? 0.5f : sweep.threshold(best));
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
}
