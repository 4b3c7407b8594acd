package org.plant4j.app;

import java.util.Locale;
import org.plant4j.encoders.EncoderSheet;
import org.plant4j.eval.Table;
import org.plant4j.eval.Table.Column;
import org.plant4j.nn.BertEncoder;
import org.plant4j.nn.EncoderFolder;

/** An imported encoder's sizes, a line each. */
record EncoderTable(EncoderSheet sheet) {

    EncoderTable(EncoderFolder folder) {
        this(EncoderSheet.of(folder));
    }

    String text(boolean colour) {
        BertEncoder.Config sizes = sheet.sizes();
        return Table.of(Column.text("encoder"), Column.text("bert"))
                .row("layers", whole(sizes.layers()))
                .row("numbers a state", whole(sizes.hidden()))
                .row("attention heads", whole(sizes.heads()))
                .row("numbers between", whole(sizes.intermediate()))
                .row("pieces at once, at most", whole(sizes.longest()))
                .row("pieces", whole(sheet.pieces()))
                .row("special pieces", String.join(" ", sheet.special()))
                .row("head for masked words", sheet.hasHead() ? "yes" : "no")
                .row("parameters", whole(sheet.parameters()))
                .row("weights", Sizes.text(sheet.bytes()) + " in " + sheet.type())
                .toText(colour);
    }

    private static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
