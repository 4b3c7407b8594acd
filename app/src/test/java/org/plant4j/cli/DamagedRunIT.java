package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.cli.terminal.Terminal;

/** Every damaged file of a run ends commands with exit code 2 and a message that names the file. */
class DamagedRunIT {

    @TempDir
    static Path directory;

    private static Path run = Path.of("");

    private record Outcome(int status, String out, String err) {}

    private static Outcome plant(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), args);
        return new Outcome(status, out.toString(), err.toString());
    }

    @BeforeAll
    static void train() {
        String[] args = {
            "run",
            "linear@demo",
            "--runs",
            directory.toString(),
            "--set",
            "corpus.options.sizes=120/30/30",
            "--set",
            "evaluation.bootstrap_samples=20"
        };
        assertThat(plant(args).status()).isZero();
        run = directory.resolve("linear@demo");
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(run)) {
            return files.filter(file -> !file.endsWith("plant.log")).sorted().toList();
        }
    }

    private static String assertRefused(Path file, String... args) {
        Outcome outcome = plant(args);
        assertThat(outcome.status()).as(String.join(" ", args)).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains(String.valueOf(file.getFileName()), "remedy: ")
                .doesNotContain("This is a bug", "\tat ");
        return outcome.err();
    }

    private static String assertRefused(Path file) {
        assertRefused(file, "compare", run.toString(), run.toString());
        assertRefused(
                file,
                "results",
                "add",
                run.toString(),
                "--results",
                directory.resolve("results").toString());
        assertRefused(file, "explain", run.toString(), "--text", "Severe sepsis.", "--code", "A41.9");
        return assertRefused(file, "predict", run.toString(), "--text", "Severe sepsis.");
    }

    @Test
    void damageIsRefusedWithTheNameOfTheFile() throws IOException {
        for (Path file : files()) {
            byte[] intact = Files.readAllBytes(file);
            byte[] flipped = intact.clone();
            flipped[intact.length / 3] ^= 4;
            Files.write(file, flipped);
            System.out.println(
                    assertRefused(file).replace(run.toString(), "RUN").strip());
            Files.write(file, Arrays.copyOf(intact, intact.length - 10));
            assertRefused(file);
            Files.delete(file);
            assertRefused(file);
            Files.write(file, intact);
        }
        assertThat(plant("predict", run.toString(), "--text", "Severe sepsis.").status())
                .isZero();
    }

    @Test
    void swappedLabelsAreRefused() throws IOException {
        Path labels = run.resolve("labels.tsv");
        List<String> intact = Files.readAllLines(labels);
        List<String> swapped = new ArrayList<>(intact);
        Collections.swap(swapped, 1, 2);
        Files.write(labels, swapped);
        assertThat(assertRefused(labels)).contains("labels.tsv does not match its checksum");
        Files.write(labels, intact);
    }
}
