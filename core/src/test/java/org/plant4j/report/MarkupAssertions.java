package org.plant4j.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Assertions for HTML pages and fragments. */
public final class MarkupAssertions {

    private static final Pattern TAG =
            Pattern.compile("<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\\s+[a-zA-Z-]+(?:=\"[^\"<>]*\")?)*)\\s*(/?)>");
    private static final Set<String> VOID = Set.of("meta", "br");

    private MarkupAssertions() {}

    /** All tags are well formed and closed in order, and all angle brackets in text are escaped. */
    public static void assertBalanced(String html) {
        String body = html.replaceFirst("<!DOCTYPE html>", "").replaceAll("(?s)<style>.*?</style>", "");
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = TAG.matcher(body);
        int at = 0;
        while (tag.find()) {
            assertThat(body.substring(at, tag.start())).doesNotContain("<", ">");
            at = tag.end();
            if (!tag.group(1).isEmpty()) {
                assertThat(open.pop()).isEqualTo(tag.group(2));
            } else if (tag.group(4).isEmpty() && !VOID.contains(tag.group(2))) {
                open.push(tag.group(2));
            }
        }
        assertThat(body.substring(at)).doesNotContain("<", ">");
        assertThat(open).isEmpty();
    }

    /** There are no external resources and no scripts. */
    public static void assertSelfContained(String html) {
        assertThat(html).doesNotContainIgnoringCase("http://", "https://", "<script", "<link", "@import", "url(");
        assertThat(html).doesNotContainPattern("<[^>]*\\s(src|srcset|on[a-z]+)=");
    }
}
