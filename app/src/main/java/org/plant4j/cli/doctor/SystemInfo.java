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

/** Properties of the machine; sizes in bytes, -1 if unknown. */
record SystemInfo(
        Map<String, String> properties,
        Map<String, String> environment,
        int cores,
        Memory memory,
        Directory workingDirectory,
        Directory libraryCache,
        boolean nvidiaDriver) {

    /** Memory of the machine, and the maximum size of the Java heap. */
    record Memory(long total, long free, long heapLimit) {}

    /** A directory, the size of its files, and the free space on its disk. */
    record Directory(Path path, long size, long freeDisk, boolean writable) {

        static Directory of(Path path) {
            Path existing = existing(path);
            return new Directory(
                    path, SystemInfo.size(path), SystemInfo.freeDisk(existing), Files.isWritable(existing));
        }
    }

    static SystemInfo current() {
        Map<String, String> properties = System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, name -> System.getProperty(name, "")));
        Path working = Path.of("").toAbsolutePath();
        return new SystemInfo(
                properties,
                System.getenv(),
                Runtime.getRuntime().availableProcessors(),
                new Memory(
                        memory("TotalMemorySize"),
                        memory("FreeMemorySize"),
                        Runtime.getRuntime().maxMemory()),
                new Directory(working, -1, freeDisk(working), Files.isWritable(working)),
                Directory.of(cache(properties)),
                hasNvidiaDriver());
    }

    /** Of the machine, or of a container with a memory limit. Read by name, because the type of the bean is not portable. */
    private static long memory(String attribute) {
        try {
            ObjectName system = new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME);
            return (Long) ManagementFactory.getPlatformMBeanServer().getAttribute(system, attribute);
        } catch (JMException e) {
            return -1;
        }
    }

    /** The directory to which JavaCPP extracts native libraries. */
    private static Path cache(Map<String, String> properties) {
        String home = properties.getOrDefault("user.home", ".");
        Path standard = Path.of(home, ".javacpp", "cache");
        return Path.of(properties.getOrDefault("org.bytedeco.javacpp.cachedir", standard.toString()));
    }

    /** The directory itself, or its nearest existing parent. */
    private static Path existing(Path directory) {
        Path nearest = directory.toAbsolutePath();
        while (!Files.exists(nearest) && nearest.getParent() != null) {
            nearest = nearest.getParent();
        }
        return nearest;
    }

    private static long freeDisk(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            return -1;
        }
    }

    private static long size(Path directory) {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(directory)) {
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

    /** The name of the Linux distribution, or an empty string. */
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

    /** The platform as JavaCPP names it, such as linux-x86_64. */
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
