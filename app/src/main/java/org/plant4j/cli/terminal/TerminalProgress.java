package org.plant4j.cli.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressState;
import org.plant4j.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows progress on standard error: on a terminal as a bar for the innermost running task, elsewhere as one line per
 * milestone, such as an epoch. The start and end of each task are logged.
 */
public final class TerminalProgress implements Progress {

    private static final Logger log = LoggerFactory.getLogger(TerminalProgress.class);
    private static final int REFRESH_MILLIS = 200;

    /** Control characters that erase the current line. */
    public static final String ERASE_LINE = "\r\u001b[K";

    private final Terminal terminal;
    private final PrintStream screen;
    private final Consumer<String> lines;
    private final List<Bar> running = new ArrayList<>(); // innermost last; guarded by itself

    /** Draws bars on {@code screen} if standard error is a terminal, and passes milestones to {@code lines} if not. */
    public TerminalProgress(Terminal terminal, PrintStream screen, Consumer<String> lines) {
        this.terminal = terminal;
        this.screen = screen;
        this.lines = lines;
    }

    @Override
    public Task start(String name, long total) {
        log.info("{} started", name);
        return terminal.err() ? new Bar(name, total) : new Lines(name);
    }

    private static void logEnd(String name, long began, String message) {
        long millis = (System.nanoTime() - began) / 1_000_000;
        log.info("{} ended after {}{}", name, Duration.ofMillis(millis), message.isEmpty() ? "" : ": " + message);
    }

    /** A task without a bar. */
    private final class Lines implements Task {

        private final String name;
        private final long began = System.nanoTime();
        private volatile String message = "";

        Lines(String name) {
            this.name = name;
        }

        @Override
        public void advance(long steps) {}

        @Override
        public void message(String message) {
            this.message = message;
        }

        @Override
        public void milestone(String message) {
            this.message = message;
            lines.accept(StageLine.format(name, message));
        }

        @Override
        public void close() {
            logEnd(name, began, message);
        }
    }

    /** A task with a bar, drawn while the task is the innermost one and erased when it ends. */
    private final class Bar implements Task {

        private final String name;
        private final long began = System.nanoTime();
        private final ProgressBar bar;
        private String line = "";
        private volatile String message = "";
        private volatile boolean closed;

        Bar(String name, long total) {
            this.name = name;
            synchronized (running) {
                running.add(this);
            }
            this.bar = ProgressBar.builder()
                    .setTaskName(name)
                    .setInitialMax(total)
                    .setUpdateIntervalMillis(REFRESH_MILLIS)
                    .continuousUpdate() // the clock advances during a long step
                    .setRenderer(this::render)
                    .setConsumer(new DelegatingProgressBarConsumer(this::draw, terminal.width() - 1))
                    .build();
        }

        private String render(ProgressState state, int width) {
            long total = state.isIndefinite() ? -1 : state.getMax();
            return new ProgressLine(name, state.getCurrent(), total, state.getTotalElapsed(), message)
                    .render(width, terminal.errColor());
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
            this.message = message;
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            bar.close(); // draws a last time on the bar's thread, which needs the lock
            synchronized (running) {
                running.remove(this);
                show(running.isEmpty() ? "" : running.get(running.size() - 1).line);
            }
            logEnd(name, began, message);
        }

        private void show(String text) {
            screen.print(ERASE_LINE + text);
            screen.flush();
        }
    }
}
