package org.plant4j.cli.bench;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant bench}: measures training and prediction on synthetic documents. */
@Command(
        name = "bench",
        description = "Measure speed and memory of training and prediction.",
        subcommands = {
            BenchModelCommand.class,
            BenchPlantCommand.class,
            BenchLaatCommand.class,
            BenchLanguageModelCommand.class,
            BenchRankerCommand.class,
            BenchCompareCommand.class,
            BenchEvaluationCommand.class,
            BenchReportCommand.class
        })
public final class BenchCommand extends CommandGroup {}
