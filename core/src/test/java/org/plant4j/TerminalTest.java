package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTest {

    @Test
    void combiningMarksTakeNoColumnAndEmojiTakeTwo() {
        assertThat(Terminal.width("abc")).isEqualTo(3);
        assertThat(Terminal.width("e\u0301")).isEqualTo(1);
        assertThat(Terminal.width("😀")).isEqualTo(2);
        assertThat(Terminal.width("心臓")).isEqualTo(4);
    }

    @Test
    void nothingThatSteersTheTerminalPasses() {
        assertThat(Terminal.clean("a\u001b[31mb\u0007\u009b\u202ec\td\r\ne"))
                .isEqualTo("a\ufffd[31mb\ufffd\ufffd\ufffdc d  e");
    }
}
