package org.plant4j.cli.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.process.GroupOptions;
import org.plant4j.cli.process.InterruptHandler;
import org.plant4j.cli.process.ProcessLauncher;
import org.plant4j.corpus.Fold;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant run}: prepares, trains and evaluates experiments. */
@Command(
        name = "run",
        aliases = "train",
        description = {
            "Train and evaluate models.",
            "Finished stages are reused, and an interrupted training resumes. 'train' is an alias of 'run'."
        },
        footer = {
            "",
            "Examples:",
            "  plant run linear@demo laat@demo",
            "  plant run my.yaml --seeds 1,2,3 --set training.epochs=5",
            "  plant run my.yaml --folds 5"
        })
public final class RunCommand implements Callable<Integer> {

    private static final int MAX_FOLDS = 100;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Mixin
    private final GroupOptions group = new GroupOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "EXPERIMENT",
            description = "MODEL@CORPUS, such as plant@demo, or a YAML file.")
    private List<String> named = List.of();

    @Option(
            names = "--seeds",
            split = ",",
            paramLabel = "SEED",
            description = "Run each experiment once per seed; print mean and standard deviation.")
    private List<Long> seeds = List.of();

    @Option(
            names = "--folds",
            paramLabel = "N",
            description =
                    "Cross-validation: divide the documents into N folds, test on each in turn, and print mean and"
                            + " standard deviation.")
    private Optional<Integer> folds = Optional.empty();

    @Override
    public Integer call() {
        folds.ifPresent(count -> OptionCheck.between(2, MAX_FOLDS, "--folds", count));
        if (folds.isPresent() && !seeds.isEmpty()) {
            throw new UserError("Both --seeds and --folds are given", "--folds", "drop one of them");
        }
        Map<String, List<Experiment>> experiments = experiments();
        return group.processes() > 1 ? startProcesses() : run(experiments);
    }

    private int startProcesses() {
        List<String> arguments = new ArrayList<>(pipeline.arguments());
        int option = arguments.indexOf(GroupOptions.PROCESSES);
        if (option >= 0) {
            arguments.subList(option, option + 2).clear();
        } else {
            arguments.removeIf(argument -> argument.startsWith(GroupOptions.PROCESSES + "="));
        }
        try (InterruptHandler interrupt = new InterruptHandler(common)) {
            return new ProcessLauncher(
                            pipeline.mainClass(),
                            arguments,
                            group.processes(),
                            pipeline.runs().resolve(".cache").resolve("processes"),
                            common.out(),
                            common::info)
                    .run(interrupt);
        }
    }

    private int run(Map<String, List<Experiment>> experiments) {
        Map<String, List<RunResult>> results = new LinkedHashMap<>();
        try (ProcessGroup processes = group.join();
                ExperimentRunner runner = new ExperimentRunner(common, pipeline, processes)) {
            for (Map.Entry<String, List<Experiment>> entry : experiments.entrySet()) {
                List<RunResult> finished = new ArrayList<>();
                results.put(entry.getKey(), finished);
                if (!runner.runAll(entry.getValue(), run -> RunResult.read(run).ifPresent(finished::add))) {
                    print(results);
                    return runner.reportInterruption();
                }
            }
            if (processes.isFirst()) {
                print(results);
                printNextSteps(experiments);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Reads all experiments before the first one runs, so that a mistake in the last is reported at once. */
    private Map<String, List<Experiment>> experiments() {
        Map<String, List<Experiment>> experiments = new LinkedHashMap<>();
        Set<String> runs = new HashSet<>();
        for (String name : named) {
            Experiment experiment = pipeline.read(name);
            List<Experiment> repeated = repeated(experiment);
            for (Experiment each : repeated) {
                if (!runs.add(each.name())) {
                    throw new UserError(
                            "Two experiments have the name '" + each.name() + "'", name, "give each its own name");
                }
            }
            experiments.put(experiment.name(), repeated);
        }
        return experiments;
    }

    /** The experiment once per seed or fold. */
    private List<Experiment> repeated(Experiment experiment) {
        if (folds.isPresent()) {
            return IntStream.rangeClosed(1, folds.get())
                    .mapToObj(number -> experiment.withFold(new Fold(number, folds.get())))
                    .toList();
        }
        return seeds.isEmpty()
                ? List.of(experiment)
                : seeds.stream().distinct().map(experiment::withSeed).toList();
    }

    private void print(Map<String, List<RunResult>> byExperiment) {
        List<RunResult> all =
                byExperiment.values().stream().flatMap(List::stream).toList();
        if (json.enabled()) {
            common.out()
                    .println(
                            JsonOption.pretty(all.stream().map(RunResult::toMap).toList()));
            return;
        }
        if (all.isEmpty()) {
            return;
        }
        RunTable table = new RunTable(all);
        common.info("");
        common.out().print(table.table().toText(common.color()));
        if (!seeds.isEmpty() || folds.isPresent()) {
            common.out().println();
            common.out()
                    .print(RunTable.spread(byExperiment, folds.isPresent() ? "folds" : "seeds")
                            .toText(common.color()));
        }
        table.caption().forEach(line -> common.out().println(common.faint(line)));
        common.out().flush();
    }

    private void printNextSteps(Map<String, List<Experiment>> experiments) {
        List<RunDirectory> directories = experiments.values().stream()
                .flatMap(List::stream)
                .map(pipeline::runDirectory)
                .toList();
        RunDirectory last = directories.get(directories.size() - 1);
        common.info("");
        common.info("Report: " + last.report());
        common.info("Next:   plant predict " + last.path() + " document.txt");
    }
}
