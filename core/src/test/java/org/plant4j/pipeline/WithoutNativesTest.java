package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;

/** What works with {@code plant4j-core} alone, and what it reports if a model needs {@code plant4j-native-PLATFORM}. */
class WithoutNativesTest {

    private static final Pattern NATIVE_JAR =
            Pattern.compile(".*-(linux|macosx|windows)-[^/\\\\]*\\.jar|.*tokenizers-.*\\.jar");

    @TempDir
    private Path directory;

    /** Trains and uses a linear model, then tries to load a network. */
    static final class Start {

        private Start() {}

        public static void main(String[] args) {
            TinyExperiment tiny = TinyExperiment.in(Path.of(args[0]));
            RunDirectory run = RunDirectory.open(tiny.run(tiny.linear()));
            try (Coder coder = Coder.builder(run.path()).threads(1).load()) {
                System.out.println("linear model: "
                        + coder.code("Heart failing at home.")
                                .suggestions()
                                .get(0)
                                .code());
            }
            try {
                tiny.run(tiny.laat("name=network"));
                System.out.println("network trained");
            } catch (UserError e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void linearModelsNeedNoNativesAndNetworksNameTheArtifact() throws IOException {
        assertThat(start("linux-x86_64"))
                .contains("linear model: I50.9")
                .contains("The native libraries for this platform are not on the class path")
                .contains("where: platform linux-x86_64")
                .contains("remedy: add the dependency org.plant4j:plant4j-native-linux-x86_64");
        assertThat(start("macosx-arm64")).contains("plant4j-native-macosx-arm64");
    }

    @Test
    void aPlatformWithoutNativesIsNamed() throws IOException {
        for (String platform : List.of("macosx-x86_64", "linux-arm64")) {
            assertThat(start(platform))
                    .contains("linear model: I50.9")
                    .contains("There are no native libraries for this platform")
                    .contains("where: platform " + platform)
                    .contains("remedy: use Linux x86-64, macOS arm64 or Windows x86-64");
        }
    }

    /** Starts Java as on another platform, without native jars. */
    private String start(String platform) throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !NATIVE_JAR.matcher(entry).matches())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dorg.bytedeco.javacpp.platform=" + platform,
                "-Dorg.bytedeco.javacpp.cachedir=" + directory.resolve("cache"),
                "-cp",
                classPath,
                Start.class.getName(),
                directory.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
