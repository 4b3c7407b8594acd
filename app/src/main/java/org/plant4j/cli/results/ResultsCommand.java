package org.plant4j.cli.results;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant results}: keeps results of runs as files and writes the page that shows them. */
@Command(
        name = "results",
        description = "Store results of runs, and write a page that lists them.",
        subcommands = {ResultsAddCommand.class, ResultsCorpusCommand.class, ResultsReportCommand.class})
public final class ResultsCommand extends CommandGroup {}
