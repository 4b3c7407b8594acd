package org.plant4j.cli.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Peak memory in bytes, if the system reports it. */
final class PeakMemory {

    private static final Path STATUS = Path.of("/proc/self/status");

    private PeakMemory() {}

    /** Peak resident memory of this process. */
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
     * Used memory of the first GPU, including the CUDA context and other processes. libtorch does not return memory to the
     * driver, so the current use is the peak.
     */
    static OptionalLong gpu() {
        ProcessBuilder query =
                new ProcessBuilder("nvidia-smi", "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits");
        try (InputStream output = query.start().getInputStream()) {
            return OptionalLong.of(number(new String(output.readAllBytes(), StandardCharsets.UTF_8)) << 20);
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static long number(String text) {
        return Long.parseLong(text.replaceAll("[^0-9]", ""));
    }
}
