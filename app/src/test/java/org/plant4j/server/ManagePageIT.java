package org.plant4j.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.Role;

/** The manager's page in a real browser, and its API. */
class ManagePageIT {

    private static TestBrowser browser;
    private static RunningServer server;
    private static String admin;
    private static String coder;
    private static String first = "";

    @BeforeAll
    static void open() {
        InMemoryAccessTokenStore tokens = new InMemoryAccessTokenStore();
        admin = tokens.create("mo", Role.ADMIN);
        coder = tokens.create("ana", Role.CODER);
        server = new RunningServer(RunningServer.SETTINGS, tokens);
        for (int i = 0; i < 3; i++) {
            String[] bearer = {"Authorization", "Bearer " + (i == 0 ? admin : coder)};
            ObjectNode review = ReviewsIT.review(server, "d" + i, "Gout and essential hypertension, day " + i, bearer);
            review.put("seconds", 60 * (i + 1));
            first = review.at("/decisions/0/code").asText();
            if (i == 2) {
                ((ObjectNode) review.at("/decisions/0")).put("decision", "rejected");
            }
            assertThat(server.post("/api/reviews", review.toString(), bearer).status())
                    .isEqualTo(201);
        }
        browser = new TestBrowser();
    }

    @AfterAll
    static void close() {
        server.close();
        if (browser != null) {
            browser.close();
        }
    }

    private static Page page(String token) {
        Page page = browser.open(server.server.address() + "manage");
        page.locator("#token").fill(token);
        page.keyboard().press("Enter");
        return page;
    }

    @Test
    void showsFiguresForAllAndForOneCoderAndSavesThem() throws IOException {
        Page page = page(admin);
        assertThat(page.locator("#facts dd").first()).hasText("3");
        assertThat(page.locator("#facts dd").nth(2)).containsText("2:00");
        assertThat(page.locator("#reviewers tbody tr")).hasCount(2);
        assertThat(page.locator("#overridden tbody tr").first()).containsText(first);
        Download saved =
                page.waitForDownload(() -> page.locator("[data-csv=reviewers]").click());
        assertThat(Files.readString(saved.path(), StandardCharsets.UTF_8))
                .startsWith("Coder,Reviews,Second reviews,First quartile in seconds,Median time in seconds,")
                .contains("\nana,2,0,120,120,180,0.5000,1,0,1,")
                .contains("\nmo,1,0,60,60,60,1.0000,1,0,0,");
        assertThat(TestBrowser.accessibilityViolations(page, "manage")).isEmpty();
        page.locator("#reviewer").selectOption("mo");
        assertThat(page.locator("#overridden")).containsText("No suggestion was rejected or replaced.");
        page.locator("#reviewer").selectOption("ana");
        assertThat(page.locator("#facts dd").first()).hasText("2");
        assertThat(page.locator("#reviewers tbody tr")).hasCount(1);
        page.locator("#from").fill("2999-01-01");
        page.locator("#from").dispatchEvent("change");
        assertThat(page.locator("#reviewers")).containsText("No reviews in this period.");
        assertThat(TestBrowser.accessibilityViolations(page, "manage-empty")).isEmpty();
        assertThat(browser.errors()).isEmpty();
        page.context().close();
    }

    @Test
    void codersSeeNoFigures() {
        Page page = page(coder);
        assertThat(page.locator("#error")).containsText("for administrators");
        assertThat(page.locator("#figures")).isHidden();
        assertThat(TestBrowser.accessibilityViolations(page, "manage-refused")).isEmpty();
        page.navigate(server.server.address());
        page.locator("#token")
                .or(page.locator("#samples button").first())
                .first()
                .waitFor();
        assertThat(page.locator("#manage-link")).isHidden();
        assertThat(server.get("/api/statistics", "Authorization", "Bearer " + coder)
                        .status())
                .isEqualTo(403);
        assertThat(server.get("/api/statistics?from=x", "Authorization", "Bearer " + admin)
                        .status())
                .isEqualTo(422);
        assertThat(server.get("/api/statistics?from=2026-02-02&to=2026-02-01", "Authorization", "Bearer " + admin)
                        .json()
                        .get("where")
                        .asText())
                .isEqualTo("to");
        page.context().close();
    }
}
