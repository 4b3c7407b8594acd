package org.plant4j.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.ViewportSize;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine's Chromium, headless. Tests are skipped if there is none. */
public final class TestBrowser implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    private static final ViewportSize WIDE = new ViewportSize(1440, 900);
    private static final ViewportSize NARROW = new ViewportSize(390, 844);
    private static final String SCREENSHOTS = System.getProperty("screenshots", "");
    private static final String AXE = axe();

    private static final int TIMEOUT = 20_000; // milliseconds; on a busy machine a page takes seconds

    private final Playwright playwright;
    private final Browser browser;
    private final List<String> errors = new ArrayList<>();

    TestBrowser() {
        Optional<Path> chromium = find();
        assumeTrue(
                chromium.isPresent(),
                "No Chromium on the PATH, browser tests are skipped (Debian: apt install chromium)");
        PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT);
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
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a page in a new session and records its errors. */
    Page open(String address) {
        errors.clear();
        BrowserContext context =
                browser.newContext(new Browser.NewContextOptions().setViewportSize(WIDE.width, WIDE.height));
        Page page = context.newPage();
        page.setDefaultTimeout(TIMEOUT);
        page.onPageError(fault -> errors.add(fault));
        page.onConsoleMessage(message -> {
            // Ignore the browser's messages on error responses such as 401, which the page handles.
            if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
                errors.add(message.text());
            }
        });
        page.navigate(address);
        return page;
    }

    /**
     * What axe finds wrong with a page, in light and dark, wide and narrow; also if it must be scrolled sideways.
     * {@code -Dscreenshots=DIRECTORY} keeps a picture of each.
     *
     * @param name of the view, for the pictures
     */
    static List<String> accessibilityViolations(Page page, String name) {
        List<String> violations = new ArrayList<>();
        page.evaluate(AXE);
        for (ViewportSize size : List.of(WIDE, NARROW)) {
            for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                page.setViewportSize(size.width, size.height);
                page.emulateMedia(new Page.EmulateMediaOptions()
                        .setColorScheme(scheme)
                        .setReducedMotion(ReducedMotion.REDUCE)); // colours must not be measured in a transition
                String view = name + "-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + size.width;
                Object found = page.evaluate("async () => (await axe.run()).violations.map(each =>"
                        + " each.id + ': ' + each.nodes.map(node => node.target.join(' ')).join(', '))");
                ((List<?>) found).forEach(each -> violations.add(view + ": " + each));
                if (!Boolean.TRUE.equals(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))) {
                    violations.add(view + ": wider than the window");
                }
                if (!SCREENSHOTS.isEmpty()) {
                    page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(SCREENSHOTS, view + ".png")));
                }
            }
        }
        page.setViewportSize(WIDE.width, WIDE.height);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        return violations;
    }

    private static String axe() {
        try (InputStream in = TestBrowser.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Script errors and content security policy violations since the last page was opened. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
