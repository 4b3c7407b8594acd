package org.plant4j.pipeline;

import java.util.List;
import java.util.Map;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.AveragePrecision;
import org.plant4j.metric.LabelSet;
import org.plant4j.metric.MetricNames;
import org.plant4j.metric.PrecisionAtK;
import org.plant4j.metric.RankingMetric;
import org.plant4j.metric.Thresholds;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.support.Progress;
import org.plant4j.text.TokenStore;
import org.plant4j.train.Objective;

/**
 * Measures a network on dev and keeps it with thresholds tuned there, so that from the first epoch on the folder holds a
 * run that can predict. Where dev has no codes, the last epoch counts as the best.
 */
public final class DevValidator implements ClassificationObjective.Validator {

    private static final List<RankingMetric> RANKING =
            List.of(new AveragePrecision(), new PrecisionAtK(5), new PrecisionAtK(8), new PrecisionAtK(15));

    private final LabelNetwork<?> network;
    private final TokenStore dev;
    private final Experiment experiment;
    private final RunDirectory folder;
    private Thresholds thresholds = Thresholds.common(0.5f);
    private final boolean measured;

    DevValidator(LabelNetwork<?> network, TokenStore dev, Experiment experiment, RunDirectory folder) {
        this.network = network;
        this.dev = dev;
        this.experiment = experiment;
        this.folder = folder;
        this.measured = SplitScores.hasGold(dev);
    }

    @Override
    public Objective.Validation validate(int epoch) {
        if (!measured) {
            return new Objective.Validation(Double.NaN, epoch);
        }
        SplitScores scoring = SplitScores.of(network, dev, "dev", Progress.NONE);
        thresholds = thresholds(experiment, scoring);
        Map<String, Double> metrics = RankingMetric.means(RANKING, scoring.scores(), scoring.gold());
        metrics.put(MetricNames.MICRO_F1, microF1(scoring.scores(), scoring.gold()));
        double chosen = metrics.getOrDefault(experiment.training().selectionMetric(), Double.NaN);
        return new Objective.Validation(
                scoring.loss(experiment.training().loss(), network.trainedLabels()), chosen, metrics);
    }

    private double microF1(float[][] scores, LabelSet[] gold) {
        long hits = 0;
        long both = 0;
        for (int i = 0; i < scores.length; i++) {
            LabelSet predicted = thresholds.predict(scores[i]);
            hits += predicted.intersectionSize(gold[i]);
            both += predicted.size() + gold[i].size();
        }
        return both == 0 ? 0 : 2.0 * hits / both;
    }

    @Override
    public void saveBest() {
        network.save(folder.path());
        folder.write(folder.thresholds(), thresholds);
    }

    /** Tuned on dev where there is gold to tune on. */
    static Thresholds thresholds(Experiment experiment, SplitScores dev) {
        if (!dev.hasGold()) {
            return Thresholds.common(0.5f);
        }
        return experiment.evaluation().hasThresholdsPerLabel()
                ? Thresholds.tunePerLabel(dev.scores(), dev.gold(), 5)
                : Thresholds.tune(dev.scores(), dev.gold());
    }
}
