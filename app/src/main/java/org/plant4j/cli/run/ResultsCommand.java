package org.plant4j.cli.run;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant results}: keeps results of runs as files and writes the page that shows them. */
@Command(
        name = "results",
        description = "Store results of runs in files, and write a page with all of them.",
        subcommands = {ResultsAddCommand.class, ResultsReportCommand.class})
public final class ResultsCommand extends CommandGroup {}
