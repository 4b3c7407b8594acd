package org.plant4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TerminalTest {

    private static final Map<String, String> LAUNCHED =
            Map.of("plant.terminal.out", "false", "plant.terminal.err", "true", "plant.terminal.width", "132");

    @Test
    void theLauncherDetectsTheStreamsSeparately() {
        Terminal terminal = Terminal.of(LAUNCHED, Map.of(), Optional.empty());
        assertThat(terminal).isEqualTo(new Terminal(false, true, false, true, 132, StandardCharsets.UTF_8));
    }

    @Test
    void noColorDisablesColorsOnly() {
        Terminal terminal = Terminal.of(LAUNCHED, Map.of("NO_COLOR", "1"), Optional.empty());
        assertThat(terminal.err()).isTrue();
        assertThat(terminal.errColor()).isFalse();
    }

    @Test
    void anEmptyNoColorHasNoEffect() {
        assertThat(Terminal.of(LAUNCHED, Map.of("NO_COLOR", ""), Optional.empty())
                        .errColor())
                .isTrue();
    }

    @Test
    void aDumbTerminalHasNeitherBarNorColors() {
        Terminal terminal = Terminal.of(LAUNCHED, Map.of("TERM", "dumb"), Optional.empty());
        assertThat(terminal.err() || terminal.errColor()).isFalse();
    }

    @Test
    void colorsCanBeForcedForAPipe() {
        assertThat(Terminal.of(LAUNCHED, Map.of("CLICOLOR_FORCE", "1"), Optional.empty())
                        .outColor())
                .isTrue();
    }

    @Test
    void withoutTheLauncherTheConsoleDecides() {
        assertThat(Terminal.of(Map.of(), Map.of(), Optional.empty())).isEqualTo(Terminal.NONE);
        Terminal terminal = Terminal.of(
                Map.of("os.name", "Windows 11"), Map.of("COLUMNS", "97"), Optional.of(StandardCharsets.ISO_8859_1));
        assertThat(terminal).isEqualTo(new Terminal(true, true, true, true, 97, StandardCharsets.ISO_8859_1));
    }

    @Test
    void anInvalidWidthIsReplacedByTheDefault() {
        assertThat(Terminal.of(Map.of(), Map.of("COLUMNS", "wide"), Optional.empty())
                        .width())
                .isEqualTo(80);
    }
}
