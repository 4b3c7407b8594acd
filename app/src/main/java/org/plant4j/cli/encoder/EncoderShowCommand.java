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

/** {@code plant encoder show}: prints the sizes of an imported encoder. */
@Command(
        name = "show",
        description = "Show the sizes of an imported encoder.",
        footer = {"", "Example:", "  plant encoder show encoders/mbert"})
final class EncoderShowCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(paramLabel = "ENCODER", description = "Directory of an imported encoder.")
    private Path directory;

    @Override
    public Integer call() {
        EncoderInfo info = EncoderInfo.of(new EncoderDirectory(directory));
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(info));
        } else {
            common.out().print(new EncoderTable(info).toText(common.color()));
        }
        return CommandLine.ExitCode.OK;
    }
}
