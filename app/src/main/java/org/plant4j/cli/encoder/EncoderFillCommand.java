package org.plant4j.cli.encoder;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.pretrain.MaskFiller;
import org.plant4j.pretrain.MaskFiller.MaskPrediction;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.tensor.Compute;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant encoder fill}: predicts masked tokens. */
@Command(
        name = "fill",
        description = "Predict the masked tokens of a text.",
        footer = {"", "Example:", "  plant encoder fill encoders/mbert \"Diagnosticado de [MASK] de pulmón.\""})
final class EncoderFillCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "ENCODER", description = "Directory of an imported encoder.")
    private Path directory;

    @Parameters(index = "1", paramLabel = "TEXT", description = "Text with at least one mask token, [MASK] or <mask>.")
    private String text;

    @Option(names = "--top", paramLabel = "N", description = "Number of tokens per mask (default: ${DEFAULT-VALUE}).")
    private int top = 5;

    @Override
    public Integer call() {
        OptionCheck.atLeast(1, "--top", top);
        List<List<MaskPrediction>> predictions;
        try (MaskFiller filler = new MaskFiller(new EncoderDirectory(directory), Compute.CPU)) {
            predictions = filler.fill(text, top);
        }
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(predictions));
            return CommandLine.ExitCode.OK;
        }
        ReportTable table =
                ReportTable.of(Column.number("mask", 0), Column.text("token"), Column.number("probability", 4));
        for (int mask = 0; mask < predictions.size(); mask++) {
            for (MaskPrediction prediction : predictions.get(mask)) {
                table = table.row(mask + 1, prediction.token(), prediction.probability());
            }
        }
        common.out().print(table.toText(common.color()));
        return CommandLine.ExitCode.OK;
    }
}
