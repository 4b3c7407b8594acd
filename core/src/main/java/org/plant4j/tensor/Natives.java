package org.plant4j.tensor;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.javacpp.Loader;
import org.plant4j.UserError;
import org.slf4j.LoggerFactory;

/**
 * Loads native libraries one process at a time. JavaCPP extracts them to one directory per user, and a process that maps a
 * library while another one still writes it crashes (bytedeco/javacpp#608); a file lock prevents this.
 */
public final class Natives {

    /** JavaCPP's property for the directory that libraries are extracted to. */
    public static final String DIRECTORY_PROPERTY = "org.bytedeco.javacpp.cachedir";

    private static final String MAX_PHYSICAL_BYTES = "org.bytedeco.javacpp.maxPhysicalBytes";

    private static final String LOCK = ".plant4j.lock";

    private static final Set<Class<?>> LOADED = ConcurrentHashMap.newKeySet();

    static {
        configure();
    }

    private Natives() {}

    /**
     * Sets JavaCPP's properties before its first class reads them, unless the command line has set them. By default every
     * allocation asks the operating system for the size of the process, which takes longer than the allocation.
     */
    static void configure() {
        if (System.getProperty(MAX_PHYSICAL_BYTES) == null) {
            System.setProperty(MAX_PHYSICAL_BYTES, "0");
        }
    }

    /** Loads the libraries behind a JavaCPP class; later calls do nothing. */
    public static void load(Class<?> bindings) {
        if (!LOADED.contains(bindings)) {
            loadLocked(bindings);
        }
    }

    static boolean isLoaded(Class<?> bindings) {
        return LOADED.contains(bindings);
    }

    private static synchronized void loadLocked(Class<?> bindings) { // a JVM must not lock a file twice
        Path directory = directory();
        try (FileChannel channel =
                        FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            loadNow(bindings);
        } catch (IOException e) {
            loadUnlocked(bindings, directory, e);
        }
        LOADED.add(bindings);
    }

    private static void loadNow(Class<?> bindings) {
        if (!LOADED.contains(bindings)) {
            Loader.load(bindings);
        }
    }

    /** A read-only directory may already contain the libraries, as in a container image; otherwise loading fails. */
    private static void loadUnlocked(Class<?> bindings, Path directory, IOException reason) {
        LoggerFactory.getLogger(Natives.class) // here, since the start of logging would delay the loading
                .debug("no lock in {}: {}", directory, reason.toString());
        try {
            loadNow(bindings);
        } catch (LinkageError e) {
            e.addSuppressed(reason);
            throw notWritable(directory.toString(), e);
        }
    }

    private static Path directory() {
        try {
            return Loader.getCacheDir().toPath();
        } catch (IOException e) {
            throw notWritable(String.valueOf(System.getProperty(DIRECTORY_PROPERTY, "~/.javacpp/cache")), e);
        }
    }

    private static UserError notWritable(String directory, Throwable cause) {
        return new UserError(
                "The native libraries cannot be extracted: the directory is not writable",
                directory,
                "make it writable, or choose another directory: PLANT_JAVA_OPTS=-D" + DIRECTORY_PROPERTY + "=DIR",
                cause);
    }
}
