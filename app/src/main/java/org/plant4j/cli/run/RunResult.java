package org.plant4j.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.metric.Evaluation;
import org.plant4j.metric.FrequencyBucket;
import org.plant4j.metric.MetricNames;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.support.UserError;

/** How well a run did on one part, {@code test} where its codes are known and else {@code dev}. */
public record RunResult(String run, String split, Evaluation evaluation, double trainSeconds) {

    /** The metrics of the one-line summary, in percent; the rest is in the report. */
    static final List<String> SHOWN =
            List.of(MetricNames.MAP, MetricNames.MICRO_F1, MetricNames.MACRO_F1, "P@5", "P@8", "P@15");

    static RunResult read(RunDirectory folder, String part) {
        RunManifest manifest = folder.read(folder.manifest(), RunManifest.class);
        double seconds = manifest.seconds().getOrDefault("train", Double.NaN);
        return new RunResult(folder.name(), part, Evaluation.read(folder.metrics(part)), seconds);
    }

    /** Empty where neither part has codes to measure by. */
    public static Optional<RunResult> read(RunDirectory folder) {
        return evaluatedSplits(folder).stream().findFirst().map(part -> read(folder, part));
    }

    /** The parts a run was evaluated on, test first. */
    static List<String> evaluatedSplits(RunDirectory folder) {
        return List.of(Pipeline.TEST, Pipeline.DEV).stream()
                .filter(part -> Files.exists(folder.metrics(part)))
                .toList();
    }

    /** The part that is asked for, or the best there is; told as the user's fault where there is none. */
    public static String part(RunDirectory folder, Optional<String> wanted) {
        List<String> parts = evaluatedSplits(folder);
        if (parts.isEmpty()) {
            throw new UserError(
                    "This run was not evaluated: it is unfinished, or neither dev nor test has codes",
                    folder.path().toString(),
                    "finish it: plant run " + folder.experiment() + runs(folder));
        }
        if (wanted.isPresent() && !parts.contains(wanted.get())) {
            throw new UserError(
                    "This run was not evaluated on '" + wanted.get() + "'",
                    folder.path().toString(),
                    "it was on: " + String.join(", ", parts));
        }
        return wanted.orElse(parts.get(0));
    }

    private static String runs(RunDirectory folder) {
        Path parent = folder.path().toAbsolutePath().normalize().getParent();
        boolean usual = Path.of(RunArgument.DEFAULT_RUNS).toAbsolutePath().equals(parent);
        return usual ? "" : " --runs " + parent;
    }

    /** Micro-F1 of the rarest codes that training shows at all; NaN where there are none. */
    public double rareMicroF1() {
        return evaluation.buckets().stream()
                .filter(bucket -> bucket.minimum() == 1)
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(MetricNames.MICRO_F1, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** What {@link #rareMicroF1} means, such as "1–5". */
    public Optional<String> rareBucket() {
        return evaluation.buckets().stream()
                .filter(bucket -> bucket.minimum() == 1)
                .map(FrequencyBucket::name)
                .findFirst();
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("run", run);
        map.put("part", split);
        map.put("documents", evaluation.documents());
        map.put("metrics", evaluation.metrics());
        map.put("rareMicroF1", rareMicroF1());
        map.put("trainSeconds", trainSeconds);
        return map;
    }
}
