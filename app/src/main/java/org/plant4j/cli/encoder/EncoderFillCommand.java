package org.plant4j.cli.encoder;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.pretrain.MaskFiller;
import org.plant4j.pretrain.MaskFiller.MaskPrediction;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant encoder fill}: which pieces an encoder puts in place of a masked word. */
@Command(
        name = "fill",
        description = "Fill masked words of a text: the likeliest pieces, with their probabilities.",
        footer = {
            "",
            "Example:",
            "  plant encoder fill encoders/mbert \"El paciente fue diagnosticado de [MASK] de pulmón\""
        })
public final class EncoderFillCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "ENCODER", description = "The folder of an imported encoder.")
    private Path folder;

    @Parameters(index = "1", paramLabel = "TEXT", description = "With the encoder's mask, [MASK] or <mask>, in it.")
    private String text;

    @Option(names = "--top", paramLabel = "N", description = "Pieces for each mask (default: ${DEFAULT-VALUE}).")
    private int top = 5;

    @Override
    public Integer call() {
        if (top < 1) {
            throw new UserError("There is no piece to show", "--top " + top, "use 1 or more");
        }
        List<List<MaskPrediction>> guesses;
        try (MaskFiller filler = new MaskFiller(new EncoderDirectory(folder), Compute.CPU)) {
            guesses = filler.fill(text, top);
        }
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(guesses));
            return CommandLine.ExitCode.OK;
        }
        ReportTable table =
                ReportTable.of(Column.number("mask", 0), Column.text("piece"), Column.number("probability", 4));
        for (int mask = 0; mask < guesses.size(); mask++) {
            for (MaskPrediction guess : guesses.get(mask)) {
                table = table.row(mask + 1, guess.piece(), guess.probability());
            }
        }
        common.out().print(table.toText(common.color()));
        return CommandLine.ExitCode.OK;
    }
}
