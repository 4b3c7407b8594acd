package org.plant4j.cli.demo;

import java.util.List;
import java.util.Locale;
import org.plant4j.FrequencyBucket;
import org.plant4j.MetricNames;
import org.plant4j.Suggestion;
import org.plant4j.cli.code.SuggestionTable;
import org.plant4j.cli.run.RunResult;
import org.plant4j.cli.run.RunTable;
import org.plant4j.cli.run.TopTokensTable;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.TopTokens;
import org.plant4j.explain.HighlightedText;
import org.plant4j.report.BarChart;
import org.plant4j.report.Html;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.train.TrainingHistory;

/** The HTML report of the demo: comparison, planted tokens, and one explained document. */
record DemoReport(
        List<RunResult> results,
        DemoFindings findings,
        List<String> comparisons,
        DemoDocument example,
        RunDirectory plant) {

    private static final int TOKENS = 10;

    ReportPage page() {
        RunTable table = new RunTable(results);
        ReportPage page = ReportPage.titled("Plant4j demo")
                .lead("Five models on generated discharge summaries; metrics on test documents.")
                .section("Comparison")
                .table(table.table())
                .paragraphs(String.join(" ", table.caption()))
                .notice(DemoFindings.CAUTION);
        plantedTokens(page);
        page.section("PLANT and the other models")
                .paragraphs(String.join(" ", comparisons))
                .charts(learning(), byFrequency());
        page.section("An explained document")
                .paragraphs(example.document().id() + ": darker highlights have more weight. " + example.missed());
        Suggestion shown = example.mostInstructive();
        page.html("<h3>" + Html.escape(heading(shown)) + "</h3>\n" + evidence(shown));
        for (Suggestion suggestion : example.suggestions()) {
            if (!suggestion.equals(shown)) {
                page.details(heading(suggestion), evidence(suggestion));
            }
        }
        return page;
    }

    /** The top tokens of the correct codes, by mutual information and by the ranker. */
    private void plantedTokens(ReportPage page) {
        page.section("Planted tokens").paragraphs(findings.plantingSummary());
        String shown = example.mostInstructive().code();
        TopTokensTable first = topTokens(shown);
        page.table(first.heading(), first.table()).paragraphs(first.caption());
        example.suggestions().stream()
                .filter(example::isCorrect)
                .map(Suggestion::code)
                .filter(code -> !code.equals(shown))
                .map(this::topTokens)
                .forEach(other -> page.details(other.heading(), other.table().toHtml()));
    }

    private TopTokensTable topTokens(String code) {
        return new TopTokensTable(TopTokens.read(plant, code, TOKENS), TOKENS);
    }

    private String heading(Suggestion suggestion) {
        return String.format(
                Locale.ROOT,
                "%s %s: %.2f, %s",
                suggestion.code(),
                suggestion.description(),
                suggestion.score(),
                example.isCorrect(suggestion) ? "correct" : "wrong");
    }

    private String evidence(Suggestion suggestion) {
        String evidence = SuggestionTable.evidenceText(suggestion);
        return "<p>" + Html.escape(evidence) + "</p>\n"
                + new HighlightedText(example.document().text(), suggestion.evidence()).toHtml();
    }

    private String byFrequency() {
        List<FrequencyBucket> buckets = results.get(0).evaluation().buckets().stream()
                .filter(bucket -> bucket.metrics().getOrDefault(MetricNames.GOLD_LABELS, 0.0) > 0)
                .toList();
        BarChart chart = BarChart.titled(
                        "micro-F1 by code frequency",
                        buckets.stream().map(FrequencyBucket::name).toList())
                .xLabel("training documents with the code")
                .yLabel("micro-F1");
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
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(MetricNames.MICRO_F1, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    private String learning() {
        LineChart chart =
                LineChart.titled("MAP on dev by epoch").xLabel("epoch").yLabel("MAP");
        findings.histories()
                .forEach((name, history) -> chart.line(
                        name,
                        history.epochs().stream()
                                .mapToDouble(epoch -> epoch.epoch() + 1)
                                .toArray(),
                        history.epochs().stream()
                                .mapToDouble(TrainingHistory.Epoch::devMetric)
                                .toArray()));
        return chart.toSvg();
    }
}
