package org.plant4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class RunLogTest {

    private static final Logger log = LoggerFactory.getLogger(RunLogTest.class);

    @Test
    void appendsToTheLogWhileOpen(@TempDir Path folder) throws IOException {
        Path run = folder.resolve("runs/año");
        try (RunLog first = RunLog.in(run)) {
            log.info("first");
            log.debug("too fine");
        }
        log.info("between");
        try (RunLog second = RunLog.in(run)) {
            log.info("second, à la carte");
        }
        String text = Files.readString(run.resolve("plant.log"));
        assertThat(text.lines()).hasSize(2);
        assertThat(text).contains("INFO  RunLogTest - first", "second, à la carte");
    }
}
