package org.plant4j.tensor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Instruction sets of the CPU, as Linux lists them. libtorch knows them too, but its bindings do not export them, and oneDNN
 * says that it supports bfloat16 on every CPU with AVX-512: without instructions it emulates them, several times slower than
 * float32. A measurement would depend on what else the machine does.
 */
final class CpuFeatures {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    /** Products of bfloat16 values: of AVX-512, of AMX, and of Arm. */
    private static final Set<String> BFLOAT16 = Set.of("avx512_bf16", "amx_bf16", "bf16", "svebf16");

    /** Sums of products of 8-bit integers. */
    private static final Set<String> VNNI = Set.of("avx512_vnni", "avx_vnni");

    private CpuFeatures() {}

    /** Read once, and only when needed. */
    private static final class ThisCpu {
        static final Optional<Set<String>> FLAGS = read();

        private static Optional<Set<String>> read() {
            try (Stream<String> lines = Files.lines(CPU_INFO, StandardCharsets.ISO_8859_1)) {
                return flags(lines);
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }

    /** Whether the CPU has instructions for products in bfloat16; empty if unknown. */
    static Optional<Boolean> bfloat16() {
        return ThisCpu.FLAGS.map(CpuFeatures::hasBfloat16);
    }

    /** Whether the CPU has VNNI instructions; empty if unknown. */
    static Optional<Boolean> vnni() {
        return ThisCpu.FLAGS.map(CpuFeatures::hasVnni);
    }

    /** The flags of the first processor in the form of {@code /proc/cpuinfo}; empty if it lists none. */
    static Optional<Set<String>> flags(Stream<String> lines) {
        return lines.filter(line -> line.startsWith("flags") || line.startsWith("Features"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .filter(flags -> !flags.isEmpty())
                .findFirst()
                .map(flags -> new HashSet<>(Arrays.asList(flags.split("\\s+"))));
    }

    static boolean hasBfloat16(Set<String> flags) {
        return !Collections.disjoint(flags, BFLOAT16);
    }

    static boolean hasVnni(Set<String> flags) {
        return !Collections.disjoint(flags, VNNI);
    }
}
