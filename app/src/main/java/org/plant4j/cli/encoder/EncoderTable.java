package org.plant4j.cli.encoder;

import java.util.Locale;
import org.plant4j.cli.terminal.ByteSize;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.EncoderInfo;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;

/** An imported encoder's sizes, a line each. */
public record EncoderTable(EncoderInfo sheet) {

    EncoderTable(EncoderDirectory folder) {
        this(EncoderInfo.of(folder));
    }

    String toText(boolean colour) {
        BertEncoder.Config sizes = sheet.config();
        return ReportTable.of(Column.text("encoder"), Column.text("bert"))
                .row("layers", whole(sizes.layers()))
                .row("numbers a state", whole(sizes.hidden()))
                .row("attention heads", whole(sizes.heads()))
                .row("numbers between", whole(sizes.intermediate()))
                .row("pieces at once, at most", whole(sizes.maxWindow()))
                .row("pieces", whole(sheet.vocabularySize()))
                .row("special pieces", String.join(" ", sheet.specialTokens()))
                .row("head for masked words", sheet.hasLanguageModelHead() ? "yes" : "no")
                .row("parameters", whole(sheet.parameters()))
                .row("weights", ByteSize.format(sheet.weightBytes()) + " in " + sheet.dataType())
                .toText(colour);
    }

    private static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
