package org.plant4j.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTextTest {

    @Test
    void longLinesEndInAnEllipsis() {
        assertThat(TerminalText.truncate("heart failure", 13)).isEqualTo("heart failure");
        assertThat(TerminalText.truncate("heart failure", 7)).isEqualTo("heart…");
        assertThat(TerminalText.truncate("心臓の病", 5)).isEqualTo("心臓…");
    }

    @Test
    void combiningMarksHaveNoWidthAndEmojiHaveTwoColumns() {
        assertThat(TerminalText.width("abc")).isEqualTo(3);
        assertThat(TerminalText.width("e\u0301")).isEqualTo(1);
        assertThat(TerminalText.width("😀")).isEqualTo(2);
        assertThat(TerminalText.width("心臓")).isEqualTo(4);
    }

    @Test
    void controlCharactersAreReplaced() {
        assertThat(TerminalText.sanitize("a\u001b[31mb\u0007\u009b\u202ec\td\r\ne"))
                .isEqualTo("a\ufffd[31mb\ufffd\ufffd\ufffdc d  e");
    }
}
