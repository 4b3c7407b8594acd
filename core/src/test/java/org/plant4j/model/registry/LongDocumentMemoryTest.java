package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LongDocumentMemoryTest {

    /**
     * Each size runs in its own process with a fixed heap. One float per token and label would add 80 MB, the hidden states
     * 40 MB. Measured once: 332, 330 and 325 MB for 1,000, 10,000 and 100,000 tokens.
     */
    @Test
    void trainingAndPredictionTakeNoMoreMemoryForALongDocument() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/status")));
        long grownKiB = peakKiB(20_000) - peakKiB(500);
        assertThat(grownKiB).isLessThan(20L << 10);
    }

    private static long peakKiB(int tokens) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms64m",
                "-Xmx64m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-cp",
                System.getProperty("java.class.path"),
                LongDocumentMemory.class.getName(),
                Integer.toString(tokens));
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String[] printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .split("\\R", -1);
        assertThat(process.waitFor()).isZero();
        return Long.parseLong(printed[printed.length - 1]);
    }
}
