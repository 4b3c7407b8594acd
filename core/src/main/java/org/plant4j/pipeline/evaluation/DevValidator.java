package org.plant4j.pipeline.evaluation;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.MetricNames;
import org.plant4j.Progress;
import org.plant4j.Thresholds;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.AveragePrecision;
import org.plant4j.metric.LabelSet;
import org.plant4j.metric.PrecisionAtK;
import org.plant4j.metric.RankingMetric;
import org.plant4j.metric.Scores;
import org.plant4j.metric.ThresholdTuner;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.text.TokenStore;
import org.plant4j.train.Objective;

/**
 * Validates a network on dev after each epoch and saves the best one with its thresholds, so that the run can predict
 * from the first epoch on. If dev has no labels, the last epoch is the best.
 */
public final class DevValidator implements ClassificationObjective.Validator {

    private static final List<RankingMetric> RANKING =
            List.of(new AveragePrecision(), new PrecisionAtK(5), new PrecisionAtK(8), new PrecisionAtK(15));

    private final LabelNetwork<?> network;
    private final TokenStore dev;
    private final Experiment experiment;
    private final RunDirectory directory;
    private Thresholds thresholds = Thresholds.global(0.5f);
    private final boolean devHasLabels;

    public DevValidator(LabelNetwork<?> network, TokenStore dev, Experiment experiment, RunDirectory directory) {
        this.network = network;
        this.dev = dev;
        this.experiment = experiment;
        this.directory = directory;
        this.devHasLabels = SplitScores.hasGold(dev);
    }

    @Override
    public Objective.Validation validate(int epoch) {
        if (!devHasLabels) {
            return new Objective.Validation(Double.NaN, epoch);
        }
        try (SplitScores scoring = SplitScores.of(network, dev, "dev", Progress.NONE, directory.path())) {
            thresholds = thresholds(experiment, scoring);
            Map<String, Double> metrics = RankingMetric.means(RANKING, scoring.scores(), scoring.gold());
            metrics.put(MetricNames.MICRO_F1, microF1(scoring.scores(), scoring.gold()));
            double chosen = metrics.getOrDefault(experiment.training().selectionMetric(), Double.NaN);
            return new Objective.Validation(
                    scoring.loss(experiment.training().loss(), network.trainedLabels()), chosen, metrics);
        }
    }

    private double microF1(Scores scores, LabelSet[] gold) {
        long hits = 0;
        long total = 0;
        for (int i = 0; i < gold.length; i++) {
            LabelSet predicted = LabelSet.predicted(scores.row(i), thresholds);
            hits += predicted.intersectionSize(gold[i]);
            total += predicted.size() + gold[i].size();
        }
        return total == 0 ? 0 : 2.0 * hits / total;
    }

    @Override
    public void saveBest() {
        directory.add(staging -> {
            network.save(staging.path());
            staging.write(staging.thresholds(), thresholds);
        });
    }

    @Override
    public Optional<Path> bestWeights() {
        return Optional.of(directory.path().resolve(LabelNetwork.WEIGHTS));
    }

    @Override
    public String metricName() {
        return experiment.training().selectionMetric();
    }

    /** Tunes thresholds on dev; 0.5 if dev has no labels. */
    static Thresholds thresholds(Experiment experiment, SplitScores dev) {
        if (!dev.hasGold()) {
            return Thresholds.global(0.5f);
        }
        return experiment.evaluation().hasThresholdsPerLabel()
                ? ThresholdTuner.tunePerLabel(dev.scores(), dev.gold(), 5)
                : ThresholdTuner.tune(dev.scores(), dev.gold());
    }
}
