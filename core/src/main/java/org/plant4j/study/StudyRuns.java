package org.plant4j.study;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.Evaluation;
import org.plant4j.metric.Predictions;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.statistics.ApproximateRandomization;
import org.plant4j.statistics.SampleSummary;
import org.plant4j.support.Progress;
import org.plant4j.support.UserError;
import org.plant4j.text.LabelIndex;

/** The finished runs of a study, and what can be asked of them. */
final class StudyRuns {

    private static final List<Integer> CUTOFFS = List.of(5, 8, 15);
    private static final ApproximateRandomization TEST = ApproximateRandomization.standard(1);

    private final Study study;
    private final Path runs;
    private final List<Study.PlannedRun> cells;
    private final String part;
    private final Progress progress;
    private final Map<Study.PlannedRun, Evaluation> evaluations = new HashMap<>();
    private final Map<String, Comparison> comparisons = new HashMap<>();

    StudyRuns(Study study, Path runs, Progress progress) {
        this.study = study;
        this.runs = runs;
        this.cells = study.plannedRuns();
        this.progress = progress;
        RunDirectory first = directory(cells.get(0));
        boolean epochs = study.kind() == Study.Kind.OVERFITTING; // which are measured on dev alone
        this.part = study.part()
                .orElseGet(() -> Files.exists(first.metrics(Pipeline.TEST)) && !epochs ? Pipeline.TEST : Pipeline.DEV);
        for (Study.PlannedRun cell : cells) {
            if (!Files.exists(directory(cell).metrics(part))) {
                throw new UserError(
                        "Run " + cell.experiment().name() + " was not evaluated on " + part,
                        directory(cell).path().toString(),
                        "choose another `part`, or give the part codes");
            }
        }
    }

    Study study() {
        return study;
    }

    /** The part that everything is measured on. */
    String split() {
        return part;
    }

    Progress progress() {
        return progress;
    }

    List<String> variants() {
        return List.copyOf(study.variants().keySet());
    }

    /** The variant that the others are compared with. */
    String baseline() {
        return variants().get(0);
    }

    List<Study.PlannedRun> runs(String variant, int size) {
        return cells.stream()
                .filter(cell -> cell.variant().equals(variant) && cell.size() == size)
                .toList();
    }

    RunDirectory directory(Study.PlannedRun cell) {
        return new RunDirectory(runs.resolve(cell.experiment().name()));
    }

    /** The codes as the first variant's first run learned them. */
    LabelIndex labels(int size) {
        return LabelIndex.read(directory(runs(baseline(), size).get(0)).labels());
    }

    /** How many training documents there really were. */
    long trainingDocuments(Study.PlannedRun cell) {
        RunDirectory folder = directory(cell);
        return folder.read(folder.manifest(), RunManifest.class).sizes().getOrDefault("train", 0L);
    }

    long trainingDocuments(String variant, int size) {
        return trainingDocuments(runs(variant, size).get(0));
    }

    Evaluation evaluation(Study.PlannedRun cell) {
        return evaluations.computeIfAbsent(
                cell, it -> Evaluation.read(directory(it).metrics(part)));
    }

    SampleSummary summary(String variant, int size, String metric) {
        return summary(
                variant, size, (Study.PlannedRun cell) -> evaluation(cell).metric(metric));
    }

    SampleSummary summary(String variant, int size, ToDoubleFunction<Study.PlannedRun> value) {
        return SampleSummary.of(runs(variant, size).stream().mapToDouble(value).toArray());
    }

    /** Against the first variant on as many documents; empty for the first itself. */
    Optional<Comparison> comparison(String variant, int size) {
        if (variant.equals(baseline())) {
            return Optional.empty();
        }
        return Optional.of(comparisons.computeIfAbsent(
                variant + "\t" + size,
                key -> Comparison.of(
                        baseline(),
                        predictions(baseline(), size),
                        variant,
                        predictions(variant, size),
                        CUTOFFS,
                        TEST)));
    }

    List<Predictions> predictions(String variant, int size) {
        return runs(variant, size).stream()
                .map(cell -> Predictions.read(directory(cell).predictions(part)))
                .toList();
    }

    static ApproximateRandomization significanceTest() {
        return TEST;
    }

    /** How a caption tells what the numbers are. */
    String caption() {
        int seeds = study.seeds().size();
        String over = seeds == 1 ? "One seed" : "Means over " + seeds + " seeds with Student's 95 % interval";
        return over + "; on " + evaluation(cells.get(0)).documents() + " " + part + " documents.";
    }
}
