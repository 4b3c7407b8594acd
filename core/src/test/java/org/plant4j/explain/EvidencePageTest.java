package org.plant4j.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.Band;
import org.plant4j.CodingResult;
import org.plant4j.DomainCheck;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Suggestion;
import org.plant4j.Trait;
import org.plant4j.report.MarkupAssertions;

class EvidencePageTest {

    private static final String TEXT =
            "Admitted 😀 with heart failure.\r\n<script>alert('x')</script> \"quoted\" & done\r\n";

    /** The score is half the probability. */
    private static Suggestion suggestion(String code, String description, double probability, Evidence... evidence) {
        return new Suggestion(code, description, probability / 2, probability, Band.REVIEW, false, List.of(evidence));
    }

    private static CodingResult result(Suggestion... suggestions) {
        return new CodingResult(DomainCheck.IN_DOMAIN, List.of(suggestions));
    }

    private static EvidencePage page(String description) {
        Evidence heart = new Evidence(new Span(17, 30), "heart failure", 0.41);
        Evidence script = new Evidence(new Span(33, 41), "<script>", 0.2);
        return EvidencePage.ofDocument(
                "Document <7>",
                TEXT,
                result(suggestion("I50.9", description, 0.943, heart, script), suggestion("Z79.4", "Insulin", 0.12)),
                true);
    }

    @Test
    void pagesAreWellFormedAndSelfContainedForAnyText() {
        String html = page("<img src=x onerror=alert(1)>").toHtml();
        MarkupAssertions.assertBalanced(html);
        MarkupAssertions.assertSelfContained(html);
        assertThat(html).contains("&lt;img ").doesNotContain("<img", "<script");
    }

    @Test
    void everyCodeHasASectionWithProbabilityEvidenceAndDocument() {
        String html = page("Heart failure").toHtml();
        assertThat(html)
                .contains("<a href=\"#code-0\"><code>I50.9</code> Heart failure</a>", "width:94.3%")
                .contains(
                        "<section id=\"code-0\">",
                        "Probability 94.3 %",
                        ">heart failure</mark>.",
                        "<small>41.0 %</small>")
                .contains("<section id=\"code-1\">", "No evidence found for this code.");
        assertThat(html.split("<div class=\"document\"", -1))
                .as("one highlighted document per code")
                .hasSize(3);
    }

    @Test
    void withoutCalibrationThePageShowsScoresAndDoesNotCallThemProbabilities() {
        String html = EvidencePage.ofDocument("t", TEXT, result(suggestion("I50.9", "", 0.9)), false)
                .toHtml();
        assertThat(html).contains("Score 45.0 %", "width:45.0%").doesNotContain("Probability");
    }

    @Test
    void quotesStayOnTheirLineAndKeepWholeWords() {
        String far = "word ".repeat(30) + "cardiac arrest" + " tail".repeat(30) + "\nnext";
        int start = far.indexOf("cardiac");
        String html = EvidencePage.ofDocument(
                        "t",
                        far,
                        result(suggestion(
                                "I46.9", "d", 0.5, new Evidence(new Span(start, start + 14), "cardiac arrest", 1))),
                        true)
                .toHtml();
        String quote = html.substring(
                html.indexOf("<ol class=\"evidence\">"),
                html.indexOf("</ol>", html.indexOf("<ol class=\"evidence\">")));
        assertThat(quote).contains("<li>… word word", "tail … <small>").doesNotContain("next");
        assertThat(page("d").toHtml()).contains("<li>Admitted 😀 with <mark");
    }

    @Test
    void showsTraitsAndWhetherTheTextIsOutOfDomain() {
        Evidence negated = new Evidence(new Span(17, 30), "heart failure", 0.4).withTraits(Set.of(Trait.NEGATED));
        Evidence past = new Evidence(new Span(0, 8), "Admitted", 0.2).withTraits(Set.of(Trait.HISTORICAL));
        CodingResult result = new CodingResult(
                DomainCheck.outOfDomain("It is <short>."), List.of(suggestion("I50.9", "", 0.9, negated, past)));
        String html = EvidencePage.ofDocument("t", TEXT, result, true).toHtml();
        MarkupAssertions.assertBalanced(html);
        assertThat(html)
                .contains("trained on. It is &lt;short&gt;. Codes are for review only.</p>")
                .contains("<small>40.0 %</small> <span class=\"tag\">negated</span></li>")
                .contains("<span class=\"tag\">history of</span>")
                .doesNotContain("All evidence is negated");
        String contradicted = EvidencePage.ofDocument("t", TEXT, result(suggestion("I50.9", "", 0.9, negated)), true)
                .toHtml();
        assertThat(contradicted)
                .contains("All evidence is negated or about relatives.")
                .doesNotContain("resemble");
    }

    @Test
    void entriesHaveTheirOwnTextsAndCaptions() {
        Evidence gout = new Evidence(new Span(0, 4), "Gout", 1);
        String html = EvidencePage.ofEntries(
                        "t",
                        List.of(
                                new EvidencePage.Entry("one · correct", "Gout.", suggestion("M10.9", "", 0.5, gout)),
                                new EvidencePage.Entry("two · <wrong>", "Sepsis.", suggestion("A41.9", "", 0.25))),
                        true)
                .toHtml();
        MarkupAssertions.assertBalanced(html);
        assertThat(html)
                .contains(
                        "<p>one · correct · Probability 50.0 %</p>", "<p>two · &lt;wrong&gt; · Probability 25.0 %</p>")
                .contains("2 codes. Darker", "Sepsis.</div>")
                .doesNotContain("most probable first");
    }

    @Test
    void equalInputGivesEqualOutput() {
        assertThat(page("a").toHtml()).isEqualTo(page("a").toHtml());
    }
}
