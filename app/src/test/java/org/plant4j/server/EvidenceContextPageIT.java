package org.plant4j.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.review.ReviewQuery;

/** Traits of evidence and texts out of domain on the coding page. The responses of the server are given. */
class EvidenceContextPageIT {

    private static final String NOTE = "Sepsis was considered and excluded. Mother had gout. Gout, history of stroke.";
    private static final String REASON = "Only 2 of 13 words are known.";

    private static TestBrowser browser;
    private static RunningServer server;

    @BeforeAll
    static void open() {
        browser = new TestBrowser();
        server = new RunningServer();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
            browser.close();
        }
    }

    @AfterEach
    void assertNoScriptErrorsOrPolicyViolations() {
        assertThat(browser.errors()).isEmpty();
    }

    private static String evidence(String text, int from, String traits) {
        int start = NOTE.indexOf(text, from);
        return """
                {"document": "note-1", "start": %d, "end": %d, "text": "%s", "weight": 0.4, "traits": [%s]}
                """.formatted(start, start + text.length(), text, traits);
    }

    private static String code(String code, String band, String... evidence) {
        return """
                {"code": "%s", "description": "Description of %s", "score": 0.8, "probability": 0.8, "band": "%s",
                 "predicted": true, "evidence": [%s]}
                """.formatted(code, code, band, String.join(",", evidence));
    }

    /** Sepsis is negated, gout is once about the mother and once not, and the stroke is past. */
    private static String codes(String bandOfGout) {
        return String.join(
                ",",
                code(
                        "M10.9",
                        bandOfGout,
                        evidence("gout", 0, "\"family\""),
                        evidence("Gout", NOTE.indexOf("gout") + 1, "")),
                code("A41.9", "review", evidence("Sepsis", 0, "\"negated\", \"hypothetical\"")),
                code("I63.9", "review", evidence("stroke", 0, "\"historical\"")));
    }

    private static Page coded(String domain, String codes) {
        Page page = browser.open(server.server.address());
        page.route(
                "**/api/code",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(
                                "{\"model\": \"m\", \"version\": \"v\", " + domain + ", \"codes\": [" + codes + "]}")));
        page.locator("#paste").fill(NOTE);
        page.locator("#paste-button").click();
        page.locator("li[data-code]")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
        return page;
    }

    private static Page inDomain() {
        return coded("\"inDomain\": true", codes("suggest"));
    }

    private static Page outOfDomain() {
        return coded("\"inDomain\": false, \"reason\": \"" + REASON + "\"", codes("review"));
    }

    private static Locator row(Page page, String code) {
        return page.locator("li[data-code='" + code + "']");
    }

    @Test
    void aTextOutOfDomainHasABannerAndNothingCanBeAcceptedAtOnce() {
        Page page = outOfDomain();
        assertThat(page.locator("#banner"))
                .hasText("This text does not resemble the documents the model was trained on." + REASON
                        + " Codes are for review only.");
        assertThat(page.locator("#live")).containsText(REASON);
        assertThat(page.locator("#accept-all-button")).isVisible();
        assertThat(page.locator("#accept-all-button")).isDisabled();
        assertThat(page.locator(".band h3")).containsText(new String[] {"Needs review"});
        assertThat(page.locator(".precision")).hasCount(0);
        page.keyboard().press("Shift+A");
        assertThat(page.locator("#live")).containsText("Not available");
        assertThat(page.locator("li[data-state='accepted']")).hasCount(0);
        page.keyboard().press("a");
        assertThat(page.locator("li[data-state='accepted']")).hasCount(1);
    }

    @Test
    void theBannerDisappearsWithTheNextNote() {
        Page page = outOfDomain();
        page.unroute("**/api/code");
        page.keyboard().press("o");
        page.locator("#samples button").first().click();
        assertThat(page.locator("#banner")).isHidden();
    }

    @Test
    void aTextInDomainHasNoBanner() {
        Page page = inDomain();
        assertThat(page.locator("#banner")).isHidden();
        assertThat(page.locator("#accept-all-button")).isEnabled();
        page.keyboard().press("Shift+A");
        assertThat(row(page, "M10.9")).hasAttribute("data-state", "accepted");
        assertThat(row(page, "A41.9")).hasAttribute("data-state", "open");
    }

    @Test
    void onlyACodeWhoseEvidenceIsAllContradictedSaysWhyItNeedsReview() {
        Page page = inDomain();
        assertThat(row(page, "A41.9").locator(".row-tags")).hasText("negated");
        assertThat(row(page, "A41.9").locator(".row-main")).containsText("All evidence is negated.");
        assertThat(row(page, "M10.9").locator(".row-tags")).hasCount(0);
        assertThat(row(page, "I63.9").locator(".row-tags")).hasCount(0);
        row(page, "A41.9").locator(".row-main").click();
        assertThat(page.locator(".contradiction"))
                .hasText("All evidence is negated. Check the note before you accept this code.");
        assertThat(page.locator("#live")).hasText("1 of 1: Sepsis, negated, hypothetical");
        row(page, "I63.9").locator(".row-main").click();
        assertThat(page.locator(".contradiction")).hasCount(0);
    }

    @Test
    void evidenceHasATagPerTrait() {
        Page page = inDomain();
        Locator tags = page.locator(".inspector .evidence .snippet .tag");
        row(page, "A41.9").locator(".row-main").click();
        assertThat(tags).hasText(new String[] {"negated", "hypothetical"});
        row(page, "I63.9").locator(".row-main").click();
        assertThat(tags).hasText(new String[] {"history of"});
        row(page, "M10.9").locator(".row-main").click();
        assertThat(tags).hasText(new String[] {"family history"});
    }

    @Test
    void contradictingEvidenceIsHighlightedDifferentlyAndNotUnderlined() {
        Page page = inDomain();
        row(page, "M10.9").hover();
        assertThat(page.evaluate("[...CSS.highlights.get('evidence-contradicting')].map(String).join()"))
                .isEqualTo("gout");
        assertThat(page.evaluate("[...CSS.highlights.get('evidence-3')].map(String).join()"))
                .isEqualTo("Gout");
        assertThat(page.evaluate("[...CSS.highlights.get('suggested')].map(String).join()"))
                .isEqualTo("Gout");
    }

    @Test
    void onANarrowScreenTheCurrentEvidenceShowsItsTags() {
        Page page = inDomain();
        page.setViewportSize(390, 844);
        row(page, "A41.9").locator(".row-main").click();
        assertThat(page.locator(".evidence-nav .tag").first()).isVisible();
        assertThat(page.locator(".contradiction")).isVisible();
        assertThat(TestBrowser.accessibilityViolations(page, "context")).isEmpty();
    }

    @Test
    void theReviewSaysWhatTheCoderSawAndTheServerRefusesWhatItDidNotSuggest() throws IOException {
        Page page = outOfDomain();
        page.keyboard().press("a");
        JsonNode submitted = new ObjectMapper()
                .readTree(page.waitForRequest("**/api/reviews", () -> {
                            page.keyboard().press("Control+Enter");
                            page.keyboard().press("Enter");
                        })
                        .postData());
        assertThat(submitted.get("reason").asText()).isEqualTo(REASON);
        assertThat(submitted.get("shown").findValuesAsText("code")).containsExactly("M10.9", "A41.9", "I63.9");
        assertThat(submitted.at("/shown/0/traits")).hasToString("[\"family\"]");
        assertThat(submitted.at("/shown/1/traits")).hasToString("[\"negated\",\"hypothetical\"]");
        assertThat(page.locator("#alert")).containsText("another version of the model");
        assertThat(page.locator("#alert button")).hasText("Code again");
        assertThat(server.reviews.list(ReviewQuery.latest(1))).isEmpty();
    }
}
