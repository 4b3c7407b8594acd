package org.plant4j.pretrained;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.Band;
import org.plant4j.MetricNames;
import org.plant4j.calibration.Bands;
import org.plant4j.pretrained.CardText.Source;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;

/** Model cards as text: a table of several models, and one Markdown section per model. */
public final class CardPage {

    private static final Pattern GENERATED = Pattern.compile("(?s)(<!-- models -->\n).*(<!-- /models -->)");

    private CardPage() {}

    /** A Markdown page with the table and cards between its two comments {@code models} written again. */
    public static String update(String page, List<PackedModel> models) {
        StringBuilder generated = new StringBuilder("\n").append(table(models).toMarkdown());
        models.forEach(model -> generated.append("\n").append(markdown(model)));
        return GENERATED
                .matcher(page)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1) + generated + "\n" + match.group(2)));
    }

    /** One row per model. */
    public static ReportTable table(List<PackedModel> models) {
        ReportTable table = ReportTable.of(
                Column.text("model"),
                Column.text("documents"),
                Column.text("code set"),
                Column.number("labels", 0),
                Column.percent("dev MAP"),
                Column.number("MB", 1),
                Column.text("licence"));
        for (PackedModel model : models) {
            ModelCard card = model.card();
            table = table.row(
                    card.name(),
                    card.text().language(),
                    card.text().codeSet(),
                    (double) card.sizes().getOrDefault("labels", 0L),
                    card.quality()
                            .map(quality -> quality.metrics().getOrDefault(MetricNames.MAP, Double.NaN))
                            .orElse(Double.NaN),
                    model.size() / 1e6,
                    card.text().licence());
        }
        return table;
    }

    /** The card of a model as a section. */
    public static String markdown(PackedModel model) {
        ModelCard card = model.card();
        StringBuilder page = new StringBuilder("### " + card.name() + "\n\n");
        if (!card.text().title().isEmpty()) {
            page.append(card.text().title()).append("\n\n");
        }
        page.append("| | |\n|---|---|\n");
        row(
                page,
                "Model",
                "`" + card.model() + "`, " + count(card, "labels") + " labels, " + count(card, "tokens") + " tokens");
        row(page, "Trained on", count(card, "train") + " documents");
        card.quality().ifPresent(quality -> addQuality(page, quality));
        card.calibration().ifPresent(calibration -> addCalibration(page, calibration));
        if (!card.text().licence().isEmpty()) {
            row(page, "Licence", card.text().licence());
        }
        row(
                page,
                "Made with",
                "`" + card.provenance().command() + "`" + commit(card) + ", seed "
                        + card.provenance().seed());
        row(page, "SHA-256", "`" + model.checksum() + "`");
        addSources(page, card.text().data());
        addLimits(page, card.text().limits());
        return page.toString();
    }

    private static void row(StringBuilder page, String key, String value) {
        page.append("| ").append(key).append(" | ").append(value).append(" |\n");
    }

    private static String count(ModelCard card, String size) {
        return String.format(Locale.ROOT, "%,d", card.sizes().getOrDefault(size, 0L));
    }

    private static String commit(ModelCard card) {
        return card.provenance()
                .commit()
                .map(hash -> ", commit " + hash.substring(0, Math.min(8, hash.length())))
                .orElse("");
    }

    private static void addQuality(StringBuilder page, ModelCard.Quality quality) {
        StringBuilder metrics = new StringBuilder();
        for (Map.Entry<String, Double> metric : quality.metrics().entrySet()) {
            metrics.append(metrics.isEmpty() ? "" : ", ")
                    .append(metric.getKey())
                    .append(" ")
                    .append(percent(metric.getValue()));
            if (metric.getKey().equals(MetricNames.MAP)) {
                quality.mapInterval()
                        .ifPresent(interval -> metrics.append(" (")
                                .append(percent(interval.low()))
                                .append(" to ")
                                .append(percent(interval.high()))
                                .append(")"));
            }
        }
        row(page, "On " + quality.documents() + " dev documents, in percent", metrics.toString());
        row(page, "MAP before packing", percent(quality.mapBeforePacking()));
    }

    private static void addCalibration(StringBuilder page, ModelCard.CalibrationSummary calibration) {
        StringBuilder bands = new StringBuilder("by " + calibration.method() + "; expected calibration error "
                + percent(calibration.eceAfter()) + " instead of " + percent(calibration.eceBefore()));
        for (Bands.BandMetrics band : calibration.bands()) {
            if (band.band() != Band.HIDDEN && Double.isFinite(band.precision())) {
                bands.append("; band `")
                        .append(band.band().name().toLowerCase(Locale.ROOT))
                        .append("`: precision ")
                        .append(percent(band.precision()))
                        .append(", recall ")
                        .append(percent(band.recall()));
            }
        }
        row(page, "Calibration, in percent", bands.toString());
    }

    private static void addSources(StringBuilder page, List<Source> sources) {
        if (sources.isEmpty()) {
            return;
        }
        page.append("\nData:\n\n");
        for (Source source : sources) {
            page.append("- ")
                    .append(source.name())
                    .append(", ")
                    .append(source.use())
                    .append(". ")
                    .append(source.attribution())
                    .append(" ")
                    .append(source.licence())
                    .append(". <")
                    .append(source.url())
                    .append(">\n");
        }
    }

    private static void addLimits(StringBuilder page, List<String> limits) {
        if (!limits.isEmpty()) {
            page.append("\nLimits:\n\n");
            limits.forEach(limit -> page.append("- ").append(limit).append("\n"));
        }
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f", 100 * fraction);
    }
}
