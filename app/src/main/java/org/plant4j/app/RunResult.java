package org.plant4j.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.eval.Evaluation;
import org.plant4j.eval.FrequencyBucket;
import org.plant4j.eval.Metrics;
import org.plant4j.experiment.Manifest;
import org.plant4j.experiment.Pipeline;
import org.plant4j.predict.RunFolder;

/** How well a run did on one part, {@code test} where its codes are known and else {@code dev}. */
record RunResult(String run, String part, Evaluation evaluation, double trainSeconds) {

    /** The metrics of the one-line summary, in percent; the rest is in the report. */
    static final List<String> SHOWN = List.of(Metrics.MAP, Metrics.MICRO_F1, Metrics.MACRO_F1, "P@5", "P@8", "P@15");

    static RunResult read(RunFolder folder, String part) {
        Manifest manifest = folder.read(folder.manifest(), Manifest.class);
        double seconds = manifest.seconds().getOrDefault("train", Double.NaN);
        return new RunResult(folder.name(), part, Evaluation.read(folder.metrics(part)), seconds);
    }

    /** Empty where neither part has codes to measure by. */
    static Optional<RunResult> read(RunFolder folder) {
        return parts(folder).stream().findFirst().map(part -> read(folder, part));
    }

    /** The parts a run was evaluated on, test first. */
    static List<String> parts(RunFolder folder) {
        return List.of(Pipeline.TEST, Pipeline.DEV).stream()
                .filter(part -> Files.exists(folder.metrics(part)))
                .toList();
    }

    /** The part that is asked for, or the best there is; told as the user's fault where there is none. */
    static String part(RunFolder folder, Optional<String> wanted) {
        List<String> parts = parts(folder);
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

    private static String runs(RunFolder folder) {
        Path parent = folder.path().toAbsolutePath().normalize().getParent();
        boolean usual = Path.of(RunArgument.DEFAULT_RUNS).toAbsolutePath().equals(parent);
        return usual ? "" : " --runs " + parent;
    }

    /** Micro-F1 of the rarest codes that training shows at all; NaN where there are none. */
    double rare() {
        return evaluation.buckets().stream()
                .filter(bucket -> bucket.minimum() == 1)
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(Metrics.MICRO_F1, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** What {@link #rare} means, such as "1–5". */
    Optional<String> rareBucket() {
        return evaluation.buckets().stream()
                .filter(bucket -> bucket.minimum() == 1)
                .map(FrequencyBucket::name)
                .findFirst();
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("run", run);
        map.put("part", part);
        map.put("documents", evaluation.documents());
        map.put("metrics", evaluation.metrics());
        map.put("rareMicroF1", rare());
        map.put("trainSeconds", trainSeconds);
        return map;
    }
}
