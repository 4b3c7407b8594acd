package org.plant4j.text;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.plant4j.support.UserError;

/**
 * Hugging Face's tokenizers, loaded once from the jar that brings them. DJL's own loader is not used: it looks for a GPU,
 * may fetch another build for it, and tells its makers that it runs.
 */
final class NativeTokenizers {

    private static boolean loaded;

    private NativeTokenizers() {}

    static synchronized TokenizersLibrary library() {
        if (!loaded) {
            load();
            loaded = true;
        }
        return TokenizersLibrary.LIB;
    }

    private static void load() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        boolean windows = system.startsWith("windows");
        String platform = (windows ? "win" : system.startsWith("mac") ? "osx" : "linux") + "-"
                + (processor.equals("amd64") ? "x86_64" : processor);
        try {
            Path folder = Files.createTempDirectory("plant4j-tokenizers");
            List<String> names = windows
                    ? List.of("libwinpthread-1.dll", "libgcc_s_seh-1.dll", "libstdc++-6.dll", "tokenizers.dll")
                    : List.of(System.mapLibraryName("tokenizers"));
            for (String name : names) {
                load("native/lib/" + platform + "/cpu/" + name, folder.resolve(name), platform);
            }
            if (!windows) {
                Files.delete(folder);
            }
        } catch (IOException | UnsatisfiedLinkError e) {
            throw new UserError(
                    "The tokenizers' library cannot be loaded: " + e.getMessage(),
                    "platform " + platform,
                    "check that the folder for temporary files can be written and programs run from it",
                    e);
        }
    }

    private static void load(String resource, Path file, String platform) throws IOException {
        try (InputStream in = TokenizersLibrary.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new UserError(
                        "There is no build of the tokenizers' library for this machine",
                        "platform " + platform,
                        "use Linux x86-64 or arm64, macOS arm64 or Windows x86-64, or a model that reads words");
            }
            Files.copy(in, file);
        }
        System.load(file.toString());
        if (platform.startsWith("win")) {
            file.toFile().deleteOnExit(); // it keeps what is in use
        } else {
            Files.delete(file); // loaded is loaded
        }
    }
}
