package org.plant4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

    private static final String EPOCH = "epoch 12/20 · loss 0.1234 · dev 0.7654 (best 0.7700)";

    private static String render(long current, long total, String message, int width) {
        return new ProgressLine("network", current, total, Duration.ofSeconds(62), message).render(width, true);
    }

    @Test
    void showsShareTimeLeftAndMessage() {
        assertThat(render(25, 100, "loss 0.1", 60))
                .isEqualTo("network 25% ██████░░░░░░░░░░░░░░░░░░ 3:06 left · loss 0.1");
    }

    @Test
    void theWholeMessageIsReadableAtEightyColumns() {
        assertThat(render(25, 100, EPOCH, 80)).endsWith(EPOCH).hasSizeLessThanOrEqualTo(80);
    }

    @Test
    void theBarGivesWayOnANarrowTerminal() {
        assertThat(render(25, 100, "loss 0.1234", 40)).isEqualTo("network 25% 3:06 left · loss 0.1234");
        assertThat(render(25, 100, EPOCH, 40))
                .startsWith("network 25% 3:06 left · epoch")
                .hasSize(40);
    }

    @Test
    void anUnknownTotalShowsCountAndElapsedTime() {
        assertThat(render(1234, -1, "", 80)).isEqualTo("network 1,234 · 1:02");
    }
}
