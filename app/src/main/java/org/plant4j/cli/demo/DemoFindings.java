package org.plant4j.cli.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.plant4j.MetricNames;
import org.plant4j.cli.run.RunResult;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.Predictions;
import org.plant4j.statistics.ApproximateRandomization;
import org.plant4j.train.TrainingHistory;

/** Summarizes the runs of the demo in sentences: what was planted, and how PLANT compares with the other models. */
record DemoFindings(RunDirectory linear, RunDirectory laat, RunDirectory control, RunDirectory plant) {

    static final String CAUTION =
            "Generated documents are easier than real ones: these figures only show that everything works.";

    private static final double SIGNIFICANT = 0.05;

    /** What was planted into PLANT's attention before training. */
    String plantingSummary() {
        long codes = plant.readManifest().sizes().getOrDefault("labels", 0L);
        List<TrainingHistory.Epoch> ranking =
                plant.read(plant.rankerHistory(), TrainingHistory.class).epochs();
        double agreement = 1 - ranking.get(ranking.size() - 1).trainLoss();
        return "Mutual information on the training documents ranks the tokens of each of the " + codes
                + " codes. A ranker"
                + " was trained on these rankings (nDCG " + String.format(Locale.ROOT, "%.2f", agreement)
                + "). Both were"
                + " planted into PLANT's attention before training; the control is the same network without planting.";
    }

    /** Compares PLANT with the other models: all codes, rare codes, speed of convergence. */
    List<String> comparisons() {
        List<String> sentences = new ArrayList<>();
        sentences.add(difference(control, "PLANT", "its unplanted control"));
        sentences.add(difference(laat, "It", "LAAT"));
        sentences.add(difference(linear, "It", "the linear model"));
        rare().ifPresent(sentences::add);
        sentences.add(convergence());
        return sentences;
    }

    /** The training history of each network by name. */
    Map<String, TrainingHistory> histories() {
        Map<String, TrainingHistory> histories = new LinkedHashMap<>();
        for (RunDirectory run : List.of(plant, control, laat)) {
            histories.put(run.name(), history(run));
        }
        return histories;
    }

    private String difference(RunDirectory other, String subject, String name) {
        String split = RunResult.chooseSplit(plant, Optional.empty());
        Comparison.Row map = Comparison.of(
                        other.name(),
                        Predictions.read(other.predictions(split)),
                        plant.name(),
                        Predictions.read(plant.predictions(split)),
                        List.of(5),
                        ApproximateRandomization.standard(1))
                .row(MetricNames.MAP);
        String p = map.pValue() < 0.001 ? "p < 0.001" : String.format(Locale.ROOT, "p = %.3f", map.pValue());
        String difference = String.format(Locale.ROOT, "%.1f points of MAP", Math.abs(100 * map.difference()));
        if (map.pValue() >= SIGNIFICANT) {
            return subject + " and " + name + " differ by " + difference + ", which is not significant (" + p + ").";
        }
        return subject + (map.difference() > 0 ? " beats " : " is behind ") + name + " by " + difference + " (" + p
                + ").";
    }

    private Optional<String> rare() {
        return RunResult.read(plant)
                .flatMap(result -> result.rareBucket()
                        .map(bucket -> String.format(
                                Locale.ROOT,
                                "Micro-F1 on codes with %s training documents: %.1f %%; control %s, LAAT %s, linear %s.",
                                bucket,
                                100 * result.rareMicroF1(),
                                rare(control),
                                rare(laat),
                                rare(linear))));
    }

    private static String rare(RunDirectory run) {
        return RunResult.read(run)
                .map(result -> String.format(Locale.ROOT, "%.1f %%", 100 * result.rareMicroF1()))
                .orElse("–");
    }

    /** How many epochs the other networks need to reach the dev MAP that PLANT has after one. */
    private String convergence() {
        List<TrainingHistory.Epoch> epochs = history(plant).epochs();
        double first = epochs.get(0).devMetric();
        int best = history(plant).best().orElseThrow().epoch() + 1;
        return String.format(
                Locale.ROOT,
                "After one epoch PLANT has a dev MAP of %.1f %%; the control %s, LAAT %s. Best epoch of PLANT: %d of %d.",
                100 * first,
                reached(control, first),
                reached(laat, first),
                best,
                epochs.size());
    }

    private static String reached(RunDirectory run, double value) {
        List<TrainingHistory.Epoch> epochs = history(run).epochs();
        OptionalInt epoch = epochs.stream()
                .filter(each -> each.devMetric() >= value)
                .mapToInt(each -> each.epoch() + 1)
                .findFirst();
        return epoch.isPresent() ? "needs " + epoch.getAsInt() : "does not reach it in " + epochs.size();
    }

    private static TrainingHistory history(RunDirectory run) {
        return run.read(run.history(), TrainingHistory.class);
    }
}
