package org.plant4j.cli.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.plant4j.cli.run.RunResult;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.MetricNames;
import org.plant4j.metric.Predictions;
import org.plant4j.statistics.ApproximateRandomization;
import org.plant4j.train.TrainingHistory;

/** What the demo's runs show, in sentences: what was planted, and what it bought. */
public record DemoFindings(RunDirectory linear, RunDirectory laat, RunDirectory control, RunDirectory plant) {

    static final String CAUTION =
            "Made-up notes are easier than real ones: read these numbers as a check that it works, no more.";

    private static final double SIGNIFICANT = 0.05;

    /** What stood in PLANT's attention before it met its first document. */
    String plantingSummary() {
        long codes = plant.read(plant.manifest(), RunManifest.class).sizes().getOrDefault("codes", 0L);
        List<TrainingHistory.Epoch> ranking =
                plant.read(plant.rankerHistory(), TrainingHistory.class).epochs();
        double agreement = 1 - ranking.get(ranking.size() - 1).trainLoss();
        return "Training documents alone tell which words go with which of the " + codes + " codes: their mutual "
                + "information. A ranker learned these orders (nDCG "
                + String.format(Locale.ROOT, "%.2f", agreement) + "). Both were planted into the attention "
                + "before PLANT read its first note; its control is the same network with nothing planted.";
    }

    /** PLANT beside the others: all codes, rare codes, epochs. */
    List<String> comparisons() {
        List<String> sentences = new ArrayList<>();
        sentences.add(difference(control, "PLANT", "its unplanted control"));
        sentences.add(difference(laat, "It", "LAAT"));
        sentences.add(difference(linear, "It", "the linear model"));
        rare().ifPresent(sentences::add);
        sentences.add(convergence());
        return sentences;
    }

    /** What each network did on dev epoch by epoch. */
    Map<String, TrainingHistory> histories() {
        Map<String, TrainingHistory> learned = new LinkedHashMap<>();
        for (RunDirectory run : List.of(plant, control, laat)) {
            learned.put(run.name(), history(run));
        }
        return learned;
    }

    private String difference(RunDirectory other, String subject, String name) {
        String part = RunResult.part(plant, Optional.empty());
        Comparison.Row map = Comparison.of(
                        other.name(),
                        Predictions.read(other.predictions(part)),
                        plant.name(),
                        Predictions.read(plant.predictions(part)),
                        List.of(5),
                        ApproximateRandomization.standard(1))
                .row(MetricNames.MAP);
        String p = map.pValue() < 0.001 ? "p < 0.001" : String.format(Locale.ROOT, "p = %.3f", map.pValue());
        String points = String.format(Locale.ROOT, "%.1f points of MAP", Math.abs(100 * map.difference()));
        if (map.pValue() >= SIGNIFICANT) {
            return subject + " and " + name + " differ by " + points + ", which may be chance (" + p + ").";
        }
        return subject + (map.difference() > 0 ? " leads " : " trails ") + name + " by " + points + " (" + p + ").";
    }

    private Optional<String> rare() {
        return RunResult.read(plant)
                .flatMap(result -> result.rareBucket()
                        .map(bucket -> String.format(
                                Locale.ROOT,
                                "Codes of %s training documents: micro-F1 %.1f, against %s (control), %s (LAAT) and %s"
                                        + " (linear).",
                                bucket,
                                100 * result.rareMicroF1(),
                                rare(control),
                                rare(laat),
                                rare(linear))));
    }

    private static String rare(RunDirectory run) {
        return RunResult.read(run)
                .map(result -> String.format(Locale.ROOT, "%.1f", 100 * result.rareMicroF1()))
                .orElse("–");
    }

    /** How many epochs the others took for what PLANT had after one, and which was its best. */
    private String convergence() {
        List<TrainingHistory.Epoch> epochs = history(plant).epochs();
        double first = epochs.get(0).devMetric();
        int best = history(plant).best().orElseThrow().epoch() + 1;
        return String.format(
                Locale.ROOT,
                "After one epoch its dev MAP is %.1f: the control %s, LAAT %s. Best of %d: epoch %d.",
                100 * first,
                reached(control, first),
                reached(laat, first),
                epochs.size(),
                best);
    }

    private static String reached(RunDirectory run, double value) {
        List<TrainingHistory.Epoch> epochs = history(run).epochs();
        OptionalInt epoch = epochs.stream()
                .filter(each -> each.devMetric() >= value)
                .mapToInt(each -> each.epoch() + 1)
                .findFirst();
        return epoch.isPresent() ? "takes " + epoch.getAsInt() : "is not there in " + epochs.size();
    }

    private static TrainingHistory history(RunDirectory run) {
        return run.read(run.history(), TrainingHistory.class);
    }
}
