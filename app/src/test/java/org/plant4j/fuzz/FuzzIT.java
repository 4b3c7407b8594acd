package org.plant4j.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged, odd and hostile inputs: no crash, no hang, and no result that silently differs from the correct one. Short by
 * default; {@code bench/fuzz.sh} runs many more inputs with any seed.
 */
class FuzzIT {

    private static final long SEED = Long.getLong("fuzz.seed", 14);
    private static final long INPUTS = Long.getLong("fuzz.inputs", 4_000);
    private static final long FIRST = Long.getLong("fuzz.first", 0);
    private static final List<String> CHOSEN =
            Arrays.asList(System.getProperty("fuzz.targets", "").split(","));
    private static final Duration LIMIT = Duration.ofSeconds(Long.getLong("fuzz.seconds", 30));
    private static final PrintStream OUT = System.out;

    private static final Fuzzer FUZZER = new Fuzzer(SEED, LIMIT);

    static Stream<FuzzSuite.Entry> targets() {
        return FuzzSuite.TARGETS.stream().filter(entry -> CHOSEN.contains("") || CHOSEN.contains(entry.name()));
    }

    @BeforeAll
    static void printHeader() {
        OUT.println("Fuzzing with -Dfuzz.seed=" + SEED + " -Dfuzz.inputs=" + INPUTS);
        OUT.println(Tally.header());
    }

    @AfterAll
    static void close() {
        FUZZER.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("targets")
    void withstandsAnyInput(FuzzSuite.Entry entry, @TempDir Path directory) throws InterruptedException {
        try (FuzzTarget target = entry.open().apply(directory)) {
            long inputs = CHOSEN.contains("") ? Math.max(1, INPUTS * entry.share() / FuzzSuite.Entry.SHARES) : INPUTS;
            Tally tally = FUZZER.run(target, FIRST, inputs);
            OUT.println(tally);
            assertThat(tally.hasFaults()).as(tally.faults()).isFalse();
        }
    }
}
