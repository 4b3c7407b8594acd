package org.plant4j.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.plant4j.report.ReportTable.Column;

class ReportPageTest {

    private static final String HOSTILE = "<script>alert('\"&\"')</script>";

    private static ReportPage full(String text) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Zeta", text);
        facts.put("Alpha", "0.786");
        return ReportPage.titled(text)
                .lead(text)
                .facts(facts)
                .section(text)
                .paragraphs(text, "second")
                .table(
                        text,
                        ReportTable.of(Column.text(text), Column.number("n", 0)).row(text, 3))
                .notice(text)
                .section("Learning")
                .charts(
                        LineChart.titled(text)
                                .line(text, new double[] {1, 2}, new double[] {0, 1})
                                .toSvg(),
                        BarChart.titled(text, List.of(text)).bars(text, 1).toSvg())
                .section("More")
                .details(text, "<p>folded</p>")
                .html("<p>as it is</p>")
                .provenance(facts);
    }

    @Test
    void pagesAreWellFormedAndSelfContainedForAnyText() {
        String page = full(HOSTILE).toHtml();
        MarkupAssertions.assertBalanced(page);
        MarkupAssertions.assertSelfContained(page);
    }

    @Test
    void factsKeepTheirOrderAndSectionsAreLinked() {
        String page = full("plain").toHtml();
        assertThat(page.indexOf("<dt>Zeta</dt>")).isLessThan(page.indexOf("<dt>Alpha</dt>"));
        assertThat(page)
                .contains("<a href=\"#section-2\">Learning</a>", "<section id=\"section-2\">\n<h2>Learning</h2>")
                .contains("<details><summary>plain</summary>\n<p>folded</p></details>", "<p>as it is</p>");
    }

    @Test
    void equalInputGivesEqualOutput() {
        assertThat(full("a").toHtml()).isEqualTo(full("a").toHtml());
    }

    @Test
    void renderingIsRepeatableAndWorksWithoutSections() {
        ReportPage page = ReportPage.titled("t").paragraphs("one");
        assertThat(page.toHtml()).isEqualTo(page.toHtml()).doesNotContain("<section", "<nav");
        MarkupAssertions.assertBalanced(page.toHtml());
    }

    @Test
    void bothThemesAndPrintAreStyled() {
        assertThat(full("a").toHtml()).contains("prefers-color-scheme: dark", "@media print", "max-width: 40rem");
    }
}
