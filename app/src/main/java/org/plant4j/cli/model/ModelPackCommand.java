package org.plant4j.cli.model;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommitOption;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.pretrained.CardPage;
import org.plant4j.pretrained.CardText;
import org.plant4j.pretrained.ModelCard;
import org.plant4j.pretrained.ModelPacker;
import org.plant4j.pretrained.PackedModel;
import org.plant4j.tensor.PackedWeights;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant model pack}: one file from a run, for prediction. */
@Command(
        name = "pack",
        description = {
            "Pack a run into one file for prediction, which other commands take instead of the run directory.",
            "Weights are stored as int8, a quarter of their size. The packed model is evaluated on dev."
        },
        footer = {
            "",
            "Examples:",
            "  plant model pack runs/mine --output mine.zip",
            "  plant model pack runs/mine --output mine.zip --card card.yaml"
        })
final class ModelPackCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final CommitOption commit = new CommitOption();

    @Parameters(paramLabel = "RUN", description = "Run directory, such as runs/laat@demo.")
    private Path run;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "File to write; its name without .zip is the name of the model.")
    private Path output = Path.of("model.zip");

    @Option(
            names = "--card",
            paramLabel = "FILE",
            description =
                    "YAML file with title, language, code_set, licence, descriptions, data and limits of the card.")
    private Optional<Path> card = Optional.empty();

    @Option(
            names = "--bits",
            paramLabel = "N",
            defaultValue = "" + PackedWeights.BITS,
            description = "Bits of a weight, 4 to 8; fewer make a smaller file (default: ${DEFAULT-VALUE}).")
    private int bits;

    @Option(
            names = "--max-loss",
            paramLabel = "N",
            defaultValue = "0.002",
            description = "Largest loss of dev MAP by packing (default: ${DEFAULT-VALUE}).")
    private double maxLoss;

    @Override
    public Integer call() {
        if (!output.toString().endsWith(PackedModel.EXTENSION)) {
            throw new UserError(
                    "A packed model is a ZIP file", output.toString(), "end its name with " + PackedModel.EXTENSION);
        }
        if (bits < PackedWeights.LEAST_BITS || bits > PackedWeights.BITS) {
            throw new UserError(
                    "Weights cannot be packed with " + bits + " bits",
                    "--bits",
                    "use " + PackedWeights.LEAST_BITS + " to " + PackedWeights.BITS);
        }
        CardText text = card.map(CardText::read).orElse(CardText.NONE);
        OutputFile.createParentDirectory(output);
        ModelCard packed = new ModelPacker(
                        RunArgument.open(run), text, commit.hash(), device.compute(), common.progress())
                .pack(output, bits, maxLoss);
        PackedModel model = PackedModel.of(output);
        common.out().print(CardPage.markdown(model));
        common.out().flush();
        common.info(String.format(Locale.ROOT, "Wrote %s (%.1f MB)", output, model.size() / 1e6)
                + packed.quality()
                        .map(quality -> String.format(
                                Locale.ROOT,
                                ": dev MAP %.4f, before packing %.4f",
                                quality.metrics().getOrDefault("MAP", Double.NaN),
                                quality.mapBeforePacking()))
                        .orElse(""));
        return CommandLine.ExitCode.OK;
    }
}
