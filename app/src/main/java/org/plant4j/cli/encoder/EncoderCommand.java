package org.plant4j.cli.encoder;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant encoder}: pretrained encoders for models to start from. */
@Command(
        name = "encoder",
        description = "Import pretrained encoders, such as BERT, for models to start from, and look at them.",
        subcommands = {EncoderImportCommand.class, EncoderShowCommand.class, EncoderFillCommand.class})
public final class EncoderCommand extends CommandGroup {}
