package org.plant4j.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class GroupLibrariesTest {

    /** Describes the libraries in a separate process. */
    static final class Description {

        private Description() {}

        public static void main(String[] args) {
            System.out.println(GroupLibraries.describe(true));
        }
    }

    /** The output of a process without the jars of these names. */
    private static String describedWithout(String missing) throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().matches(missing))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Description.class.getName()))
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void glooIsAvailableOnLinux() {
        assertThat(GroupLibraries.describe(false)).isEqualTo("Gloo");
    }

    /** JavaCPP loads its own library if it can, and says nothing if it cannot. */
    @Test
    void theMissingLibraryOfJavaCppIsNamed() throws IOException {
        assertThat(describedWithout("javacpp-.*linux.*"))
                .contains("Training across processes needs the native library of JavaCPP")
                .contains("Milliseconds.allocate");
    }

    @Test
    void withoutNcclTheLibraryThatIsMissingIsNamed() throws IOException {
        assertThat(describedWithout("cuda-.*linux.*")).contains("Gloo; NCCL cannot be loaded: no jnicudart");
    }
}
