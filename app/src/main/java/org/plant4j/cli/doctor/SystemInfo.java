package org.plant4j.cli.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/** The machine as {@code plant doctor} sees it; sizes in bytes, -1 where they cannot be read. */
public record SystemInfo(
        Map<String, String> properties,
        Map<String, String> environment,
        int cores,
        long memory,
        long freeMemory,
        long heap,
        Path directory,
        long freeDisk,
        Path cache,
        long cacheSize,
        long cacheFreeDisk,
        boolean cacheWritable,
        boolean nvidiaDriver) {

    static SystemInfo current() {
        Map<String, String> properties = System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, name -> System.getProperty(name, "")));
        Path folder = Path.of("").toAbsolutePath();
        Path cache = cache(properties);
        return new SystemInfo(
                properties,
                System.getenv(),
                Runtime.getRuntime().availableProcessors(),
                memory("TotalMemorySize"),
                memory("FreeMemorySize"),
                Runtime.getRuntime().maxMemory(),
                folder,
                freeDisk(folder),
                cache,
                size(cache),
                freeDisk(existing(cache)),
                Files.isWritable(existing(cache)),
                hasNvidiaDriver());
    }

    /** Of the machine, or of the container where that has a limit; by name, since the bean's type is not portable. */
    private static long memory(String attribute) {
        try {
            ObjectName system = new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME);
            return (Long) ManagementFactory.getPlatformMBeanServer().getAttribute(system, attribute);
        } catch (JMException e) {
            return -1;
        }
    }

    /** Where JavaCPP unpacks the native libraries. */
    private static Path cache(Map<String, String> properties) {
        String home = properties.getOrDefault("user.home", ".");
        Path standard = Path.of(home, ".javacpp", "cache");
        return Path.of(properties.getOrDefault("org.bytedeco.javacpp.cachedir", standard.toString()));
    }

    /** The folder itself, or the nearest above it that is there already. */
    private static Path existing(Path folder) {
        Path nearest = folder.toAbsolutePath();
        while (!Files.exists(nearest) && nearest.getParent() != null) {
            nearest = nearest.getParent();
        }
        return nearest;
    }

    private static long freeDisk(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            return -1;
        }
    }

    private static long size(Path folder) {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return -1;
        }
    }

    private static boolean hasNvidiaDriver() {
        return Files.exists(Path.of("/proc/driver/nvidia/version")) || Files.exists(Path.of("/dev/nvidiactl"));
    }

    /** The distribution's name on Linux, which the kernel's version does not tell. */
    static String distribution() {
        try (Stream<String> lines = Files.lines(Path.of("/etc/os-release"), StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("PRETTY_NAME="))
                    .map(line -> line.substring("PRETTY_NAME=".length()).replace("\"", ""))
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    String property(String name) {
        return properties.getOrDefault(name, "");
    }

    /** The platform in the engine's own words, such as linux-x86_64. */
    String platform() {
        String os = property("os.name").toLowerCase(Locale.ROOT);
        String arch = property("os.arch");
        String system = os.startsWith("mac") ? "macosx" : os.startsWith("windows") ? "windows" : os;
        String processor = switch (arch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm64";
            default -> arch;
        };
        return system + "-" + processor;
    }
}
