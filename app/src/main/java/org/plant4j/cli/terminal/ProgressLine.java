package org.plant4j.cli.terminal;

import java.time.Duration;
import java.util.Locale;
import org.plant4j.report.TerminalText;

/**
 * Renders a progress bar as one line, such as {@code network 45% ████░░░░ 1:02 left · epoch 3/20 · loss 0.12}. The text comes
 * first: the bar takes the columns that the text leaves, and disappears on a narrow terminal.
 */
record ProgressLine(String name, long current, long total, Duration elapsed, String message) {

    private static final int MAX_BAR = 24;
    private static final int MIN_BAR = 6;
    private static final int MIN_MESSAGE = 4;

    /** At most {@code width} columns. */
    String render(int width, boolean unicode) {
        String before = total > 0 ? name + percent() : name;
        String after =
                (total > 0 ? time() : count() + " · " + clock(elapsed)) + (message.isEmpty() ? "" : " · " + message);
        int bar = Math.min(MAX_BAR, width - TerminalText.width(before) - TerminalText.width(after) - 2);
        if (total <= 0 || bar < MIN_BAR) {
            return TerminalText.truncate(before + " " + after, Math.max(MIN_MESSAGE, width));
        }
        return before + " " + bar(bar, unicode) + " " + after;
    }

    private double fraction() {
        return Math.min(1, (double) current / total);
    }

    private String percent() {
        return String.format(Locale.ROOT, " %d%%", (int) (100 * fraction()));
    }

    private String count() {
        return String.format(Locale.ROOT, "%,d", current);
    }

    private String bar(int length, boolean unicode) {
        int filled = (int) Math.round(length * fraction());
        return (unicode ? "█" : "#").repeat(filled) + (unicode ? "░" : "-").repeat(length - filled);
    }

    private String time() {
        if (current == 0 || current >= total) {
            return clock(elapsed);
        }
        double seconds = elapsed.toMillis() / 1000.0 * (total - current) / current;
        return clock(Duration.ofSeconds(Math.round(seconds))) + " left";
    }

    private static String clock(Duration time) {
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d", time.toMinutesPart(), time.toSecondsPart());
    }
}
