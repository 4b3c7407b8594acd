package org.plant4j.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Self-contained HTML pages in the project's theme: one file, no scripts, no external resources. */
public final class Html {

    private static final String THEME = resource(Html.class, "theme.css");

    private Html() {}

    /** Escapes text for elements and quoted attributes; characters not allowed in HTML become U+FFFD. */
    public static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isAllowed(c) ? c : 0xFFFD);
            }
        });
        return out.toString();
    }

    private static boolean isAllowed(int c) {
        boolean control = Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t';
        boolean loneSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        return !control && !loneSurrogate;
    }

    /** A complete page. Its content security policy blocks scripts, should one ever get into the body. */
    public static String page(String title, String style, String body) {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
                <title>"""
                + escape(title) + "</title>\n<style>\n" + THEME + style + "</style>\n</head>\n<body>\n" + body
                + "</body>\n</html>\n";
    }

    /** Reads a resource from the package of a class, such as a style sheet. */
    public static String resource(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": not in the package of " + beside.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
