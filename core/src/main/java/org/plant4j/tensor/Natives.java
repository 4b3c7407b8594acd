package org.plant4j.tensor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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

    private static final String PROPERTIES = "org.bytedeco.javacpp.";

    /** If false, JavaCPP expects that its libraries are loaded. */
    private static final String LOAD_LIBRARIES = PROPERTIES + "loadlibraries";

    private static final String LOCK = ".plant4j.lock";

    private static final Set<Class<?>> LOADED = ConcurrentHashMap.newKeySet();

    private static volatile boolean reusingRecords;

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

    /**
     * Loads libraries by the paths that an earlier process found, without searching the class path, unless properties of
     * JavaCPP say otherwise. For programs in which only Plant4j uses JavaCPP.
     */
    public static void reuseRecords() {
        reusingRecords = System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(PROPERTIES))
                .allMatch(name -> name.equals(MAX_PHYSICAL_BYTES) || name.equals(DIRECTORY_PROPERTY));
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
            loadNow(bindings, directory);
        } catch (IOException e) {
            loadUnlocked(bindings, directory, e);
        }
        LOADED.add(bindings);
    }

    private static void loadNow(Class<?> bindings, Path directory) {
        if (LOADED.contains(bindings)) {
            return;
        }
        openModuleImage();
        Optional<LibraryRecord> record = reusingRecords
                ? LibraryRecord.of(bindings, directory, System.getProperty("java.class.path", ""))
                : Optional.empty();
        Optional<List<Path>> libraries = record.flatMap(LibraryRecord::read);
        if (libraries.isPresent() && loadRecorded(libraries.get())) {
            initialize(bindings);
        } else {
            if (reusingRecords) {
                System.clearProperty(LOAD_LIBRARIES); // it may be set for other bindings
            }
            Loader.load(bindings);
            record.ifPresent(each -> each.write(Loader.getLoadedLibraries()));
        }
    }

    /**
     * Opens the file with the JDK's classes. The JVM loads one native library at a time, and ours initialize classes while they are
     * loaded. If another thread opened the file at that time, it would wait for us to load the library that reads it, and we for
     * the file: a deadlock.
     */
    private static void openModuleImage() {
        try (InputStream image = Object.class.getResourceAsStream("Object.class")) {
            Objects.requireNonNull(image);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the JDK's classes", e);
        }
    }

    private static void initialize(Class<?> bindings) {
        try {
            Class.forName(bindings.getName(), true, bindings.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(bindings.getName());
        }
    }

    private static boolean loadRecorded(List<Path> libraries) {
        System.setProperty(LOAD_LIBRARIES, "false"); // before, because a library initializes classes when it is loaded
        try {
            libraries.forEach(library -> System.load(library.toString()));
            return true;
        } catch (UnsatisfiedLinkError e) {
            return false; // JavaCPP also loads what these depend on
        }
    }

    /** A read-only directory may already contain the libraries, as in a container image; otherwise loading fails. */
    private static void loadUnlocked(Class<?> bindings, Path directory, IOException reason) {
        LoggerFactory.getLogger(Natives.class) // here, since the start of logging would delay the loading
                .debug("no lock in {}: {}", directory, reason.toString());
        try {
            loadNow(bindings, directory);
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
