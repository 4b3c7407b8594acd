package org.plant4j.study;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.plant4j.Evaluation;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.Predictions;
import org.plant4j.statistics.ApproximateRandomization;
import org.plant4j.statistics.SampleSummary;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PreparedCorpus;

/** Loads the finished runs of a study: their evaluations, predictions and comparisons with the baseline. */
final class StudyRuns {

    private static final List<Integer> CUTOFFS = List.of(5, 8, 15);
    private static final ApproximateRandomization TEST = ApproximateRandomization.standard(1);

    private final Study study;
    private final Path directory;
    private final List<Study.PlannedRun> runs;
    private final String split;
    private final Progress progress;
    private final Map<Study.PlannedRun, Evaluation> evaluations = new HashMap<>();
    private final Map<String, Comparison> comparisons = new HashMap<>();

    StudyRuns(Study study, Path directory, Progress progress) {
        this.study = study;
        this.directory = directory;
        this.runs = study.plannedRuns();
        this.progress = progress;
        this.split = study.split().orElseGet(this::defaultSplit);
        for (Study.PlannedRun run : runs) {
            if (!directory(run).has(directory(run).metrics(split))) {
                throw new UserError(
                        "Run " + run.experiment().name() + " was not evaluated on " + split,
                        directory(run).path().toString(),
                        "set `split` to a split whose documents have codes");
            }
        }
    }

    /** Test if it was evaluated; dev for overfitting, which is measured after each epoch. */
    private String defaultSplit() {
        RunDirectory first = directory(runs.get(0));
        boolean test = first.has(first.metrics(PreparedCorpus.TEST));
        return test && study.kind() != Study.Kind.OVERFITTING ? PreparedCorpus.TEST : PreparedCorpus.DEV;
    }

    Study study() {
        return study;
    }

    /** The split that all metrics are computed on. */
    String split() {
        return split;
    }

    Progress progress() {
        return progress;
    }

    List<String> variants() {
        return List.copyOf(study.variants().keySet());
    }

    /** The first variant, which the others are compared with. */
    String baseline() {
        return variants().get(0);
    }

    /** The first training size of the study file. Most analyses use no other. */
    int firstSize() {
        return study.sizes().get(0);
    }

    /** The runs of a variant, one per seed. */
    List<Study.PlannedRun> runs(String variant, int size) {
        return runs.stream()
                .filter(run -> run.variant().equals(variant) && run.size() == size)
                .toList();
    }

    RunDirectory directory(Study.PlannedRun run) {
        return new RunDirectory(directory.resolve(run.experiment().name()));
    }

    /** The labels of the baseline's first run. */
    LabelIndex labels(int size) {
        return LabelIndex.read(directory(runs(baseline(), size).get(0)).labels());
    }

    /** The actual number of training documents of a run. */
    long trainingDocuments(Study.PlannedRun run) {
        return directory(run).readManifest().sizes().getOrDefault("train", 0L);
    }

    long trainingDocuments(String variant, int size) {
        return trainingDocuments(runs(variant, size).get(0));
    }

    Evaluation evaluation(Study.PlannedRun run) {
        return evaluations.computeIfAbsent(
                run, it -> Evaluation.read(directory(it).metrics(split)));
    }

    /** The mean and interval of a value over the seeds of a variant. */
    SampleSummary summary(String variant, int size, ToDoubleFunction<Study.PlannedRun> value) {
        return SampleSummary.of(runs(variant, size).stream().mapToDouble(value).toArray());
    }

    Predictions predictions(Study.PlannedRun run) {
        return Predictions.read(directory(run).predictions(split));
    }

    List<Predictions> predictions(String variant, int size) {
        return runs(variant, size).stream().map(this::predictions).toList();
    }

    /** The comparison of a variant with the baseline at the same training size; empty for the baseline. */
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

    /** Compares filtered predictions of a variant with those of the baseline, without metrics at k. */
    Comparison compare(String variant, List<Predictions> ofBaseline, List<Predictions> ofVariant) {
        return Comparison.of(baseline(), ofBaseline, variant, ofVariant, List.of(), TEST);
    }

    static ApproximateRandomization significanceTest() {
        return TEST;
    }

    /** Describes the numbers of a table. */
    String caption() {
        int seeds = study.seeds().size();
        String aggregation = seeds == 1 ? "One seed" : "Means over " + seeds + " seeds with 95 % confidence intervals";
        return aggregation + "; " + evaluation(runs.get(0)).documents() + " " + split + " documents.";
    }
}
