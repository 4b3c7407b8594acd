package org.plant4j.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.plant4j.review.access.InMemoryAccessTokenStore;
import org.plant4j.review.access.InMemoryUserStore;
import org.plant4j.review.access.Role;
import org.plant4j.server.login.Keycloak;
import org.plant4j.server.login.OidcLogin;
import org.plant4j.server.login.OidcSettings;
import org.plant4j.server.login.TestProvider;

/** Signing in at a provider and out again, in a browser; a session that ends keeps the work. */
class LoginPageIT {

    private static final Duration IDLE = Duration.ofMinutes(30);

    private final AtomicLong now = new AtomicLong();

    private RunningServer start(TestProvider provider, URI publicUrl) {
        OidcSettings settings = new OidcSettings(
                provider.issuer(),
                TestProvider.CLIENT,
                Optional.of(TestProvider.SECRET),
                List.of(),
                new OidcSettings.Roles("roles", Map.of("coder", Role.CODER)),
                new OidcSettings.SessionLimits(IDLE, Duration.ofHours(10)));
        ServerSettings plain = RunningServer.SETTINGS;
        return new RunningServer(
                new ServerSettings(
                        plain.host(),
                        publicUrl.getPort(),
                        true,
                        plain.limits(),
                        new ServerSettings.Proxies(Set.of(), Optional.of(publicUrl)),
                        Optional.empty(),
                        List.of()),
                new InMemoryAccessTokenStore(),
                new OidcLogin(settings, publicUrl, Set.of(), new InMemoryUserStore(Set.of()), now::get));
    }

    @Test
    void aUserSignsInWorksThroughTheEndOfASessionAndSignsOut() throws IOException {
        URI publicUrl = URI.create("http://localhost:" + Keycloak.freePort());
        try (TestBrowser browser = new TestBrowser();
                TestProvider provider = new TestProvider();
                RunningServer server = start(provider, publicUrl)) {
            Page page = browser.open(publicUrl + "/");
            page.locator("#signin-provider").click();
            assertThat(page.locator("#user-name")).hasText("maria");
            assertThat(page.locator("#signout-button")).isVisible();

            page.locator("#paste").fill("Admitted with heart failure.");
            page.locator("#paste-button").click();
            assertThat(page.locator("li[data-code]").first()).isAttached();
            page.keyboard().press("a");
            now.addAndGet(IDLE.toNanos() + 1);
            page.keyboard().press("Control+Enter");
            assertThat(page.locator("#signin-title")).hasText("Your session has ended");
            Page other = page.context()
                    .waitForPage(() -> page.locator("#signin-provider").click());
            assertThat(other.locator("#user-name")).hasText("maria");
            other.close();
            page.evaluate("dispatchEvent(new Event('focus'))"); // headless tabs are always focused
            assertThat(page.locator("#signin")).hasCount(0);
            assertThat(page.locator("li[data-state='accepted']")).hasCount(1);

            page.keyboard().press("Escape");
            page.locator("#signout-button").click();
            assertThat(page.locator("#signin-provider")).isVisible();
            assertThat(page.locator("#user-name")).hasText("");
            assertThat(browser.errors()).isEmpty();
            assertThat(page.context().cookies().stream().map(cookie -> cookie.name))
                    .doesNotContain("__Host-plant4j");
        }
    }
}
