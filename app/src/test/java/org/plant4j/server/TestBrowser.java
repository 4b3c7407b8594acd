package org.plant4j.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A headless Chromium of the machine's own; where there is none, tests that ask for it are skipped. */
public final class TestBrowser implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    private final Playwright playwright;
    private final Browser browser;
    private final List<String> errors = new ArrayList<>();

    TestBrowser() {
        Optional<Path> chromium = find();
        assumeTrue(
                chromium.isPresent(), "No Chromium on the PATH: the page is not tested (Debian: apt install chromium)");
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium.orElseThrow())
                        .setArgs(List.of("--no-sandbox")));
    }

    private static Optional<Path> find() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** A window with a session of its own, which remembers what goes wrong in the page. */
    Page open(String address) {
        errors.clear();
        BrowserContext context = browser.newContext(new Browser.NewContextOptions().setViewportSize(1440, 900));
        Page page = context.newPage();
        page.setDefaultTimeout(20_000);
        page.onPageError(fault -> errors.add(fault));
        page.onConsoleMessage(message -> {
            // The browser's own word on an answer such as 401, which the page deals with.
            if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
                errors.add(message.text());
            }
        });
        page.navigate(address);
        return page;
    }

    /** Errors of scripts, and what the content-security policy refused, since the last window was opened. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
