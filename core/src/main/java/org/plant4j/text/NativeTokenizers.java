package org.plant4j.text;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.plant4j.UserError;

/**
 * Loads the native library of Hugging Face tokenizers from its jar. DJL's loader is not used, since it may download a
 * build for the GPU and reports usage statistics.
 */
final class NativeTokenizers {

    private static boolean loaded;

    private NativeTokenizers() {}

    static synchronized TokenizersLibrary library() {
        try {
            if (!loaded) {
                load();
                loaded = true;
            }
            return TokenizersLibrary.LIB;
        } catch (NoClassDefFoundError e) { // a core without native libraries
            throw new UserError(
                    "Subword tokenizers need the native libraries of Plant4j",
                    "class path",
                    "add the dependency org.plant4j:plant4j-native-PLATFORM of this platform, see docs/installation.md",
                    e);
        }
    }

    private static void load() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        boolean windows = system.startsWith("windows");
        String platform = (windows ? "win" : system.startsWith("mac") ? "osx" : "linux") + "-"
                + (processor.equals("amd64") ? "x86_64" : processor);
        try {
            Path directory = Files.createTempDirectory("plant4j-tokenizers");
            List<String> names = windows
                    ? List.of("libwinpthread-1.dll", "libgcc_s_seh-1.dll", "libstdc++-6.dll", "tokenizers.dll")
                    : List.of(System.mapLibraryName("tokenizers"));
            for (String name : names) {
                load("native/lib/" + platform + "/cpu/" + name, directory.resolve(name), platform);
            }
            if (!windows) {
                Files.delete(directory);
            }
        } catch (IOException | UnsatisfiedLinkError e) {
            throw new UserError(
                    "Cannot load the native tokenizers library: " + e.getMessage(),
                    "platform " + platform,
                    "check that the temporary directory is writable and not mounted noexec",
                    e);
        }
    }

    private static void load(String resource, Path file, String platform) throws IOException {
        try (InputStream in = TokenizersLibrary.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new UserError(
                        "The native tokenizers library does not support this platform",
                        "platform " + platform,
                        "use Linux x86-64 or arm64, macOS arm64 or Windows x86-64, or a model with a word vocabulary");
            }
            Files.copy(in, file);
        }
        System.load(file.toString());
        if (platform.startsWith("win")) {
            file.toFile().deleteOnExit(); // Windows cannot delete a library that is in use
        } else {
            Files.delete(file); // the loaded library stays mapped
        }
    }
}
