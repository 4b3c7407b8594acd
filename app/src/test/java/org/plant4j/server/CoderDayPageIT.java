package org.plant4j.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.ReviewQuery;
import org.plant4j.review.StoredReview;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.review.worklist.EncounterState;
import org.plant4j.review.worklist.IncomingEncounter;

/** A day with the worklist: three encounters, one of them interrupted, and second reviews by somebody else. */
class CoderDayPageIT {

    private static final String HEART = "Admitted with heart failure and essential hypertension, furosemide.";
    private static final String GOUT = "Gout of the left foot, colchicine. Asthma.";
    private static final String LATER = "Discharge: type 2 diabetes, metformin. Pneumonia.";

    private static TestBrowser browser;
    private static RunningServer server;
    private static String ana;
    private static String rita;

    @BeforeAll
    static void open() {
        browser = new TestBrowser();
        InMemoryAccessTokenStore tokens = new InMemoryAccessTokenStore();
        ana = tokens.create("ana", Role.CODER);
        rita = tokens.create("rita", Role.REVIEWER);
        server = new RunningServer(RunningServer.SETTINGS, tokens);
        server.worklist.add(
                new IncomingEncounter(
                        "enc-1",
                        Optional.of(LocalDate.parse("2021-02-28")),
                        List.of(new SourceDocument("a", "Admission", HEART))),
                "api");
        add("enc-2", new SourceDocument("a", "Admission", GOUT), new SourceDocument("b", "Discharge", LATER));
        add("enc-3", new SourceDocument("c", "Letter", LATER));
    }

    private static void add(String id, SourceDocument... documents) {
        server.worklist.add(new IncomingEncounter(id, Optional.empty(), List.of(documents)), "api");
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

    private static void signIn(Page page, String token) {
        page.locator("#token").fill(token);
        page.keyboard().press("Enter");
    }

    private static Locator row(Page page, String id) {
        return page.locator("[data-encounter='" + id + "']");
    }

    private static Locator rows(Page page, String state) {
        return page.locator("li[data-state='" + state + "']");
    }

    private static void awaitCodes(Page page, String text) {
        assertThat(page.locator("#note")).containsText(text);
        page.locator("li[data-code]")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
    }

    private static void accept(Page page) {
        page.keyboard().press("h");
        page.keyboard().press("2");
        page.keyboard().press("a");
        assertThat(rows(page, "accepted")).hasCount(1);
    }

    private static void submit(Page page) {
        page.keyboard().press("Control+Enter");
        page.keyboard().press("Enter");
    }

    private static EncounterState state(String id) {
        return server.worklist.find(id).orElseThrow().state();
    }

    @Test
    void threeEncountersAnInterruptionAndSecondReviews() {
        Page page = browser.open(server.server.address());
        signIn(page, ana);
        assertThat(page.locator(".encounter")).hasCount(3);
        assertThat(row(page, "enc-2")).containsText("2 documents");
        assertThat(row(page, "enc-1")).isFocused();
        assertThat(TestBrowser.accessibilityViolations(page, "worklist")).isEmpty();
        page.keyboard().press("Enter");
        awaitCodes(page, HEART);
        assertThat(page.locator(".topbar").getByText("ana", new Locator.GetByTextOptions().setExact(true)))
                .hasCount(1);
        page.waitForResponse(
                response -> response.url().endsWith("/api/encounters/release"),
                () -> page.keyboard().press("Shift+N")); // skips it
        awaitCodes(page, GOUT);
        assertThat(state("enc-1")).isEqualTo(EncounterState.OPEN);
        page.keyboard().press("l");
        row(page, "enc-1").click();
        awaitCodes(page, HEART);
        accept(page);
        assertThat(state("enc-1")).isEqualTo(EncounterState.IN_PROGRESS);
        Request edits = page.waitForRequest("**/api/edits", () -> submit(page));
        assertThat(edits.postData()).contains("\"date\":\"2021-02-28\"");
        awaitCodes(page, GOUT); // the next encounter opens by itself
        assertThat(page.locator("#note")).containsText(LATER);
        assertThat(state("enc-1")).isEqualTo(EncounterState.CODED);
        accept(page);
        page.keyboard().press("ArrowDown");
        page.keyboard().press("r");
        assertThat(rows(page, "rejected")).hasCount(1);
        page.close(); // interrupted

        Page resumed = page.context().newPage();
        resumed.setDefaultTimeout(20_000);
        resumed.navigate(server.server.address());
        signIn(resumed, ana);
        assertThat(row(resumed, "enc-2")).containsText("you");
        row(resumed, "enc-2").click();
        awaitCodes(resumed, GOUT);
        assertThat(rows(resumed, "accepted")).hasCount(1);
        assertThat(rows(resumed, "rejected")).hasCount(1);
        submit(resumed);
        awaitCodes(resumed, LATER);
        assertThat(resumed.locator("#note")).not().containsText(GOUT);
        accept(resumed);
        submit(resumed);
        assertThat(resumed.locator(".no-encounters")).isVisible(); // the worklist is done
        StoredReview stored = server.reviews
                .list(new ReviewQuery(1, Optional.empty(), Optional.of("ana"), Optional.of("enc-2")))
                .get(0);
        assertThat(stored.review().documents()).extracting(SourceDocument::id).containsExactly("a", "b");
        assertThat(stored.review().encounter()).contains("enc-2");

        secondReviews();
    }

    private static void secondReviews() {
        Page page = browser.open(server.server.address());
        signIn(page, rita);
        assertThat(page.locator("#worklist-button")).isVisible();
        page.locator("#worklist-button").click();
        page.locator(".filter:has-text('Coded')").click();
        assertThat(page.locator(".encounter")).hasCount(3);
        row(page, "enc-1").click();
        awaitCodes(page, HEART);
        assertThat(page.locator("#second-review")).containsText("ana assigned");
        assertThat(rows(page, "accepted")).hasCount(1);
        page.keyboard().press("v");
        assertThat(page.locator("#worklist")).isVisible();
        assertThat(state("enc-1")).isEqualTo(EncounterState.CLOSED);

        page.locator(".filter:has-text('Coded')").click();
        row(page, "enc-2").click();
        awaitCodes(page, GOUT);
        assertThat(rows(page, "accepted")).hasCount(1);
        rows(page, "accepted").locator(".row-main").click();
        page.keyboard().press("r");
        assertThat(rows(page, "accepted")).hasCount(0);
        assertThat(TestBrowser.accessibilityViolations(page, "second-review")).isEmpty();
        page.keyboard().press("Control+Enter");
        page.locator("#second-dialog input").fill("Not documented in this stay.");
        assertThat(TestBrowser.accessibilityViolations(page, "second-dialog")).isEmpty();
        page.locator("#second-confirm").click();
        assertThat(page.locator("#worklist")).isVisible();
        assertThat(state("enc-2")).isEqualTo(EncounterState.CLOSED);
        page.locator(".filter:has-text('Disagreements')").click();
        row(page, "enc-2").click();
        assertThat(page.locator(".changes")).containsText("Not documented in this stay.");
        assertThat(TestBrowser.accessibilityViolations(page, "disagreements")).isEmpty();
        StoredReview second = server.reviews.list(ReviewQuery.latest(1)).get(0);
        assertThat(second.review().second().orElseThrow().disagreements()).hasSize(1);
        assertThat(server.worklist.finalReviews()).containsEntry("enc-2", second.id());
    }
}
