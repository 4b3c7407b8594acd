package org.plant4j.study;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.eval.ApproximateRandomization;
import org.plant4j.eval.Comparison;
import org.plant4j.eval.Evaluation;
import org.plant4j.eval.Predictions;
import org.plant4j.eval.Spread;
import org.plant4j.experiment.Manifest;
import org.plant4j.experiment.Pipeline;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.Labels;

/** The finished runs of a study, and what can be asked of them. */
final class Runs {

    private static final List<Integer> CUTOFFS = List.of(5, 8, 15);
    private static final ApproximateRandomization TEST = ApproximateRandomization.standard(1);

    private final Study study;
    private final Path runs;
    private final List<Study.Cell> cells;
    private final String part;
    private final Progress progress;
    private final Map<Study.Cell, Evaluation> evaluations = new HashMap<>();
    private final Map<String, Comparison> comparisons = new HashMap<>();

    Runs(Study study, Path runs, Progress progress) {
        this.study = study;
        this.runs = runs;
        this.cells = study.cells();
        this.progress = progress;
        RunFolder first = folder(cells.get(0));
        boolean epochs = study.kind() == Study.Kind.OVERFITTING; // which are measured on dev alone
        this.part = study.part()
                .orElseGet(() -> Files.exists(first.metrics(Pipeline.TEST)) && !epochs ? Pipeline.TEST : Pipeline.DEV);
        for (Study.Cell cell : cells) {
            if (!Files.exists(folder(cell).metrics(part))) {
                throw new UserError(
                        "Run " + cell.experiment().name() + " was not evaluated on " + part,
                        folder(cell).path().toString(),
                        "choose another `part`, or give the part codes");
            }
        }
    }

    Study study() {
        return study;
    }

    /** The part that everything is measured on. */
    String part() {
        return part;
    }

    Progress progress() {
        return progress;
    }

    List<String> variants() {
        return List.copyOf(study.variants().keySet());
    }

    /** The variant that the others are compared with. */
    String first() {
        return variants().get(0);
    }

    List<Study.Cell> of(String variant, int size) {
        return cells.stream()
                .filter(cell -> cell.variant().equals(variant) && cell.size() == size)
                .toList();
    }

    RunFolder folder(Study.Cell cell) {
        return new RunFolder(runs.resolve(cell.experiment().name()));
    }

    /** The codes as the first variant's first run learned them. */
    Labels labels(int size) {
        return Labels.read(folder(of(first(), size).get(0)).labels());
    }

    /** How many training documents there really were. */
    long documents(Study.Cell cell) {
        RunFolder folder = folder(cell);
        return folder.read(folder.manifest(), Manifest.class).sizes().getOrDefault("train", 0L);
    }

    long documents(String variant, int size) {
        return documents(of(variant, size).get(0));
    }

    Evaluation evaluation(Study.Cell cell) {
        return evaluations.computeIfAbsent(
                cell, it -> Evaluation.read(folder(it).metrics(part)));
    }

    Spread spread(String variant, int size, String metric) {
        return spread(variant, size, (Study.Cell cell) -> evaluation(cell).metric(metric));
    }

    Spread spread(String variant, int size, ToDoubleFunction<Study.Cell> value) {
        return Spread.of(of(variant, size).stream().mapToDouble(value).toArray());
    }

    /** Against the first variant on as many documents; empty for the first itself. */
    Optional<Comparison> comparison(String variant, int size) {
        if (variant.equals(first())) {
            return Optional.empty();
        }
        return Optional.of(comparisons.computeIfAbsent(
                variant + "\t" + size,
                key -> Comparison.of(
                        first(), predictions(first(), size), variant, predictions(variant, size), CUTOFFS, TEST)));
    }

    List<Predictions> predictions(String variant, int size) {
        return of(variant, size).stream()
                .map(cell -> Predictions.read(folder(cell).predictions(part)))
                .toList();
    }

    static ApproximateRandomization test() {
        return TEST;
    }

    /** How a caption tells what the numbers are. */
    String caption() {
        int seeds = study.seeds().size();
        String over = seeds == 1 ? "One seed" : "Means over " + seeds + " seeds with Student's 95 % interval";
        return over + "; on " + evaluation(cells.get(0)).documents() + " " + part + " documents.";
    }
}
