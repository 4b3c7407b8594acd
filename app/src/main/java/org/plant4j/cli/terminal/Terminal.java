package org.plant4j.cli.terminal;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** Whether standard output and standard error are terminals, whether they show colors, and how wide they are. */
public record Terminal(boolean out, boolean err, boolean outColor, boolean errColor, int width, Charset charset) {

    private static final int DEFAULT_WIDTH = 80;

    /** Neither stream is a terminal: no colors, no progress bar. */
    public static final Terminal NONE = new Terminal(false, false, false, false, DEFAULT_WIDTH, StandardCharsets.UTF_8);

    /** Reads what the launcher detected; without the launcher, asks Java's console. */
    public static Terminal current() {
        Map<String, String> properties = System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, name -> System.getProperty(name, "")));
        Optional<Charset> console = Optional.ofNullable(System.console()).map(java.io.Console::charset);
        return of(properties, System.getenv(), console);
    }

    static Terminal of(Map<String, String> properties, Map<String, String> environment, Optional<Charset> console) {
        boolean dumb = "dumb".equals(environment.get("TERM"));
        String interactive = String.valueOf(console.isPresent());
        boolean out = !dumb && Boolean.parseBoolean(properties.getOrDefault("plant.terminal.out", interactive));
        boolean err = !dumb && Boolean.parseBoolean(properties.getOrDefault("plant.terminal.err", interactive));
        boolean noColor = !environment.getOrDefault("NO_COLOR", "").isEmpty();
        boolean forced = !environment.getOrDefault("CLICOLOR_FORCE", "0").equals("0"); // for | less -R
        boolean windows =
                properties.getOrDefault("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
        return new Terminal(
                out,
                err,
                !noColor && (out || forced),
                !noColor && (err || forced),
                width(properties, environment),
                // Files and pipes are UTF-8 everywhere; only a Windows console has its own code page.
                windows && out ? console.orElse(StandardCharsets.UTF_8) : StandardCharsets.UTF_8);
    }

    private static int width(Map<String, String> properties, Map<String, String> environment) {
        String width = properties.getOrDefault("plant.terminal.width", environment.getOrDefault("COLUMNS", ""));
        return width.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(width) : DEFAULT_WIDTH;
    }

    public Ansi outAnsi() {
        return outColor ? Ansi.ON : Ansi.OFF;
    }

    Ansi errAnsi() {
        return errColor ? Ansi.ON : Ansi.OFF;
    }
}
