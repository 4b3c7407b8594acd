package org.plant4j.app;

import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import org.plant4j.Html;
import org.plant4j.eval.BarChart;
import org.plant4j.eval.Chart;
import org.plant4j.eval.FrequencyBucket;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.ReportPage;
import org.plant4j.explain.Highlight;
import org.plant4j.predict.RunFolder;
import org.plant4j.predict.Suggestion;
import org.plant4j.train.History;

/** The demo's three runs and its note on one page. */
record DemoReport(List<RunResult> results, String verdict, DemoNote note, RunFolder laat) {

    ReportPage page() {
        RunTable table = new RunTable(results);
        ReportPage page = ReportPage.titled("Plant4j demo")
                .lead("Three models code made-up discharge summaries that they have not seen.")
                .section("Comparison")
                .table(table.table())
                .prose(String.join(" ", table.caption()))
                .remark(verdict)
                .section("Frequent and rare codes")
                .prose("Most codes are rare, and rare codes are the hard ones: a model must be judged by them too.")
                .charts(byFrequency());
        if (Files.exists(laat.history())) {
            page.section("How LAAT learned").charts(learning(laat.read(laat.history(), History.class)));
        }
        page.section("One note, explained")
                .prose(note.document().id() + ": the deeper a mark, the more the word weighed. " + note.missed());
        Suggestion shown = note.instructive();
        page.html("<h3>" + Html.escape(heading(shown)) + "</h3>\n" + evidence(shown));
        for (Suggestion suggestion : note.suggestions()) {
            if (!suggestion.equals(shown)) {
                page.details(heading(suggestion), evidence(suggestion));
            }
        }
        return page;
    }

    private String heading(Suggestion suggestion) {
        return String.format(
                Locale.ROOT,
                "%s %s: %.2f, %s",
                suggestion.code(),
                suggestion.description(),
                suggestion.score(),
                note.isRight(suggestion) ? "right" : "wrong");
    }

    private String evidence(Suggestion suggestion) {
        String words = new SuggestionTable(note.document().text(), List.of(suggestion)).evidence(suggestion);
        return "<p>" + Html.escape(words) + "</p>\n"
                + new Highlight(note.document().text(), suggestion.evidence()).toHtml();
    }

    private String byFrequency() {
        List<FrequencyBucket> buckets = results.get(0).evaluation().buckets().stream()
                .filter(bucket -> bucket.metrics().getOrDefault(Metrics.GOLD_LABELS, 0.0) > 0)
                .toList();
        BarChart chart = BarChart.titled(
                        "micro-F1 by code frequency",
                        buckets.stream().map(FrequencyBucket::name).toList())
                .x("training documents with the code")
                .y("micro-F1");
        for (RunResult result : results) {
            chart.bars(
                    result.run(),
                    buckets.stream().mapToDouble(bucket -> f1(result, bucket)).toArray());
        }
        return chart.toSvg();
    }

    private static double f1(RunResult result, FrequencyBucket wanted) {
        return result.evaluation().buckets().stream()
                .filter(bucket -> bucket.name().equals(wanted.name()))
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(Metrics.MICRO_F1, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    private static String[] learning(History history) {
        double[] epochs = history.epochs().stream()
                .mapToDouble(epoch -> epoch.epoch() + 1)
                .toArray();
        return new String[] {
            Chart.titled("Loss by epoch")
                    .x("epoch")
                    .y("loss a document")
                    .line(
                            "train",
                            epochs,
                            history.epochs().stream()
                                    .mapToDouble(History.Epoch::trainLoss)
                                    .toArray())
                    .line(
                            "dev",
                            epochs,
                            history.epochs().stream()
                                    .mapToDouble(History.Epoch::devLoss)
                                    .toArray())
                    .toSvg(),
            Chart.titled("MAP on dev by epoch")
                    .x("epoch")
                    .y("MAP")
                    .line(
                            "dev",
                            epochs,
                            history.epochs().stream()
                                    .mapToDouble(History.Epoch::devMetric)
                                    .toArray())
                    .toSvg()
        };
    }
}
