package org.plant4j.cli.corpus;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.corpus.sample.MadeUpMimic;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant corpus mimic-sample}: writes made-up MIMIC-III tables. */
@Command(
        name = "mimic-sample",
        description = {
            "Write made-up MIMIC-III tables: notes, codes, code lists and splits, without any patient data.",
            "By default they have the size of MIMIC-III, to measure time and memory of the whole pipeline."
        },
        footer = {
            "",
            "Example:",
            "  plant corpus mimic-sample made-up-mimic",
            "  MIMIC_III=made-up-mimic plant run linear@mimic3-full"
        })
final class MimicSampleCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "DIRECTORY", description = "New directory for the tables.")
    private Path directory = Path.of("");

    @Option(names = "--admissions", paramLabel = "N", description = "Number of admissions (default: 52723).")
    private int admissions = MadeUpMimic.Size.MIMIC_III.admissions();

    @Option(names = "--labels", paramLabel = "N", description = "Number of codes (default: 8929).")
    private int labels = MadeUpMimic.Size.MIMIC_III.labels();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the generator (default: 1).")
    private long seed = 1;

    @Override
    public Integer call() {
        new MadeUpMimic(directory, new MadeUpMimic.Size(admissions, labels), seed).write(common.progress());
        common.info("Wrote " + directory + ": " + admissions + " made-up admissions with " + labels + " codes");
        return CommandLine.ExitCode.OK;
    }
}
