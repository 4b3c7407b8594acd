package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.MetricNames;
import org.plant4j.UserError;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.text.PreparedCorpus;

/** The evaluation of a run on one split: {@code test} if its codes are known, otherwise {@code dev}. */
public record RunResult(String run, String split, Evaluation evaluation, double trainSeconds) {

    /** The metrics of the summary table; the report has all of them. */
    static final List<String> SHOWN =
            List.of(MetricNames.MAP, MetricNames.MICRO_F1, MetricNames.MACRO_F1, "P@5", "P@8", "P@15");

    static RunResult read(RunDirectory run, String split) {
        RunManifest manifest = run.readManifest();
        return new RunResult(run.name(), split, Evaluation.read(run.metrics(split)), manifest.trainingSeconds());
    }

    /** Empty if neither split has codes. */
    public static Optional<RunResult> read(RunDirectory run) {
        return evaluatedSplits(run).stream().findFirst().map(split -> read(run, split));
    }

    /** The splits that a run was evaluated on, test first. */
    static List<String> evaluatedSplits(RunDirectory run) {
        return List.of(PreparedCorpus.TEST, PreparedCorpus.DEV).stream()
                .filter(split -> run.has(run.metrics(split)))
                .toList();
    }

    /** The requested split, or test before dev. */
    public static String chooseSplit(RunDirectory run, Optional<String> requested) {
        List<String> splits = evaluatedSplits(run);
        if (splits.isEmpty()) {
            throw new UserError(
                    "This run has no evaluation: it is unfinished, or neither dev nor test has codes",
                    run.path().toString(),
                    "finish it: plant run " + run.experiment() + runs(run));
        }
        if (requested.isPresent() && !splits.contains(requested.get())) {
            throw new UserError(
                    "This run was not evaluated on '" + requested.get() + "'",
                    run.path().toString(),
                    "use one of: " + String.join(", ", splits));
        }
        return requested.orElse(splits.get(0));
    }

    private static String runs(RunDirectory run) {
        Path parent = run.path().toAbsolutePath().normalize().getParent();
        boolean isDefault = Path.of(RunArgument.DEFAULT_RUNS).toAbsolutePath().equals(parent);
        return isDefault ? "" : " --runs " + parent;
    }

    /** Micro-F1 of the least frequent codes with training documents; NaN if there are none. */
    public double rareMicroF1() {
        return evaluation.buckets().stream()
                .filter(bucket -> bucket.minimum() == 1)
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(MetricNames.MICRO_F1, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** The number of training documents of the codes in {@link #rareMicroF1}, such as "1–5". */
    public Optional<String> rareBucket() {
        return evaluation.buckets().stream()
                .filter(bucket -> bucket.minimum() == 1)
                .map(FrequencyBucket::name)
                .findFirst();
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("run", run);
        map.put("split", split);
        map.put("documents", evaluation.documents());
        map.put("metrics", evaluation.metrics());
        map.put("rareMicroF1", rareMicroF1());
        map.put("trainSeconds", trainSeconds);
        return map;
    }
}
