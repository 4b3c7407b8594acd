package org.plant4j.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.review.PresentOnAdmission;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewQuery;

/** Order of codes, present on admission and the steps through codes, in a real browser. */
class CodeOrderPageIT {

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
    void assertNoScriptErrors() {
        assertThat(browser.errors()).isEmpty();
    }

    /** Opens a sample and accepts its first three codes. */
    private static Page withThreeCodes() {
        Page page = browser.open(server.server.address());
        page.locator("#samples button").first().click();
        page.locator("li[data-code]")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
        page.keyboard().press("h");
        for (int row = 0; row < 3; row++) {
            page.locator("#code-list li[data-code]").nth(row).locator(".accept").click();
        }
        return page;
    }

    private static List<String> order(Page page) {
        return page.locator("#order .code").allTextContents();
    }

    private static Review submitted(Page page) {
        page.locator("#submit-confirm").click();
        assertThat(page.locator("#save-status")).containsText("Saved");
        return server.reviews.list(ReviewQuery.latest(1)).get(0).review();
    }

    @Test
    void keysOrderCodesAndSetPresenceOnAdmission() {
        Page page = withThreeCodes();
        List<String> codes = page.locator("#code-list li[data-state=accepted]").all().stream()
                .map(row -> row.getAttribute("data-code"))
                .toList();
        page.locator("#code-list li[data-code='" + codes.get(2) + "'] .row-main")
                .click();
        page.keyboard().press("f");
        assertThat(page.locator("li.active .row-tags")).containsText("principal");
        page.keyboard().press("y");
        page.keyboard().press("y");
        assertThat(page.locator("li.active .row-tags")).containsText("POA N");
        page.keyboard().press("Control+Enter");
        assertThat(order(page)).containsExactly(codes.get(2), codes.get(0), codes.get(1));

        Locator handles = page.locator("#order .handle");
        handles.nth(2).focus();
        page.keyboard().press("ArrowUp");
        assertThat(page.locator("#order-live")).containsText(codes.get(1) + " is number 2 of 3 codes");
        page.keyboard().press("Home"); // the focus stays on the handle
        assertThat(page.locator("#order-live")).containsText(codes.get(1) + " is the principal diagnosis");
        for (int i = 0; i < 5; i++) {
            page.locator("#order .presence").first().press("Enter");
        }
        assertThat(order(page)).containsExactly(codes.get(1), codes.get(2), codes.get(0));
        Review review = submitted(page);
        assertThat(review.assignedCodes()).containsExactly(codes.get(1), codes.get(2), codes.get(0));
        assertThat(review.decisions().stream().map(Review.Decision::presentOnAdmission))
                .startsWith(
                        Optional.of(PresentOnAdmission.EXEMPT), Optional.of(PresentOnAdmission.NO), Optional.empty());
        assertThat(review.seconds())
                .hasValueSatisfying(seconds -> assertThat(seconds).isBetween(0, 600));
    }

    @Test
    void aPointerDragsACodeToTheFirstPlace() {
        Page page = withThreeCodes();
        page.locator("#submit-button").click();
        List<String> before = order(page);
        BoundingBox from = page.locator("#order .handle").nth(2).boundingBox();
        BoundingBox to = page.locator("#order .handle").nth(0).boundingBox();
        page.mouse().move(from.x + 8, from.y + 10);
        page.mouse().down();
        page.mouse().move(from.x + 8, to.y + 20);
        page.mouse().move(from.x + 8, to.y + 2);
        page.mouse().up();
        assertThat(page.locator("#order-live")).containsText(before.get(2) + " is the principal diagnosis");
        assertThat(order(page)).containsExactly(before.get(2), before.get(0), before.get(1));
        assertThat(submitted(page).assignedCodes()).containsExactly(before.get(2), before.get(0), before.get(1));
    }

    @Test
    void everyStepScrollsItsEvidenceIntoViewAndHoverAndInspectorAgree() {
        Page page = browser.open(server.server.address());
        String filler = "Nothing remarkable on this line of the note.\n".repeat(80);
        page.locator("#paste")
                .fill("Essential hypertension.\n" + filler + "Gout, on allopurinol.\n" + filler + "Asthma.");
        page.locator("#paste-button").click();
        page.locator("li[data-code]")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
        page.keyboard().press("h");
        assertThat(page.locator("#progress")).containsText("0 of ");
        page.keyboard().press("2");
        for (int i = 0; i < 6; i++) {
            page.keyboard().press("ArrowDown");
            Object visible = page.evaluate(
                    "(() => { const names = ['evidence-3', 'evidence-2', 'evidence-1', 'evidence-contradicting'];"
                            + " const ranges = names.flatMap((name) => [...CSS.highlights.get(name)]);"
                            + " if (ranges.length === 0) return true;"
                            + " const view = document.getElementById('note-scroll').getBoundingClientRect();"
                            + " return ranges.some((range) => { const box = range.getBoundingClientRect();"
                            + " return box.top >= view.top && box.bottom <= view.bottom; }); })()");
            assertThat(visible).as("step " + i).isEqualTo(true);
        }
        String active = page.locator("li.active").getAttribute("data-code");
        String other =
                page.locator("#code-list li[data-code]:not(.active)").first().getAttribute("data-code");
        page.locator("#code-list li[data-code='" + other + "']").hover();
        assertThat(page.locator("#inspector .inspector-title .code")).hasText(other);
        page.locator("#progress").hover();
        assertThat(page.locator("#inspector .inspector-title .code")).hasText(active);
    }

    @Test
    void onANarrowScreenNothingCoversSubmitAndEvidenceStaysVisible() {
        Page page = browser.open(server.server.address());
        page.setViewportSize(390, 844);
        page.locator("#samples button").first().click();
        page.locator("li[data-code]")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
        page.keyboard().press("h");
        page.locator("#code-list li[data-code] .row-main").first().click();
        page.locator("#code-list .accept").first().click();
        page.keyboard().press("c");
        page.keyboard().type("B20");
        assertThat(page.locator(".option .code").first()).hasText("B20");
        page.keyboard().press("Enter");
        assertThat(page.locator(".notice")).isVisible();
        assertThat(page.evaluate(
                        "(() => { const box = document.getElementById('submit-button').getBoundingClientRect();"
                                + " const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
                                + " return box.bottom <= innerHeight && box.right <= innerWidth"
                                + " && top.closest('button')?.id === 'submit-button'; })()"))
                .isEqualTo(true);
        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
        page.locator("#submit-button").click();
        assertThat(page.locator("#order")).isVisible();
        assertThat(TestBrowser.accessibilityViolations(page, "submit")).isEmpty();
    }
}
