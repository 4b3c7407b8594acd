package org.plant4j.cli.terminal;

import java.io.PrintStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;
import org.plant4j.support.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Progress as one line on a terminal, that of the innermost running task, and as a log line where a task begins and
 * ends.
 */
public final class TerminalProgress implements Progress {

    private static final Logger log = LoggerFactory.getLogger(TerminalProgress.class);
    private static final int REFRESH_MILLIS = 200;
    public static final String WIPE = "\r\u001b[K";

    private final Terminal terminal;
    private final PrintStream screen;
    private final List<Bar> running = new ArrayList<>(); // innermost last; guarded by itself

    public TerminalProgress(Terminal terminal, PrintStream screen) {
        this.terminal = terminal;
        this.screen = screen;
    }

    @Override
    public Task start(String name, long total) {
        log.info("{} …", name);
        return terminal.err() ? new Bar(name, total) : new Line(name);
    }

    private static void logEnd(String name, long began, String note) {
        long millis = (System.nanoTime() - began) / 1_000_000;
        log.info("{} ended after {}{}", name, Duration.ofMillis(millis), note.isEmpty() ? "" : ": " + note);
    }

    /** A task without a bar. */
    private static final class Line implements Task {

        private final String name;
        private final long began = System.nanoTime();
        private volatile String note = "";

        Line(String name) {
            this.name = name;
        }

        @Override
        public void advance(long steps) {}

        @Override
        public void message(String message) {
            note = message;
        }

        @Override
        public void close() {
            logEnd(name, began, note);
        }
    }

    /** A task with a bar: drawn while it is the innermost, and wiped at its end: results tell the rest. */
    private final class Bar implements Task {

        private final String name;
        private final long began = System.nanoTime();
        private final ProgressBar bar;
        private String line = "";
        private volatile String note = "";
        private volatile boolean closed;

        Bar(String name, long total) {
            this.name = name;
            synchronized (running) {
                running.add(this);
            }
            this.bar = ProgressBar.builder()
                    .setTaskName(name)
                    .setInitialMax(total)
                    .setStyle(terminal.errColor() ? ProgressBarStyle.COLORFUL_UNICODE_BLOCK : ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(REFRESH_MILLIS)
                    .continuousUpdate() // the clock runs on through a long step
                    .showSpeed(new DecimalFormat("#,##0.0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
                    .setConsumer(new DelegatingProgressBarConsumer(this::draw, terminal.width() - 1))
                    .build();
        }

        private void draw(String text) {
            synchronized (running) {
                line = text.stripTrailing();
                if (!running.isEmpty() && running.get(running.size() - 1) == this) {
                    show(line);
                }
            }
        }

        @Override
        public void advance(long steps) {
            bar.stepBy(steps);
        }

        @Override
        public void message(String message) {
            note = message;
            bar.setExtraMessage(" " + message);
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            bar.close(); // draws once more, on the bars' own thread: the lock must be free
            synchronized (running) {
                running.remove(this);
                show(running.isEmpty() ? "" : running.get(running.size() - 1).line);
            }
            logEnd(name, began, note);
        }

        private void show(String text) {
            screen.print(WIPE + text);
            screen.flush();
        }
    }
}
