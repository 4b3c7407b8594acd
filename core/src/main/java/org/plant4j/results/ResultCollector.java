package org.plant4j.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.metric.Predictions;
import org.plant4j.results.ExperimentResult.Cost;
import org.plant4j.results.ExperimentResult.Measurement;
import org.plant4j.results.ExperimentResult.Provenance;
import org.plant4j.statistics.SampleSummary;
import org.plant4j.support.Hardware;
import org.plant4j.text.PreparedCorpus;

/** Collects the results of run directories; runs of one experiment that differ in their seed become one result. */
public final class ResultCollector {

    private static final List<String> METRICS = List.of(
            MetricNames.MAP,
            MetricNames.MICRO_F1,
            MetricNames.MACRO_F1,
            "P@5",
            "P@8",
            "P@15",
            MetricNames.PREDICTED_LABELS);

    private final Optional<String> commit;

    /** @param commit the commit of the code that the runs were trained with */
    public ResultCollector(Optional<String> commit) {
        this.commit = commit;
    }

    /** Collects the results on a split; by default on test if it has labels, otherwise on dev. */
    public List<ExperimentResult> collect(List<RunDirectory> runs, Optional<String> split) {
        Map<String, List<RunDirectory>> byExperiment = new LinkedHashMap<>();
        for (RunDirectory run : runs) {
            byExperiment
                    .computeIfAbsent(experiment(manifest(run)), name -> new ArrayList<>())
                    .add(run);
        }
        return byExperiment.entrySet().stream()
                .map(entry -> collect(entry.getKey(), entry.getValue(), split))
                .toList();
    }

    private static RunManifest manifest(RunDirectory run) {
        return run.readManifest();
    }

    private static String experiment(RunManifest manifest) {
        String suffix = "-s" + manifest.seed();
        String name = manifest.name();
        return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    }

    private ExperimentResult collect(String experiment, List<RunDirectory> runs, Optional<String> wanted) {
        String split = wanted.orElseGet(() -> evaluatedSplit(runs.get(0)));
        List<Evaluation> evaluations = runs.stream()
                .map(run -> Evaluation.read(requireMetrics(run, split).metrics(split)))
                .toList();
        Map<String, Measurement> metrics = new LinkedHashMap<>();
        for (String metric : METRICS) {
            measure(evaluations.stream()
                            .map(evaluation -> OptionalDouble.of(evaluation.metric(metric)))
                            .toList())
                    .ifPresent(measurement -> metrics.put(metric, measurement));
        }
        measure(evaluations.stream().map(evaluation -> microF1(evaluation, 1)).toList())
                .ifPresent(measurement -> metrics.put(ExperimentResult.RARE_MICRO_F1, measurement));
        measure(evaluations.stream().map(evaluation -> microF1(evaluation, 0)).toList())
                .ifPresent(measurement -> metrics.put(ExperimentResult.UNSEEN_MICRO_F1, measurement));
        List<RunManifest> manifests =
                runs.stream().map(ResultCollector::manifest).toList();
        List<Long> seeds = manifests.stream().map(RunManifest::seed).toList();
        return new ExperimentResult(
                experiment,
                split,
                evaluations.get(0).documents(),
                seeds,
                metrics,
                cost(manifests),
                averagePrecision(runs, split),
                new Provenance(
                        "runs",
                        commit,
                        Optional.of(command(manifests, seeds)),
                        Optional.ofNullable(manifests.get(0).inputs().get(RunManifest.CORPUS))));
    }

    /** The mean over runs of each document's average precision; empty if a run has lost its predictions. */
    private static List<Double> averagePrecision(List<RunDirectory> runs, String split) {
        if (!runs.stream().allMatch(run -> run.has(run.predictions(split)))) {
            return List.of();
        }
        List<double[]> values = runs.stream()
                .map(run -> Predictions.read(run.predictions(split)).averagePrecision())
                .toList();
        return IntStream.range(0, values.get(0).length)
                .mapToObj(document -> round(values.stream()
                        .mapToDouble(run -> run[document])
                        .average()
                        .orElseThrow()))
                .toList();
    }

