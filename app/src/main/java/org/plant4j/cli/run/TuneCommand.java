package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.ExperimentArgument;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.tuning.Parameter;
import org.plant4j.tuning.SearchSpace;
import org.plant4j.tuning.Trial;
import org.plant4j.tuning.TuningReport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant tune}: searches for good settings on dev. */
@Command(
        name = "tune",
        description = {
            "Search for good settings on dev.",
            "Runs an experiment with every combination of the given values, or with random ones, and compares them on"
                    + " dev. Finished trials are reused, so an interrupted or extended search continues."
        },
        footer = {
            "",
            "Examples:",
            "  plant tune my.yaml --try training.learning_rate=0.001,0.002,0.004 --try training.epochs=5,10",
            "  plant tune my.yaml --try training.learning_rate=1e-4..1e-2 --try model.dropout=0.1..0.6 --trials 20"
                    + " --minutes 60"
        })
public final class TuneCommand implements Callable<Integer> {

    private static final double NANOS_PER_MINUTE = 60e9;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Parameters(paramLabel = "EXPERIMENT", description = "MODEL@CORPUS, such as plant@demo, or a YAML file.")
    private String named;

    @Option(
            names = "--try",
            required = true,
            paramLabel = "KEY=VALUES",
            description =
                    "Values of a setting, separated by commas, or with --trials a range LOW..HIGH; may be repeated.")
    private List<String> tries = List.of();

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Search at random, with N trials (default: a grid of all combinations).")
    private Optional<Integer> trials = Optional.empty();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Budget: start no further trial after N minutes (default: no limit).")
    private Optional<Double> minutes = Optional.empty();

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            defaultValue = MetricNames.MAP,
            description = "Dev metric that decides (default: ${DEFAULT-VALUE}).")
    private String metric = MetricNames.MAP;

    @Override
    public Integer call() {
        trials.ifPresent(count -> OptionCheck.atLeast(1, "--trials", count));
        SearchSpace space = new SearchSpace(tries.stream().map(Parameter::parse).toList());
        Experiment base = pipeline.read(named);
        List<Trial> planned =
                trials.map(count -> space.random(count, base.seed())).orElseGet(space::grid);
        List<Experiment> experiments =
                planned.stream().map(trial -> experiment(base, trial)).toList(); // reports a wrong setting at once
        common.info(base.name() + ": " + planned.size() + " trials");
        List<TuningReport.Result> results = new ArrayList<>();
        long start = System.nanoTime();
        boolean outOfTime = false;
        try (ExperimentRunner runner = new ExperimentRunner(common, pipeline)) {
            for (int i = 0; i < planned.size() && !outOfTime; i++) {
                Trial trial = planned.get(i);
                common.info("");
                common.info("Trial " + (i + 1) + " of " + planned.size() + ": " + String.join(" ", trial.settings()));
                if (!runner.runAll(List.of(experiments.get(i)), run -> results.add(result(trial, run)))) {
                    report(base, space, results);
                    return runner.reportInterruption();
                }
                outOfTime = minutes.isPresent() && (System.nanoTime() - start) / NANOS_PER_MINUTE > minutes.get();
            }
        }
        report(base, space, results);
        if (results.size() < planned.size()) {
            common.info("The budget is spent after " + results.size() + " of " + planned.size()
                    + " trials; run the same command again to continue.");
        }
        return CommandLine.ExitCode.OK;
    }

    private Experiment experiment(Experiment base, Trial trial) {
        List<String> overrides = new ArrayList<>(pipeline.overrides());
        overrides.addAll(trial.settings());
        overrides.add("name=" + base.name() + "-tune-" + trial.id());
        return ExperimentArgument.read(named, overrides);
    }

    private TuningReport.Result result(Trial trial, RunDirectory run) {
        if (!run.has(run.metrics(PreparedCorpus.DEV))) {
            throw new UserError(
                    "The corpus has no dev documents with codes, so trials cannot be compared",
                    named,
                    "name dev documents, or split the corpus by fractions");
        }
        Evaluation dev = Evaluation.read(run.metrics(PreparedCorpus.DEV));
        if (Double.isNaN(dev.metric(metric))) {
            throw new UserError(
                    "Unknown metric '" + metric + "'",
                    "--metric",
                    "use one of: " + String.join(", ", dev.metrics().keySet()));
        }
        return new TuningReport.Result(
                trial, run.name(), dev, run.readManifest().trainingSeconds());
    }

    private void report(Experiment base, SearchSpace space, List<TuningReport.Result> results) {
        if (results.isEmpty()) {
            return;
        }
        TuningReport report = new TuningReport(base.name(), space, metric, results);
        Path page = report.write(pipeline.runs().resolve("tune").resolve(base.name()), pipeline.commandLine());
        common.info("");
        common.out().print(report.table().toText(common.color()));
        common.out().println(common.faint("In percent, on dev, best first."));
        common.out().println();
        common.out().println("Best: plant run " + named + " " + report.bestSettings());
        common.out().flush();
        common.info("Report: " + page);
    }
}
