package org.plant4j.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.plant4j.report.ReportTable.Cell;
import org.plant4j.report.ReportTable.Column;

class ReportTableTest {

    private static final ReportTable MODELS = ReportTable.of(
                    Column.text("Model"), Column.highest("MAP", 3), Column.lowest("Loss", 2), Column.number("Size", 0))
            .row("linear", Cell.of(0.636, 0.61, 0.66), 0.2, 1_234_567)
            .row("LAAT", 0.7551, 0.1, 12);

    @Test
    void textIsAlignedAndTheBestValueIsStarred() {
        assertThat(MODELS.toText()).isEqualTo("""
                Model                    MAP   Loss       Size
                ──────────────────────────────────────────────
                linear  0.636  [0.610–0.660]  0.20   1,234,567
                LAAT                  0.755*  0.10*         12
                """);
    }

    @Test
    void boldTextStaysAligned() {
        assertThat(MODELS.toText(true)).isEqualTo("""
                Model                   MAP  Loss       Size
                ────────────────────────────────────────────
                linear  0.636 [0.610–0.660]  0.20  1,234,567
                LAAT                  \u001b[1m0.755\u001b[0m  \u001b[1m0.10\u001b[0m         12
                """);
    }

    @Test
    void htmlAlignsNumbersAndShowsIntervalsSmall() {
        String html = MODELS.toHtml();
        MarkupAssertions.assertBalanced(html);
        assertThat(html)
                .contains("<th scope=\"col\">Model</th>", "<th scope=\"col\" class=\"number\">MAP</th>")
                .contains("<td class=\"number\">0.636 <small>0.610–0.660</small></td>")
                .contains("<td class=\"number\"><strong>0.755</strong></td>")
                .contains("<td class=\"number\">1,234,567</td>");
    }

    @Test
    void markdownHighlightsTheBestValueAndEscapesPipes() {
        ReportTable table = ReportTable.of(Column.text("a|b"), Column.highest("F1", 2))
                .row("x|y\n<i>", 0.5)
                .row("z", 0.25);
        assertThat(table.toMarkdown())
                .isEqualTo("| a\\|b | F1 |\n|---|---:|\n| x\\|y &lt;i> | **0.50** |\n| z | 0.25 |\n");
    }

    @Test
    void equallyFormattedValuesAreEquallyBestAndNaNIsNever() {
        ReportTable table = ReportTable.of(Column.highest("F1", 2))
                .row(0.7512)
                .row(0.7508)
                .row(Double.NaN)
                .row(0.1);
        assertThat(table.toMarkdown()).isEqualTo("| F1 |\n|---:|\n| **0.75** |\n| **0.75** |\n| – |\n| 0.10 |\n");
    }

    @Test
    void equalValuesAreNotHighlighted() {
        assertThat(ReportTable.of(Column.highest("F1", 2)).row(0.5).row(0.5).toMarkdown())
                .doesNotContain("*");
        assertThat(ReportTable.of(Column.highest("F1", 2)).row(0.5).toMarkdown())
                .doesNotContain("*");
    }

    @Test
    void untrustedTextIsEscaped() {
        ReportTable table = ReportTable.of(Column.text("<h>"))
                .row("<script>alert(1)</script>")
                .row("\u001b[31mred");
        assertThat(table.toHtml()).contains("&lt;h&gt;", "&lt;script&gt;").doesNotContain("<script");
        assertThat(table.toText()).doesNotContain("\u001b");
    }

    @Test
    void wideCharactersStayAligned() {
        assertThat(ReportTable.of(Column.text("Name"), Column.number("n", 0))
                        .row("心臓 x", 1)
                        .row("a", 2)
                        .toText())
                .isEqualTo("Name    n\n─────────\n心臓 x  1\na       2\n");
    }

    @Test
    void fractionsAreShownInPercent() {
        ReportTable table = ReportTable.of(Column.highestPercent("MAP"))
                .row(Cell.of(0.63604, 0.61, 0.66))
                .row(0.5);
        assertThat(table.toMarkdown()).isEqualTo("| MAP |\n|---:|\n| **63.60** (61.00–66.00) |\n| 50.00 |\n");
    }

    @Test
    void anEmptyTableHasAHeader() {
        assertThat(ReportTable.of(Column.text("Code"), Column.number("n", 0)).toText())
                .isEqualTo("Code  n\n───────\n");
        assertThat(ReportTable.of().toText()).isEqualTo("\n\n");
    }

    @Test
    void aRowOfTheWrongLengthIsRejected() {
        assertThatThrownBy(() -> ReportTable.of(Column.text("a")).row("x", "y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cells: 2 (expected: 1)");
    }
}
