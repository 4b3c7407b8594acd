package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM ends a process that computes. */
@EnabledOnOs(OS.LINUX)
class DirectExitTest {

    private static final int SIGTERM_STATUS = 128 + 15;

    @TempDir
    private Path directory;

    /** Computes until it is stopped. */
    static final class Computation {

        private Computation() {}

        public static void main(String[] args) {
            Engine.setThreads(1);
            DirectExit.enable();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            Tensor matrix = torch.rand(300, 300);
            System.out.println("computing");
            while (true) {
                try (PointerScope scope = new PointerScope()) {
                    matrix.matmul(matrix);
                }
            }
        }
    }

    @Test
    void shutdownHooksRunButStaticDestructorsDoNot() throws IOException, InterruptedException {
        Process process = start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("computing");
            process.toHandle().destroy(); // SIGTERM, and the streams stay open
            assertThat(output.readLine()).isEqualTo("hook");
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("has ended").isTrue();
        assertThat(process.exitValue()).isEqualTo(SIGTERM_STATUS);
        assertThat(loaderLog()).contains("calling init: ").doesNotContain("calling fini: ");
    }

    /** The dynamic loader logs the initialization and the destruction of each library. */
    private Process start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Computation.class.getName());
        builder.environment().put("LD_DEBUG", "files");
        builder.environment().put("LD_DEBUG_OUTPUT", directory.resolve("loader").toString());
        return builder.redirectErrorStream(true).start();
    }

    private String loaderLog() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(directory)) {
            files = found.toList();
        }
        assertThat(files).hasSize(1);
        return Files.readString(files.get(0));
    }
}
