package org.plant4j.cli.encoder;

import java.util.Locale;
import org.plant4j.cli.terminal.ByteSize;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.EncoderInfo;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;

/** The sizes of an imported encoder, one per row. */
record EncoderTable(EncoderInfo info) {

    EncoderTable(EncoderDirectory directory) {
        this(EncoderInfo.of(directory));
    }

    String toText(boolean colour) {
        BertEncoder.Config sizes = info.config();
        return ReportTable.of(Column.text("encoder"), Column.text("bert"))
                .row("layers", whole(sizes.layers()))
                .row("hidden size", whole(sizes.hidden()))
                .row("attention heads", whole(sizes.heads()))
                .row("intermediate size", whole(sizes.intermediate()))
                .row("maximum window", whole(sizes.maxWindow()))
                .row("vocabulary", whole(info.vocabularySize()))
                .row("special tokens", String.join(" ", info.specialTokens()))
                .row("masked language model head", info.hasLanguageModelHead() ? "yes" : "no")
                .row("parameters", whole(info.parameters()))
                .row("weights", ByteSize.format(info.weightBytes()) + " in " + info.dataType())
                .toText(colour);
    }

    private static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
