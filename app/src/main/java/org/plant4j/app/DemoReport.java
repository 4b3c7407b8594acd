package org.plant4j.app;

import java.util.List;
import java.util.Locale;
import org.plant4j.Html;
import org.plant4j.eval.BarChart;
import org.plant4j.eval.Chart;
import org.plant4j.eval.FrequencyBucket;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.ReportPage;
import org.plant4j.explain.Highlight;
import org.plant4j.predict.CodeWords;
import org.plant4j.predict.RunFolder;
import org.plant4j.predict.Suggestion;
import org.plant4j.train.History;

/** The demo's runs, what was planted and what it bought, and one note, on one page. */
record DemoReport(List<RunResult> results, DemoStory story, List<String> bought, DemoNote note, RunFolder plant) {

    private static final int WORDS = 10;

    ReportPage page() {
        RunTable table = new RunTable(results);
        ReportPage page = ReportPage.titled("Plant4j demo")
                .lead("Five models code made-up discharge summaries that they have not seen.")
                .section("Comparison")
                .table(table.table())
                .prose(String.join(" ", table.caption()))
                .remark(DemoStory.CAUTION);
        planted(page);
        page.section("What it bought").prose(String.join(" ", bought)).charts(learning(), byFrequency());
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

    /** The words of the note's right codes, as mutual information and the ranker order them. */
    private void planted(ReportPage page) {
        page.section("What was planted").prose(story.planted());
        String shown = note.instructive().code();
        WordTable first = words(shown);
        page.table(first.heading(), first.table()).prose(first.caption());
        note.suggestions().stream()
                .filter(note::isRight)
                .map(Suggestion::code)
                .filter(code -> !code.equals(shown))
                .map(this::words)
                .forEach(other -> page.details(other.heading(), other.table().toHtml()));
    }

    private WordTable words(String code) {
        return new WordTable(CodeWords.of(plant, code, WORDS), WORDS);
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

    private String learning() {
        Chart chart = Chart.titled("MAP on dev by epoch").x("epoch").y("MAP");
        story.learned()
                .forEach((name, history) -> chart.line(
                        name,
                        history.epochs().stream()
                                .mapToDouble(epoch -> epoch.epoch() + 1)
                                .toArray(),
                        history.epochs().stream()
                                .mapToDouble(History.Epoch::devMetric)
                                .toArray()));
        return chart.toSvg();
    }
}
