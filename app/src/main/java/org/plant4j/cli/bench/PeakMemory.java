package org.plant4j.cli.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The most memory that was taken so far, in bytes, where the system tells. */
final class PeakMemory {

    private static final Path STATUS = Path.of("/proc/self/status");

    private PeakMemory() {}

    /** Of this process in main memory. */
    static OptionalLong resident() {
        try (Stream<String> lines = Files.lines(STATUS, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> number(line) << 10)
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * Of the first GPU by everything that runs on it, the CUDA context too. libtorch returns nothing to the driver while
     * it runs, so what is taken now is the most it took.
     */
    static OptionalLong gpu() {
        ProcessBuilder query =
                new ProcessBuilder("nvidia-smi", "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits");
        try (InputStream answer = query.start().getInputStream()) {
            return OptionalLong.of(number(new String(answer.readAllBytes(), StandardCharsets.UTF_8)) << 20);
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static long number(String text) {
        return Long.parseLong(text.replaceAll("[^0-9]", ""));
    }
}
