package org.plant4j.cli.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.results.ResultFiles;
import org.plant4j.results.ResultsPage;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant results report}: writes the page of all stored results. */
@Command(name = "report", description = "Write a Markdown page with all stored results.")
final class ResultsReportCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Option(
            names = "--results",
            paramLabel = "DIR",
            defaultValue = "results",
            description = "Directory of the results (default: ${DEFAULT-VALUE}).")
    private Path results = Path.of("results");

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "docs/results.md",
            description = "Output file (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of("docs/results.md");

    @Override
    public Integer call() {
        if (new ResultFiles(results).readAll().isEmpty()) {
            throw new UserError("No results stored", results.toString(), "add some: plant results add RUN");
        }
        try {
            Files.writeString(output, ResultsPage.markdown(results));
        } catch (IOException e) {
            throw new UserError("The page cannot be written", output.toString(), "choose another --output", e);
        }
        common.info("Page: " + output);
        return CommandLine.ExitCode.OK;
    }
}
