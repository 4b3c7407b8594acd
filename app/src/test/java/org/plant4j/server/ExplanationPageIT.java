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
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Explanations on the coding page. */
class ExplanationPageIT {

    private static final String NOTE = "Patient seen today with wheezing breath.";

    @TempDir
    static Path directory;

    private static TestBrowser browser;
    private static ExplainableRuns runs;

    /** Bodies of the page's explanation requests. */
    private final List<String> explainRequests = new ArrayList<>();

    @BeforeAll
    static void open() {
        browser = new TestBrowser();
        runs = ExplainableRuns.in(directory);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void assertNoScriptErrorsOrPolicyViolations() {
        assertThat(browser.errors()).isEmpty();
    }

    /** Opens a note and expands all codes. */
    private Page coded(RunningServer server) {
        Page page = browser.open(server.server.address());
        code(page);
        return page;
    }

    private void code(Page page) {
        page.onRequest(request -> {
            if (request.url().endsWith("/api/explain")) {
                explainRequests.add(request.postData());
            }
        });
        page.locator("#paste").fill(NOTE);
        page.locator("#paste-button").click();
        page.locator("li[data-code]")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
        page.keyboard().press("h");
    }

    private static void add(Page page, String code) {
        page.keyboard().press("/");
        page.keyboard().type(code);
        assertThat(page.locator(".option .code").first()).hasText(code);
        page.keyboard().press("Enter");
        assertThat(page.locator(".inspector-title .code")).hasText(code);
    }

    private static void goToCode(Page page, String code) {
        page.keyboard().press("2");
        int codes = page.locator("li[data-code]").count();
        for (int i = 0;
                i < 2 * codes
                        && page.locator("li.active[data-code='" + code + "']").count() == 0;
                i++) {
            page.keyboard().press(i < codes ? "ArrowUp" : "ArrowDown");
        }
        assertThat(page.locator(".inspector-title .code")).hasText(code);
    }

    @Test
    void marksEvidenceInTheDescriptionWithoutMovingTheLayout() {
        try (RunningServer server = new RunningServer(runs.descriptionAttention())) {
            Page page = coded(server);
            goToCode(page, "J45.909");
            Locator description = page.locator(".inspector-description");
            assertThat(description.locator("mark.description-evidence-3").first())
                    .isVisible();
            assertThat(description).hasText(Pattern.compile("^breath with wheezing\\. Found in the note: .*\\d+%.*"));
            Object withMarks = description.boundingBox().height;
            page.evaluate("document.querySelectorAll('.inspector-description mark')"
                    + ".forEach((mark) => mark.replaceWith(mark.textContent))");
            assertThat(description.boundingBox().height).isEqualTo(withMarks);
            int before = explainRequests.size();
            goToCode(page, "E11.9");
            goToCode(page, "J45.909");
            assertThat(description.locator("mark").first()).isVisible();
            assertThat(explainRequests.stream().filter(body -> body.contains("\"J45.909\"")))
                    .hasSize(1);
            assertThat(explainRequests.size()).isLessThanOrEqualTo(before + 3);
        }
    }

    @Test
    void requestsNoExplanationForACodeThatIsNotInTheModel() {
        try (RunningServer server = new RunningServer(runs.descriptionAttention())) {
            Page page = coded(server);
            add(page, "Z99.2");
            assertThat(page.locator(".inspector .evidence")).containsText("No evidence for this code");
            page.waitForTimeout(500);
            assertThat(explainRequests).noneMatch(body -> body.contains("\"Z99.2\""));
        }
    }

    @Test
    void anAddedCodeOfTheModelShowsItsEvidence() {
        try (RunningServer server = new RunningServer(runs.descriptionAttention())) {
            Page page = browser.open(server.server.address());
            page.route(
                    "**/api/code",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody(without("J45.909", route.fetch().text()))));
            code(page);
            assertThat(page.locator("li[data-code='J45.909']")).hasCount(0);
            add(page, "J45.909");
            assertThat(page.locator(".inspector .evidence .snippet mark").first())
                    .containsText("wheezing");
            assertThat(page.locator(".inspector-description mark").first()).isVisible();
            page.keyboard().press("n");
            page.waitForFunction("CSS.highlights.get('evidence-current').size === 1");
        }
    }

    private static String without(String code, String answer) {
        try {
            JsonNode json = new ObjectMapper().readTree(answer);
            for (Iterator<JsonNode> codes = json.get("codes").iterator(); codes.hasNext(); ) {
                if (codes.next().get("code").asText().equals(code)) {
                    codes.remove();
                }
            }
            return json.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void reservesTheLineOfTheSelectedView() {
        try (RunningServer server = new RunningServer(runs.isd())) {
            Page page = coded(server);
            Locator line = page.locator(".inspector header .ancestors").nth(1);
            assertThat(line).hasText(Pattern.compile("View [1-4] of 4: \\w+(, \\w+){4}"));
            assertThat(page.locator(".inspector-description mark")).hasCount(0);
            page.route("**/api/explain", Route::abort);
            String other = page.locator("li[data-code]:not(.active)").first().getAttribute("data-code");
            double height = line.boundingBox().height;
            goToCode(page, other);
            page.waitForTimeout(500);
            assertThat(line).hasText("");
            assertThat(line.boundingBox().height).isEqualTo(height);
            assertThat(page.locator("#alert")).isHidden();
        }
    }

    @Test
    void requestsNoExplanationsFromAModelWithoutThem() {
        try (RunningServer server = new RunningServer()) {
            Page page = coded(server);
            page.keyboard().press("ArrowDown");
            assertThat(page.locator(".inspector-description")).isVisible();
            page.waitForTimeout(500);
            assertThat(page.locator(".inspector header .ancestors").nth(1)).isHidden();
            assertThat(explainRequests).isEmpty();
        }
    }
}
