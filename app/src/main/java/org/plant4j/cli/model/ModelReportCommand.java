package org.plant4j.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.pretrained.CardPage;
import org.plant4j.pretrained.PretrainedModels;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant model report}: writes the cards of the pretrained models into a page. */
@Command(
        name = "report",
        description =
                "Write the cards of all pretrained models into a Markdown page, between its two comments 'models'.")
final class ModelReportCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "docs/pretrained-models.md",
            description = "The page (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of("docs/pretrained-models.md");

    @Override
    public Integer call() {
        try {
            OutputFile.write(output, CardPage.update(Files.readString(output), PretrainedModels.all()));
        } catch (IOException e) {
            throw new UserError("The page cannot be read", output.toString(), "name an existing page", e);
        }
        common.info("Page: " + output);
        return CommandLine.ExitCode.OK;
    }
}
