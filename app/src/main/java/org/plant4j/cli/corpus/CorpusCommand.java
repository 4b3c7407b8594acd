package org.plant4j.cli.corpus;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant corpus}: inspects and converts corpora. */
@Command(
        name = "corpus",
        description = "Show statistics or documents of a corpus, export it, or generate one.",
        subcommands = {
            CorpusStatsCommand.class,
            CorpusShowCommand.class,
            CorpusExportCommand.class,
            MimicSampleCommand.class
        })
public final class CorpusCommand extends CommandGroup {}
