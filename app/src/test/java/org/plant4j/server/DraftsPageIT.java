package org.plant4j.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.review.ReviewQuery;
import org.plant4j.review.StoredReview;

/** A coder's day: notes are interrupted, resumed, submitted and corrected. */
class DraftsPageIT {

    private static final String FIRST = "Admitted with heart failure and essential hypertension, furosemide.";
    private static final String SECOND = "Gout of the left foot, colchicine. Asthma.";

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

    private static void paste(Page page, String text) {
        page.locator("#paste").fill(text);
        page.locator("#paste-button").click();
        assertThat(page.locator("#note")).containsText(text);
        page.locator("li[data-code]")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
    }

    private static Locator rows(Page page, String state) {
        return page.locator("li[data-state='" + state + "']");
    }

    private static void submit(Page page) {
        page.keyboard().press("Control+Enter");
        page.keyboard().press("Enter");
        assertThat(page.locator("#save-status")).containsText("Saved");
    }

    @Test
    void everyNoteKeepsItsDraftUntilItIsSubmitted() {
        Page page = browser.open(server.server.address());
        paste(page, FIRST);
        page.keyboard().press("h");
        page.keyboard().press("2");
        page.keyboard().press("a");
        page.keyboard().press("2");
        page.keyboard().press("r");
        assertThat(rows(page, "accepted")).hasCount(1);
        assertThat(rows(page, "rejected")).hasCount(1);
        String accepted = rows(page, "accepted").getAttribute("data-code");

        page.keyboard().press("o");
        paste(page, SECOND);
        assertThat(rows(page, "accepted")).hasCount(0);
        page.keyboard().press("h");
        page.keyboard().press("2");
        page.keyboard().press("r");

        page.keyboard().press("o");
        assertThat(page.locator("#drafts li")).hasCount(1);
        assertThat(page.locator("#drafts li")).containsText("2 codes decided");
        page.locator("#drafts button").click();
        assertThat(page.locator("#note")).containsText(FIRST);
        assertThat(rows(page, "accepted")).hasAttribute("data-code", accepted);
        assertThat(rows(page, "rejected")).hasCount(1);

        page.reload();
        assertThat(rows(page, "accepted")).hasAttribute("data-code", accepted);
        submit(page);
        page.keyboard().press("o");
        assertThat(page.locator("#drafts li")).hasCount(1); // only the second note is unfinished
        page.keyboard().press("Escape");

        page.keyboard().press("2");
        page.keyboard().press("r");
        submit(page);
        StoredReview corrected = server.reviews.list(ReviewQuery.latest(1)).get(0);
        assertThat(corrected.supersedes()).isPresent();
        assertThat(corrected.document()).startsWith("note-");
    }

    @Test
    void aReceiptThatArrivesLateBelongsToItsNote() {
        Page page = browser.open(server.server.address());
        List<Route> held = new ArrayList<>();
        page.route("**/api/reviews", held::add);
        paste(page, FIRST);
        page.keyboard().press("h");
        page.keyboard().press("2");
        page.keyboard().press("a");
        page.keyboard().press("Control+Enter");
        page.keyboard().press("Enter");
        page.waitForCondition(() -> held.size() == 1);
        page.keyboard().press("o");
        paste(page, SECOND);
        page.keyboard().press("h");
        page.keyboard().press("2");
        page.keyboard().press("r");
        assertThat(rows(page, "rejected")).hasCount(1);
        held.get(0).resume();
        assertThat(page.locator("#notices")).containsText("Review saved");
        assertThat(page.locator("#save-status")).isEmpty();
        assertThat(page.locator("#submit-button")).isEnabled();
        page.keyboard().press("o");
        assertThat(page.locator("#drafts li")).hasCount(0); // the first note is submitted, the second one is open
    }

    @Test
    void aLostReviewIsSentAgainForItsOwnNoteOnly() {
        Page page = browser.open(server.server.address());
        List<String> sent = new ArrayList<>();
        page.route("**/api/reviews", route -> {
            sent.add(route.request().postData());
            route.abort();
        });
        paste(page, FIRST);
        page.keyboard().press("h");
        page.keyboard().press("2");
        page.keyboard().press("a");
        page.keyboard().press("Control+Enter");
        page.keyboard().press("Enter");
        assertThat(page.locator("#alert")).containsText("cannot be reached");
        page.evaluate("dispatchEvent(new Event('online'))");
        page.waitForCondition(() -> sent.size() == 2);
        assertThat(sent.get(1)).isEqualTo(sent.get(0));
        assertThat(page.locator("#alert")).containsText("cannot be reached");
        page.keyboard().press("o");
        paste(page, SECOND);
        page.evaluate("dispatchEvent(new Event('online'))");
        page.keyboard().press("2");
        assertThat(sent).hasSize(2);
    }

    /** A browser under load fires a dialog's event `close` after the next key press. */
    @Test
    void aKeyPressRightAfterChoosingACodeFindsItAdded() {
        Page page = browser.open(server.server.address());
        paste(page, FIRST);
        page.evaluate("document.getElementById('picker').addEventListener('close',"
                + " (event) => event.stopImmediatePropagation(), { capture: true })");
        page.keyboard().press("/");
        page.keyboard().type("A04.7");
        assertThat(page.locator(".option .code").first()).hasText("A04.7");
        page.keyboard().press("Enter");
        page.keyboard().press("Control+Enter");
        assertThat(page.locator("#submit-summary")).containsText("A04.7");
    }

    @Test
    void anEditIsResolvedWithOneKey() {
        Page page = browser.open(server.server.address());
        paste(page, "Diarrhoea with Clostridium difficile, vancomycin. Fever.");
        page.keyboard().press("/");
        page.keyboard().type("chf");
        assertThat(page.locator(".option .code").first()).hasText("I50.9"); // the heading I50 comes later
        page.locator("#picker-input").fill("A04.7");
        assertThat(page.locator(".option .code").first()).hasText("A04.7");
        page.keyboard().press("Enter");
        page.keyboard().press("Control+Enter");
        assertThat(page.locator("#edits li")).hasCount(1);
        assertThat(page.locator("#edits li")).containsText("cannot be billed");
        assertThat(page.locator("#submit-confirm")).isDisabled();
        page.locator("#comment").fill("Not documented.");
        assertThat(page.locator("#submit-confirm")).isEnabled();
        page.locator("#comment").fill("");
        page.locator("#submit-summary").click();
        page.keyboard().press("1");
        assertThat(page.locator("#edits li")).hasCount(0);
        assertThat(page.locator("#submit-confirm")).isEnabled();
        page.locator("#submit-confirm").click();
        assertThat(page.locator("#save-status")).containsText("Saved");
        assertThat(server.reviews.list(ReviewQuery.latest(1)).get(0).review().assignedCodes())
                .contains("A04.72");
    }

    @Test
    void decisionsSurviveClosingTheTabAndReturnWithTheNote() {
        Page page = browser.open(server.server.address());
        paste(page, FIRST);
        page.keyboard().press("h");
        page.keyboard().press("2");
        page.keyboard().press("a");
        assertThat(rows(page, "accepted")).hasCount(1);
        Page other = page.context().newPage();
        page.close();
        other.navigate(server.server.address());
        assertThat(other.locator("#resume-hint")).isVisible();
        paste(other, FIRST);
        assertThat(rows(other, "accepted")).hasCount(1);
    }
}
