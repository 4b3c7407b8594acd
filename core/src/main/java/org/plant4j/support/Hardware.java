package org.plant4j.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The processor, CPU time and memory in bytes, as far as the system and NVIDIA's driver report them. */
public final class Hardware {

    private static final String CPU = "CPU";
    private static final Path STATUS = Path.of("/proc/self/status");

    private Hardware() {}

    /** Such as {@code NVIDIA H200} or {@code CPU, 2 cores}. */
    public static String processor(boolean gpu) {
        if (gpu) {
            return query("--query-gpu=name")
                    .flatMap(answer -> answer.lines().findFirst())
                    .orElse("GPU");
        }
        int cores = Runtime.getRuntime().availableProcessors();
        return CPU + ", " + cores + (cores == 1 ? " core" : " cores");
    }

    /** Whether {@link #processor} named a GPU. */
    public static boolean isGpu(String processor) {
        return !processor.startsWith(CPU);
    }

    /** CPU seconds of this process so far, of all threads; NaN if the system does not report them. */
    public static double cpuSeconds() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(duration -> duration.toMillis() / 1e3)
                .orElse(Double.NaN);
    }

    /** Peak resident memory of this process. */
    public static OptionalLong peakResident() {
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
    public static OptionalLong gpuInUse() {
        return query("--query-gpu=memory.used")
                .flatMap(answer -> answer.lines().findFirst())
                .map(line -> OptionalLong.of(number(line) << 20))
                .orElse(OptionalLong.empty());
    }

    /** GPU memory of this process alone, with the CUDA context. */
    public static OptionalLong ownGpuMemory() {
        return query("--query-compute-apps=pid,used_memory")
                .map(answer -> ofProcess(answer, ProcessHandle.current().pid()))
                .orElse(OptionalLong.empty());
    }

    /** From lines such as {@code 4711, 2178}, with mebibytes. */
    static OptionalLong ofProcess(String processes, long pid) {
        List<String> own = processes
                .lines()
                .map(line -> line.split(",", 2))
                .filter(fields -> fields.length == 2 && fields[0].strip().equals(Long.toString(pid)))
                .map(fields -> fields[1].strip())
                .filter(memory -> memory.matches("[0-9]+"))
                .toList();
        return own.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(own.stream().mapToLong(Long::parseLong).sum() << 20);
    }

    /** The answer of nvidia-smi; empty if there is none. */
    private static Optional<String> query(String query) {
        ProcessBuilder process = new ProcessBuilder("nvidia-smi", query, "--format=csv,noheader,nounits");
        try (InputStream output = process.redirectErrorStream(true).start().getInputStream()) {
            String answer = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
            return Optional.of(answer).filter(text -> text.matches("(?s).*[0-9].*"));
        } catch (IOException e) {
            return Optional.empty(); // no driver
        }
    }

    private static long number(String text) {
        return Long.parseLong(text.replaceAll("[^0-9]", ""));
    }
}
