package org.plant4j.cli.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.support.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant run}: from experiment files to evaluated models. */
@Command(
        name = "run",
        aliases = "train",
        description = {
            "Prepare, train and evaluate experiments.",
            "What is done already is reused; an interrupted training goes on. 'train' is another name for 'run'."
        },
        footer = {
            "",
            "Examples:",
            "  plant run demo-linear demo-laat",
            "  plant run my.yaml --seeds 1,2,3 --set training.epochs=5"
        })
public final class RunCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "EXPERIMENT",
            description = {
                "A YAML file, or a packaged experiment: demo-prior, demo-linear, demo-caml, demo-laat, demo-plant,",
                "demo-control."
            })
    private List<String> named = List.of();

    @Option(
            names = "--seeds",
            split = ",",
            paramLabel = "SEED",
            description = "Run each experiment from each seed, and show mean and deviation.")
    private List<Long> seeds = List.of();

    @Override
    public Integer call() {
        Map<String, List<Experiment>> experiments = experiments();
        BadRowHandler badRows = pipeline.badRows();
        Map<String, List<RunResult>> results = new LinkedHashMap<>();
        try (InterruptHandler interruption = new InterruptHandler(common)) {
            for (Map.Entry<String, List<Experiment>> entry : experiments.entrySet()) {
                for (Experiment experiment : entry.getValue()) {
                    if (interruption.getAsBoolean() || !pipeline.run(experiment, common, badRows, interruption)) {
                        print(results);
                        common.info("Interrupted. The same command goes on where it stopped.");
                        return InterruptHandler.EXIT;
                    }
                    RunResult.read(pipeline.runDirectory(experiment))
                            .ifPresent(result -> results.computeIfAbsent(entry.getKey(), name -> new ArrayList<>())
                                    .add(result));
                }
            }
            print(results);
            common.info(badRows);
            printNextSteps(experiments);
        }
        return CommandLine.ExitCode.OK;
    }

    /** All of them are read before the first is run, so that a mistake in the last costs no hours. */
    private Map<String, List<Experiment>> experiments() {
        Map<String, List<Experiment>> experiments = new LinkedHashMap<>();
        Set<String> runs = new HashSet<>();
        for (String name : named) {
            Experiment experiment = pipeline.read(name);
            List<Experiment> seeded = seeds.isEmpty()
                    ? List.of(experiment)
                    : seeds.stream().distinct().map(experiment::withSeed).toList();
            for (Experiment each : seeded) {
                if (!runs.add(each.name())) {
                    throw new UserError(
                            "Two experiments are named '" + each.name() + "'", name, "give each a name of its own");
                }
            }
            experiments.put(experiment.name(), seeded);
        }
        return experiments;
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
        if (!seeds.isEmpty()) {
            common.out().println();
            common.out().print(RunTable.spread(byExperiment).toText(common.color()));
        }
        table.caption().forEach(line -> common.out().println(common.faint(line)));
        common.out().flush();
    }

    private void printNextSteps(Map<String, List<Experiment>> experiments) {
        List<RunDirectory> folders = experiments.values().stream()
                .flatMap(List::stream)
                .map(pipeline::runDirectory)
                .toList();
        RunDirectory last = folders.get(folders.size() - 1);
        common.info("");
        common.info("Report: " + last.report());
        common.info("Next:   ./plant predict " + last.path() + " note.txt");
    }
}