    /** The command that reproduces all runs: seeds that were run one by one are listed together. */
    private static String command(List<RunManifest> manifests, List<Long> seeds) {
        String all = seeds.stream().map(String::valueOf).collect(Collectors.joining(","));
        return manifests.stream()
                .map(manifest -> manifest.command().replaceFirst("--seeds[ =]\\S+", "--seeds " + all))
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static String evaluatedSplit(RunDirectory run) {
        return Stream.of(PreparedCorpus.TEST, PreparedCorpus.DEV)
                .filter(split -> run.has(run.metrics(split)))
                .findFirst()
                .orElseThrow(() -> missing(run, "any split"));
    }

    private static RunDirectory requireMetrics(RunDirectory run, String split) {
        if (!run.has(run.metrics(split))) {
            throw missing(run, split);
        }
        return run;
    }

    private static UserError missing(RunDirectory run, String split) {
        return new UserError(
                "The run was not evaluated on " + split,
                run.path().toString(),
                "finish it with `plant run`, or choose another --split");
    }

    /** The cost of runs that were trained on the same kind of processor; empty for others, whose times cannot be compared. */
    private static Optional<Cost> cost(List<RunManifest> manifests) {
        List<String> devices = manifests.stream()
                .map(manifest -> manifest.versions().getOrDefault(RunManifest.DEVICE, ""))
                .distinct()
                .toList();
        if (devices.size() > 1 || devices.get(0).isEmpty()) {
            return Optional.empty();
        }
        boolean gpu = Hardware.isGpu(devices.get(0));
        Optional<Measurement> seconds = measure(manifests.stream()
                .mapToDouble(manifest -> gpu ? manifest.trainingSeconds() : manifest.trainingCpuSeconds())
                .mapToObj(value -> Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value))
                .toList());
        Map<String, Measurement> mebibytes = new LinkedHashMap<>();
        for (String kind : List.of(RunManifest.RESIDENT, RunManifest.GPU)) {
            measure(manifests.stream()
                            .map(manifest -> mebibytes(manifest, kind))
                            .toList())
                    .ifPresent(measurement -> mebibytes.put(kind, measurement));
        }
        return seconds.map(measured -> new Cost(devices.get(0), measured, mebibytes));
    }

    private static OptionalDouble mebibytes(RunManifest manifest, String kind) {
        return manifest.usage()
                .map(usage -> usage.memory().get(kind))
                .map(bytes -> OptionalDouble.of(Math.rint(bytes / 1048576.0)))
                .orElse(OptionalDouble.empty());
    }

    /** The micro-F1 of the labels whose number of training documents starts with this minimum. */
    private static OptionalDouble microF1(Evaluation evaluation, int minimum) {
        return evaluation.buckets().stream()
                .filter(bucket -> bucket.minimum() == minimum)
                .flatMap(bucket -> Optional.ofNullable(bucket.metrics().get(MetricNames.MICRO_F1)).stream())
                .mapToDouble(Double::doubleValue)
                .findFirst();
    }

    private static Optional<Measurement> measure(List<OptionalDouble> found) {
        double[] values = found.stream()
                .flatMapToDouble(OptionalDouble::stream)
                .filter(Double::isFinite)
                .toArray();
        if (values.length == 0) {
            return Optional.empty();
        }
        SampleSummary summary = SampleSummary.of(values);
        Optional<Double> deviation = values.length < 2 ? Optional.empty() : Optional.of(round(summary.deviation()));
        List<Double> rounded = new ArrayList<>();
        for (double value : values) {
            rounded.add(round(value));
        }
        return Optional.of(new Measurement(round(summary.mean()), deviation, rounded));
    }

    /** Six digits are enough, and keep the files readable. */
    private static double round(double value) {
        return Math.rint(value * 1e6) / 1e6;
    }
}
