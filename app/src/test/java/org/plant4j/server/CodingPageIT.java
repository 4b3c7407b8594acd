package org.plant4j.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewQuery;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.access.AccessTokenStore;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;

/** The coding page in a real browser, with a server and a small model. */
class CodingPageIT {

    private static final ServerSettings SETTINGS =
            new ServerSettings("127.0.0.1", 0, true, new ServerSettings.Limits(200_000, 64, 16, 0, 20));

    /** Number of highlighted evidence spans. */
    private static final String HIGHLIGHTED =
            "['evidence-1', 'evidence-2', 'evidence-3', 'evidence-contradicting', 'evidence-current'].reduce((n, name) => n + CSS.highlights.get(name).size, 0)";

    /** All codes may be collapsed. */
    private static final Locator.WaitForOptions ATTACHED =
            new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED);

    @TempDir
    static Path directory;

    private static TestBrowser browser;
    private static Coder coder;
    private static ReviewStore reviews;
    private static AccessTokenStore tokens;
    private static CodingServer server;

    @BeforeAll
    static void open() {
        browser = new TestBrowser();
        String url = "jdbc:sqlite:" + directory.resolve("reviews.db");
        coder = Coder.load(TinyRun.directory().path());
        tokens = AccessTokenStore.open(url);
        reviews = ReviewStore.open(url, true);
        server = new CodingServer(
                SETTINGS,
                TinyRun.directory(),
                () -> coder,
                reviews,
                tokens,
                TestWorklist.of(TestWorklist.open(), true));
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
            reviews.close();
            tokens.close();
            coder.close();
            browser.close();
        }
    }

    @AfterEach
    void assertNoScriptErrorsOrPolicyViolations() {
        assertThat(browser.errors()).isEmpty();
    }

    private static Page page() {
        return browser.open(server.address());
    }

    /** Opens the first sample, expands all codes and activates the first. */
    private static Page coded() {
        Page page = page();
        page.locator("#samples button").first().click();
        page.locator("li[data-code]").first().waitFor(ATTACHED);
        page.keyboard().press("h");
        return page;
    }

    private static void paste(Page page, String text) {
        page.locator("#paste").fill(text);
        page.locator("#paste-button").click();
        page.locator("li[data-code]").first().waitFor(ATTACHED);
    }

    private static String code(Page page, int row) {
        return page.locator("li[data-code]").nth(row).getAttribute("data-code");
    }

    private static Locator row(Page page, String code) {
        return page.locator("li[data-code='" + code + "']");
    }

    /** Moves to a row with the arrow keys. */
    private static void goToRow(Page page, int row) {
        page.keyboard().press("2");
        while (!code(page, 0).equals(page.locator("li.active").getAttribute("data-code"))) {
            page.keyboard().press("ArrowUp");
        }
        for (int i = 0; i < row; i++) {
            page.keyboard().press("ArrowDown");
        }
    }

    @Test
    void aCoderReviewsASampleAndExportsItWithTheKeyboardOnly() throws IOException {
        Page page = page();
        page.locator("#samples button").first().waitFor();
        for (int i = 0; i < 3; i++) {
            page.keyboard().press("Tab");
        }
        page.keyboard().press("Enter");
        page.locator("li[data-code]").first().waitFor(ATTACHED);
        page.keyboard().press("h");
        String accepted = code(page, 0);
        String rejected = code(page, 1);
        String changed = code(page, 2);
        goToRow(page, 0);
        page.keyboard().press("a");
        goToRow(page, 1);
        page.keyboard().press("r");
        goToRow(page, 2);
        page.keyboard().press("c");
        page.keyboard().type("B20");
        assertThat(page.locator(".option .code").first()).hasText("B20");
        page.keyboard().press("Enter");
        page.keyboard().press("/");
        page.keyboard().type("tuberculosis of lung");
        assertThat(page.locator(".option .code").first()).hasText("A15.0");
        page.keyboard().press("Enter");
        assertThat(row(page, "A15.0")).hasAttribute("data-state", "added");
        assertThat(row(page, changed)).hasAttribute("data-state", "changed");
        page.keyboard().press("u");
        assertThat(row(page, "A15.0")).hasCount(0);
        page.keyboard().press("Shift+U");
        assertThat(row(page, "A15.0")).hasCount(1);

        page.keyboard().press("Control+Enter");
        page.keyboard().press("Enter");
        assertThat(page.locator("#save-status")).containsText("Saved");
        Review review = reviews.list(ReviewQuery.latest(1)).get(0).review();
        assertThat(review.shown()).hasSizeGreaterThan(20);
        assertThat(review.decisions())
                .extracting(Review.Decision::code, Review.Decision::decision, Review.Decision::from)
                .containsExactlyInAnyOrder(
                        tuple(accepted, Review.Verdict.ACCEPTED, Optional.empty()),
                        tuple(rejected, Review.Verdict.REJECTED, Optional.empty()),
                        tuple("B20", Review.Verdict.CHANGED, Optional.of(changed)),
                        tuple("A15.0", Review.Verdict.ADDED, Optional.empty()));

        page.keyboard().press("e");
        Download codes = page.waitForDownload(() -> page.keyboard().press("Enter"));
        assertThat(Files.readString(codes.path(), StandardCharsets.UTF_8))
                .startsWith("code,description,decision,from,present_on_admission\n" + accepted + ",")
                .contains("\nB20,")
                .contains(",changed," + changed + ",\n")
                .contains("\nA15.0,Tuberculosis of lung,added,")
                .doesNotContain(rejected);
        page.keyboard().press("e");
        page.keyboard().press("ArrowUp");
        Download corpus = page.waitForDownload(() -> page.keyboard().press("Enter"));
        String lines = ReviewsIT.unzip(Files.readAllBytes(corpus.path()))
                .getOrDefault("reviews.jsonl", "")
                .strip();
        JsonNode document = new ObjectMapper().readTree(lines.substring(lines.lastIndexOf('\n') + 1));
        assertThat(document.get("codes"))
                .extracting(JsonNode::asText)
                .containsExactlyInAnyOrder(accepted, "B20", "A15.0");
        assertThat(document.get("text").asText()).contains("Discharge");
        page.reload();
        assertThat(page.locator("#save-status")).containsText("Saved");
        assertThat(page.locator("#submit-button")).isDisabled();
    }

    @Test
    void hoveringACodeHighlightsItsEvidenceWithoutChangingTheDom() {
        Page page = coded();
        page.evaluate("window.changes = 0; new MutationObserver((all) => { window.changes += all.length; })"
                + ".observe(document.getElementById('note'), {subtree: true, childList: true, characterData: true})");
        String second = code(page, 1);
        row(page, second).hover();
        page.waitForFunction(HIGHLIGHTED + " > 0");
        row(page, second).locator(".row-main").click();
        page.waitForFunction("CSS.highlights.get('evidence-current').size === 1");
        String highlighted = (String) page.evaluate("String([...CSS.highlights.get('evidence-current')][0])");
        assertThat(page.locator(".evidence [aria-current] mark")).hasText(highlighted.replaceAll("\\s+", " "));
        page.keyboard().press("n");
        assertThat(page.evaluate("window.changes")).isEqualTo(0);
    }

    @Test
    void selectedWordsShowTheirCodes() {
        Page page = coded();
        String first = code(page, 0);
        row(page, first).locator(".row-main").click();
        page.waitForFunction("CSS.highlights.get('evidence-current').size === 1");
        page.evaluate(
                "(() => { const range = [...CSS.highlights.get('evidence-current')][0];"
                        + " getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset); })()");
        assertThat(page.locator("#selection-card")).isVisible();
        assertThat(page.locator("#selection-card li .code")
                        .filter(new Locator.FilterOptions().setHasText(first))
                        .first())
                .isVisible();
        page.keyboard().press("m");
        assertThat(row(page, first)).hasAttribute("data-state", "accepted");
        assertThat(page.evaluate("CSS.highlights.get('marked').size")).isEqualTo(1);
    }

    @Test
    void aReloadRestoresTheDraft() {
        Page page = page();
        paste(page, "Admitted with heart failure and essential hypertension. Treated with furosemide.");
        page.keyboard().press("h");
        String first = code(page, 0);
        row(page, first).locator(".accept").click();
        page.reload();
        assertThat(row(page, first)).hasAttribute("data-state", "accepted");
        assertThat(page.locator(".note-text")).containsText("essential hypertension");
    }

    @Test
    void markupInANoteIsShownAsText() {
        Page page = page();
        page.onDialog(dialog -> {
            throw new AssertionError("a note ran as a script");
        });
        paste(page, "<img src=x onerror=alert(1)> <script>alert(2)</script> gout &amp; hypertension");
        assertThat(page.locator(".note-text")).containsText("<script>alert(2)</script> gout &amp;");
        assertThat(page.locator(".note-text img, .note-text script")).hasCount(0);
    }

    @Test
    void retriesWhenTheServerIsBusy() {
        Page page = page();
        page.locator("#samples button").first().waitFor();
        page.route(
                "**/api/code",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setStatus(429)
                        .setHeaders(Map.of("Retry-After", "1"))
                        .setBody("{}")),
                new Page.RouteOptions().setTimes(1));
        page.locator("#samples button").first().click();
        assertThat(page.locator("#alert")).containsText("The server is busy");
        page.locator("li[data-code]").first().waitFor(ATTACHED);
        assertThat(page.locator("#alert")).isHidden();
    }

    @Test
    void asksForATokenAndUsesIt() {
        InMemoryAccessTokenStore lockedTokens = new InMemoryAccessTokenStore();
        String secret = lockedTokens.create("ada", Role.CODER);
        try (RunningServer locked = new RunningServer(SETTINGS, lockedTokens)) {
            Page page = browser.open(locked.server.address());
            page.locator("#token").fill("wrong");
            page.keyboard().press("Enter");
            assertThat(page.locator("#signin .error-message")).isVisible();
            page.locator("#token").fill(secret);
            page.keyboard().press("Enter");
            page.locator("#samples button").first().click();
            page.locator("li[data-code]").first().waitFor(ATTACHED);
            assertThat(page.locator("#signout-button")).isVisible();
            page.context().close();
        }
    }

    @Test
    void highlightsALongNoteQuickly() {
        Page page = page();
        String line = "Known hypertension and gout, on allopurinol; heart failure treated with furosemide.\n";
        paste(page, line.repeat(100_000 / line.length()));
        page.keyboard().press("h");
        Object milliseconds =
                page.evaluate("(() => { const rows = [...document.querySelectorAll('li[data-code]')].slice(0, 20);"
                        + " const start = performance.now();"
                        + " rows.forEach((row) => row.dispatchEvent(new PointerEvent('pointerover', {bubbles: true})));"
                        + " return (performance.now() - start) / rows.length; })()");
        assertThat(((Number) milliseconds).doubleValue())
                .as("milliseconds a hover")
                .isLessThan(100);
    }

    @Test
    void codesSeveralFilesTogether() throws IOException {
        Page page = page();
        Path admission = Files.writeString(directory.resolve("admission.txt"), "Essential hypertension.\r\nGout.");
        Path echo = Files.writeString(directory.resolve("echo.txt"), "Heart failure, furosemide.");
        page.locator("#file").setInputFiles(new Path[] {admission, echo});
        assertThat(page.locator(".note-head h3")).hasText(new String[] {"admission.txt", "echo.txt"});
        page.locator("li[data-code]").first().waitFor(ATTACHED);
        page.locator(".note-head button").first().click();
        assertThat(page.locator(".note-head h3")).hasText(new String[] {"echo.txt"});
    }

    @Test
    void theModelPageShowsMetricsAndCodeDetails() {
        Page page = browser.open(server.address() + "model");
        assertThat(page.locator("#name")).hasText("linear@demo");
        assertThat(page.locator("#metrics tbody th").first()).hasText("micro-F1");
        assertThat(page.locator("#bands tbody tr").first()).containsText("Suggested");
        page.locator("#code-input").fill("essential hypertension");
        assertThat(page.locator("#code-options .option").first()).containsText("I10");
        page.keyboard().press("Enter");
        assertThat(page.locator(".entry h3")).hasText("Essential (primary) hypertension");
        assertThat(TestBrowser.accessibilityViolations(page, "model")).isEmpty();
        page.evaluate("document.documentElement.removeAttribute('lang')");
        assertThat(TestBrowser.accessibilityViolations(page, "model-without-language"))
                .hasSize(4)
                .allMatch(each -> each.contains("html-has-lang"));
    }

    @Test
    void helpListsTheShortcuts() {
        Page page = coded();
        assertThat(TestBrowser.accessibilityViolations(page, "coding")).isEmpty();
        page.keyboard().press("?");
        assertThat(TestBrowser.accessibilityViolations(page, "help")).isEmpty();
        List<String> keys = page.locator("#keys dd").allTextContents();
        assertThat(keys).contains("Accept and go to next", "Undo", "Submit review");
        page.keyboard().press("Escape");
        assertThat(page.locator("#help")).isHidden();
    }
}
