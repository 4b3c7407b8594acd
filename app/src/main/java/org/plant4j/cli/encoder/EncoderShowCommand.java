package org.plant4j.cli.encoder;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.EncoderInfo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code plant encoder show}: what an imported encoder is. */
@Command(
        name = "show",
        description = "Show an imported encoder's sizes and pieces, and whether it has a head for masked words.",
        footer = {"", "Example:", "  plant encoder show encoders/mbert"})
public final class EncoderShowCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(paramLabel = "ENCODER", description = "The folder of an imported encoder.")
    private Path folder;

    @Override
    public Integer call() {
        EncoderInfo sheet = EncoderInfo.of(new EncoderDirectory(folder));
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(sheet));
        } else {
            common.out().print(new EncoderTable(sheet).toText(common.color()));
        }
        return CommandLine.ExitCode.OK;
    }
}
