package org.plant4j.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.results.BenchmarkPage;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant bench report}: writes stored measurements into a page. */
@Command(
        name = "report",
        description = "Write stored measurements into a Markdown page, between its two comments 'measurements'.")
final class BenchReportCommand implements Callable<Integer> {

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
            defaultValue = "docs/benchmarks.md",
            description = "The page (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of("docs/benchmarks.md");

    @Override
    public Integer call() {
        if (!Files.isDirectory(results.resolve("bench"))) {
            throw new UserError(
                    "No benchmarks stored",
                    results.resolve("bench").toString(),
                    "write some with plant bench compare --output, or choose other --results");
        }
        try {
            OutputFile.write(output, BenchmarkPage.update(Files.readString(output), results));
        } catch (IOException e) {
            throw new UserError("The page cannot be read", output.toString(), "name an existing page", e);
        }
        common.info("Page: " + output);
        return CommandLine.ExitCode.OK;
    }
}
