package org.plant4j.experiment;

import java.util.List;
import java.util.Map;
import org.plant4j.Progress;
import org.plant4j.eval.AveragePrecision;
import org.plant4j.eval.DocumentMetric;
import org.plant4j.eval.LabelSet;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.PrecisionAtK;
import org.plant4j.eval.Thresholds;
import org.plant4j.models.Classification;
import org.plant4j.models.LabelNetwork;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.TokenStore;
import org.plant4j.train.Objective;

/**
 * Measures a network on dev and keeps it with thresholds tuned there, so that from the first epoch on the folder holds a
 * run that can predict. Where dev has no codes, the last epoch counts as the best.
 */
final class DevJudge implements Classification.Judge {

    private static final List<DocumentMetric> RANKING =
            List.of(new AveragePrecision(), new PrecisionAtK(5), new PrecisionAtK(8), new PrecisionAtK(15));

    private final LabelNetwork network;
    private final TokenStore dev;
    private final Experiment experiment;
    private final RunFolder folder;
    private Thresholds thresholds = Thresholds.common(0.5f);
    private final boolean measured;

    DevJudge(LabelNetwork network, TokenStore dev, Experiment experiment, RunFolder folder) {
        this.network = network;
        this.dev = dev;
        this.experiment = experiment;
        this.folder = folder;
        this.measured = Scoring.hasGold(dev);
    }

    @Override
    public Objective.Validation validate(int epoch) {
        if (!measured) {
            return new Objective.Validation(Double.NaN, epoch);
        }
        Scoring scoring = Scoring.of(network, dev, "dev", Progress.NONE);
        thresholds = thresholds(experiment, scoring);
        Map<String, Double> metrics = DocumentMetric.means(RANKING, scoring.scores(), scoring.gold());
        metrics.put(Metrics.MICRO_F1, microF1(scoring.scores(), scoring.gold()));
        double chosen = metrics.getOrDefault(experiment.training().metric(), Double.NaN);
        return new Objective.Validation(scoring.loss(experiment.training().loss(), network.learned()), chosen, metrics);
    }

    private double microF1(float[][] scores, LabelSet[] gold) {
        long hits = 0;
        long both = 0;
        for (int i = 0; i < scores.length; i++) {
            LabelSet predicted = thresholds.predict(scores[i]);
            hits += predicted.common(gold[i]);
            both += predicted.size() + gold[i].size();
        }
        return both == 0 ? 0 : 2.0 * hits / both;
    }

    @Override
    public void keep() {
        network.save(folder.path());
        folder.write(folder.thresholds(), thresholds);
    }

    /** Tuned on dev where there is gold to tune on. */
    static Thresholds thresholds(Experiment experiment, Scoring dev) {
        if (!dev.hasGold()) {
            return Thresholds.common(0.5f);
        }
        return experiment.evaluation().thresholds().equals("per_label")
                ? Thresholds.tunedPerLabel(dev.scores(), dev.gold(), 5)
                : Thresholds.tuned(dev.scores(), dev.gold());
    }
}
