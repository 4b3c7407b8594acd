package org.plant4j.pipeline.evaluation;

import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.ErrorAnalysis;
import org.plant4j.metric.Predictions;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.text.LabelIndex;

/** The sections of a run's report about errors: why codes were missed, labels one by one, and the worst documents. */
public final class ErrorReport {

    private static final int MAX_LABELS = 500;
    private static final int MAX_DOCUMENTS = 25;
    private static final int MAX_CODES = 12;

    private final String split;
    private final ErrorAnalysis errors;
    private final CodeSet codeSet;

    private ErrorReport(String split, ErrorAnalysis errors, CodeSet codeSet) {
        this.split = split;
        this.errors = errors;
        this.codeSet = codeSet;
    }

    /** The errors of a run on a split, from its stored predictions. */
    public static ErrorReport of(RunDirectory run, String split) {
        return of(run, split, Predictions.read(run.predictions(split)));
    }

    public static ErrorReport of(RunDirectory run, String split, Predictions predictions) {
        LabelIndex labels = LabelIndex.read(run.labels());
        ToIntFunction<String> training = code ->
                labels.id(code).stream().map(labels::frequency).findFirst().orElse(0);
        return new ErrorReport(split, ErrorAnalysis.of(predictions, training), CodeSet.read(run.codeSet()));
    }

    /** One sentence on codes that no model can predict. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%,d of %,d %s codes never occur in training.",
                errors.unseenCodes(),
                errors.goldCodes(),
                split);
    }

    public void addTo(ReportPage page) {
        page.section("Errors")
                .paragraphs(summary())
                .table("Gold codes of " + split + " that were not predicted, by cause", causes())
                .table("Documents with the lowest average precision", worstDocuments())
                .details("Labels, those with most " + split + " documents first", labels().toHtml());
    }

    public ReportTable causes() {
        ReportTable table = ReportTable.of(
                Column.text("missed codes"), Column.number("number", 0), Column.percent("of all gold codes"));
        for (ErrorAnalysis.Cause cause : ErrorAnalysis.Cause.values()) {
            int count = errors.missed().getOrDefault(cause, 0);
            table = table.row(cause.description(), count, count / (double) Math.max(1, errors.goldPairs()));
        }
        return table;
    }

    public ReportTable worstDocuments() {
        ReportTable table = ReportTable.of(
                Column.text("document"),
                Column.number("codes", 0),
                Column.percent("AP"),
                Column.text("missed"),
                Column.text("wrong"));
        for (ErrorAnalysis.DocumentErrors document : errors.documents()
                .subList(0, Math.min(MAX_DOCUMENTS, errors.documents().size()))) {
            table = table.row(
                    document.id(),
                    document.gold(),
                    document.averagePrecision(),
                    shorten(document.missed()),
                    shorten(document.wrong()));
        }
        return table;
    }

    private static String shorten(List<String> codes) {
        String listed = String.join(", ", codes.subList(0, Math.min(MAX_CODES, codes.size())));
        return codes.size() > MAX_CODES ? listed + " … (" + codes.size() + ")" : listed;
    }

    public ReportTable labels() {
        ReportTable table = ReportTable.of(
                Column.text("code"),
                Column.text("description"),
                Column.number("training", 0),
                Column.number("gold", 0),
                Column.number("predicted", 0),
                Column.percent("precision"),
                Column.percent("recall"),
                Column.percent("F1"));
        for (ErrorAnalysis.LabelErrors label :
                errors.labels().subList(0, Math.min(MAX_LABELS, errors.labels().size()))) {
            table = table.row(
                    label.code(),
                    codeSet.describe(label.code()).orElse(""),
                    label.training(),
                    label.gold(),
                    label.predicted(),
                    label.precision(),
                    label.recall(),
                    label.f1());
        }
        return table;
    }
}
