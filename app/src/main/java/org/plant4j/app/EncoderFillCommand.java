package org.plant4j.app;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.eval.Table;
import org.plant4j.eval.Table.Column;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.predict.MaskFiller;
import org.plant4j.predict.MaskFiller.Guess;
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
final class EncoderFillCommand implements Callable<Integer> {

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
        List<List<Guess>> guesses;
        try (MaskFiller filler = new MaskFiller(new EncoderFolder(folder), Compute.CPU)) {
            guesses = filler.fill(text, top);
        }
        if (json.wanted()) {
            common.out().println(JsonOption.text(guesses));
            return CommandLine.ExitCode.OK;
        }
        Table table = Table.of(Column.number("mask", 0), Column.text("piece"), Column.number("probability", 4));
        for (int mask = 0; mask < guesses.size(); mask++) {
            for (Guess guess : guesses.get(mask)) {
                table = table.row(mask + 1, guess.piece(), guess.probability());
            }
        }
        common.out().print(table.toText(common.colour()));
        return CommandLine.ExitCode.OK;
    }
}
