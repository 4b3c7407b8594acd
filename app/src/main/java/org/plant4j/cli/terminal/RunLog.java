package org.plant4j.cli.terminal;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** While open, appends the log to {@code plant.log} in a run directory. */
public final class RunLog implements AutoCloseable {

    static final String FILE = "plant.log";

    private final ch.qos.logback.classic.Logger root = root();
    private final FileAppender<ILoggingEvent> appender = new FileAppender<>();

    private RunLog(Path file) {
        LoggerContext context = root.getLoggerContext();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} - %msg%n");
        encoder.start();
        appender.setContext(context);
        appender.setName(file.toString());
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.start();
        root.addAppender(appender);
    }

    public static RunLog in(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RunLog(directory.resolve(FILE));
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        appender.stop();
    }

    /** Sets the lowest level that is printed to standard error; the file logs from INFO. */
    public static void console(String level) {
        Appender<ILoggingEvent> console = root().getAppender("console");
        console.getCopyOfAttachedFiltersList().stream()
                .filter(ThresholdFilter.class::isInstance)
                .forEach(filter -> ((ThresholdFilter) filter).setLevel(level));
    }

    private static ch.qos.logback.classic.Logger root() {
        return (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    }
}
