package org.plant4j.cli.corpus;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant corpus}: looks at corpora without training on them. */
@Command(
        name = "corpus",
        description = "Look at a corpus: its numbers, its documents, or all of it as JSON lines.",
        subcommands = {CorpusStatsCommand.class, CorpusShowCommand.class, CorpusExportCommand.class})
public final class CorpusCommand extends CommandGroup {}
