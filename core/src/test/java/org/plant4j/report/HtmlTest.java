package org.plant4j.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HtmlTest {

    @Test
    void escapesSpecialCharacters() {
        assertThat(Html.escape("<b a=\"1\" c='2'>&amp;</b>"))
                .isEqualTo("&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;");
    }

    @Test
    void keepsEmojiAndLineEndsAndReplacesInvalidCharacters() {
        assertThat(Html.escape("é 😀\r\n\t")).isEqualTo("é 😀\r\n\t");
        assertThat(Html.escape("a\u0000b\u001bc\ud83dd\u0085")).isEqualTo("a\ufffdb\ufffdc\ufffdd\ufffd");
    }

    @Test
    void pagesAreWellFormedAndSelfContained() {
        String page = Html.page("A <title>", "p { margin: 0 }\n", "<p>text</p>\n");
        MarkupAssertions.assertBalanced(page);
        MarkupAssertions.assertSelfContained(page);
        assertThat(page).contains("<title>A &lt;title&gt;</title>", "default-src 'none'", "prefers-color-scheme: dark");
    }

    @Test
    void errorsNameTheMissingResource() {
        assertThatThrownBy(() -> Html.resource(Html.class, "no.css"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no.css");
    }
}
