package org.plant4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.plant4j.Progress;

class TerminalProgressTest {

    private static final String ERASE = "\r\u001b[K";

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final List<String> lines = new ArrayList<>();

    private Progress progress(Terminal terminal) {
        return new TerminalProgress(terminal, new PrintStream(screen, true, StandardCharsets.UTF_8), lines::add);
    }

    private Progress plain() {
        return progress(new Terminal(false, true, false, false, 100, StandardCharsets.UTF_8));
    }

    /** The lines drawn one after the other; at the end the line is erased. */
    private List<String> drawnLines() {
        String drawn = screen.toString(StandardCharsets.UTF_8);
        assertThat(drawn).endsWith(ERASE);
        return Pattern.compile(Pattern.quote(ERASE))
                .splitAsStream(drawn)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private String lastLine() {
        return drawnLines().get(drawnLines().size() - 1);
    }

    @Test
    void withoutATerminalThereIsOneLinePerMilestone() {
        try (Progress.Task task = progress(Terminal.NONE).start("network", 10)) {
            task.advance(3);
            task.message("epoch 1/2 · loss 0.1");
            task.milestone("epoch 1/2 · loss 0.2");
            task.milestone("epoch 2/2 · loss 0.1");
        }
        assertThat(screen.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(lines)
                .containsExactly(
                        "  network             epoch 1/2 · loss 0.2", "  network             epoch 2/2 · loss 0.1");
    }

    @Test
    void theLastLineShowsNamePercentAndMessage() {
        try (Progress.Task task = plain().start("train", 10)) {
            task.advance(10);
            task.message("loss 0.1");
        }
        assertThat(lastLine()).startsWith("train").contains("100%", "loss 0.1");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        try (Progress.Task task = plain().start("a task with a rather long name", 1_000_000)) {
            task.advance(999_999);
            task.message("loss 0.123456, dev MAP 0.7654321, learning rate 0.00123, and still more to tell than fits");
        }
        assertThat(drawnLines()).allSatisfy(line -> assertThat(line.length()).isLessThan(100));
    }

    @Test
    void theOuterTaskIsShownAgainAfterANestedOne() {
        Progress progress = plain();
        try (Progress.Task outer = progress.start("outer", 2)) {
            for (int i = 0; i < 2; i++) {
                try (Progress.Task inner = progress.start("inner", 5)) {
                    inner.advance(5);
                }
                outer.advance(1);
            }
        }
        assertThat(screen.toString(StandardCharsets.UTF_8)).contains("inner");
        assertThat(lastLine()).startsWith("outer").contains("100%");
    }

    @Test
    void tasksMayEndInAnyOrderAndBeClosedTwice() {
        Progress progress = plain();
        Progress.Task first = progress.start("first", 1);
        Progress.Task second = progress.start("second", -1);
        first.close();
        first.close();
        second.advance(7);
        second.close();
        assertThat(lastLine()).startsWith("second");
    }

    @Test
    void aTaskWithoutStepsEndsLikeAnyOther() {
        plain().start("empty", 0).close();
        assertThat(lastLine()).startsWith("empty");
    }
}
