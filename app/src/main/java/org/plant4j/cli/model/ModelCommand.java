package org.plant4j.cli.model;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant model}: lists, describes and packs models. */
@Command(
        name = "model",
        description = "List pretrained models, show their cards, pack a run.",
        subcommands = {ModelListCommand.class, ModelCardCommand.class, ModelPackCommand.class, ModelReportCommand.class
        })
public final class ModelCommand extends CommandGroup {}
