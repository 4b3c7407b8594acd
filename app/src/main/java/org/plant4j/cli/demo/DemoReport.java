package org.plant4j.cli.demo;

import java.util.List;
import java.util.Locale;
import org.plant4j.cli.code.SuggestionTable;
import org.plant4j.cli.run.RunResult;
import org.plant4j.cli.run.RunTable;
import org.plant4j.cli.run.TopTokensTable;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.HighlightedText;
import org.plant4j.explain.TopTokens;
import org.plant4j.metric.FrequencyBucket;
import org.plant4j.metric.MetricNames;
import org.plant4j.prediction.Suggestion;
import org.plant4j.report.BarChart;
import org.plant4j.report.Html;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.train.TrainingHistory;

/** The demo's runs, what was planted and what it bought, and one note, on one page. */
public record DemoReport(
        List<RunResult> results,
        DemoFindings findings,
        List<String> comparisons,
        DemoDocument note,
        RunDirectory plant) {

    private static final int WORDS = 10;

    ReportPage page() {
        RunTable table = new RunTable(results);
        ReportPage page = ReportPage.titled("Plant4j demo")
                .lead("Five models code made-up discharge summaries that they have not seen.")
                .section("Comparison")
                .table(table.table())
                .paragraphs(String.join(" ", table.caption()))
                .notice(DemoFindings.CAUTION);
        planted(page);
        page.section("What it bought").paragraphs(String.join(" ", comparisons)).charts(learning(), byFrequency());
        page.section("One note, explained")
                .paragraphs(note.document().id() + ": the deeper a mark, the more the word weighed. " + note.missed());
        Suggestion shown = note.mostInstructive();
        page.html("<h3>" + Html.escape(heading(shown)) + "</h3>\n" + evidence(shown));
        for (Suggestion suggestion : note.suggestions()) {
            if (!suggestion.equals(shown)) {
                page.details(heading(suggestion), evidence(suggestion));
            }
        }
        return page;
    }

    /** The words of the note's right codes, as mutual information and the ranker order them. */
    private void planted(ReportPage page) {
        page.section("What was planted").paragraphs(findings.plantingSummary());
        String shown = note.mostInstructive().code();
        TopTokensTable first = words(shown);
        page.table(first.heading(), first.table()).paragraphs(first.caption());
        note.suggestions().stream()
                .filter(note::isCorrect)
                .map(Suggestion::code)
                .filter(code -> !code.equals(shown))
                .map(this::words)
                .forEach(other -> page.details(other.heading(), other.table().toHtml()));
    }

    private TopTokensTable words(String code) {
        return new TopTokensTable(TopTokens.read(plant, code, WORDS), WORDS);
    }

    private String heading(Suggestion suggestion) {
        return String.format(
                Locale.ROOT,
                "%s %s: %.2f, %s",
                suggestion.code(),
                suggestion.description(),
                suggestion.score(),
                note.isCorrect(suggestion) ? "right" : "wrong");
    }

    private String evidence(Suggestion suggestion) {
        String words = SuggestionTable.evidenceText(suggestion);
        return "<p>" + Html.escape(words) + "</p>\n"
                + new HighlightedText(note.document().text(), suggestion.evidence()).toHtml();
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
