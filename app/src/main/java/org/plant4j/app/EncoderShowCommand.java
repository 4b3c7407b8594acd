package org.plant4j.app;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.plant4j.encoders.EncoderSheet;
import org.plant4j.nn.EncoderFolder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code plant encoder show}: what an imported encoder is. */
@Command(
        name = "show",
        description = "Show an imported encoder's sizes and pieces, and whether it has a head for masked words.",
        footer = {"", "Example:", "  plant encoder show encoders/mbert"})
final class EncoderShowCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(paramLabel = "ENCODER", description = "The folder of an imported encoder.")
    private Path folder;

    @Override
    public Integer call() {
        EncoderSheet sheet = EncoderSheet.of(new EncoderFolder(folder));
        if (json.wanted()) {
            common.out().println(JsonOption.text(sheet));
        } else {
            common.out().print(new EncoderTable(sheet).text(common.colour()));
        }
        return CommandLine.ExitCode.OK;
    }
}
