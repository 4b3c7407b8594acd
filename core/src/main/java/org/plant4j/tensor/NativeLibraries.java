package org.plant4j.tensor;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.support.ErrorMessages;

/** The platforms with native libraries, and why libtorch cannot be loaded on this one. */
public final class NativeLibraries {

    /** Platforms in the names of JavaCPP. Each has an artifact {@code plant4j-native-PLATFORM}. */
    public static final List<String> PLATFORMS = List.of("linux-x86_64", "macosx-arm64", "windows-x86_64");

    private static final List<String> VARIANTS = List.of("", "-gpu");
    private static final String WITHOUT = "corpora, metrics and linear models work without native libraries";

    private NativeLibraries() {}

    /** The error to report if linking failed. */
    static UserError explain(String platform, @Nullable ClassLoader loader, LinkageError cause) {
        if (!PLATFORMS.contains(platform)) {
            return new UserError(
                    "There are no native libraries for this platform",
                    "platform " + platform,
                    "use Linux x86-64, macOS arm64 or Windows x86-64; " + WITHOUT,
                    cause);
        }
        if (!isOnClassPath(platform, loader)) {
            return new UserError(
                    "The native libraries for this platform are not on the class path",
                    "platform " + platform,
                    "add the dependency " + artifact(platform) + "; " + WITHOUT,
                    cause);
        }
        return new UserError(
                "libtorch cannot be loaded: " + cause(cause),
                "platform " + platform,
                "check that the directory of " + Natives.DIRECTORY_PROPERTY
                        + " has free space and is not mounted noexec, and that the system is recent (Linux: glibc 2.28)",
                cause);
    }

    private static String artifact(String platform) {
        String version = Optional.ofNullable(NativeLibraries.class.getPackage().getImplementationVersion())
                .map(number -> ":" + number)
                .orElse("");
        return "org.plant4j:plant4j-native-" + platform + version + " (type pom in Maven)";
    }

    private static boolean isOnClassPath(String platform, @Nullable ClassLoader loader) {
        String library = platform.startsWith("windows")
                ? "jnitorch.dll"
                : platform.startsWith("macosx") ? "libjnitorch.dylib" : "libjnitorch.so";
        return VARIANTS.stream()
                .map(variant -> "org/bytedeco/pytorch/" + platform + variant + "/" + library)
                .anyMatch(name -> loader != null && loader.getResource(name) != null);
    }

    /** Why linking failed: what the native linker says, which other errors may wrap, otherwise the innermost message. */
    public static String cause(Throwable failure) {
        Throwable last = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof UnsatisfiedLinkError) {
                return ErrorMessages.firstLine(each);
            }
            last = each;
        }
        return ErrorMessages.firstLine(last);
    }
}
