package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.plant4j.UserError;

class NativesTest {

    /** Loads the engine in a process of its own and prints the error, if any. */
    static final class Start {

        private Start() {}

        public static void main(String[] args) {
            try {
                Engine.load();
                System.out.println("loaded");
            } catch (UserError e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aDirectoryThatIsNotWritableIsReportedWithARemedy() throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-D" + Natives.DIRECTORY_PROPERTY + "=/sys/kernel", // exists, and not even root can write it
                        "-cp",
                        System.getProperty("java.class.path"),
                        Start.class.getName()))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output)
                .contains("The native libraries cannot be extracted: the directory is not writable")
                .contains("where: /sys/kernel")
                .contains("remedy: make it writable, or choose another directory")
                .contains("PLANT_JAVA_OPTS=-Dorg.bytedeco.javacpp.cachedir=DIR");
    }
}
