package org.plant4j.cli.encoder;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant encoder}: imports and inspects pretrained encoders. */
@Command(
        name = "encoder",
        description = "Import and inspect pretrained encoders such as BERT.",
        subcommands = {EncoderImportCommand.class, EncoderShowCommand.class, EncoderFillCommand.class})
public final class EncoderCommand extends CommandGroup {}
