package org.plant4j.cli.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.UserError;

/** Runs a benchmark with some build of Plant4j in a process of its own and reads the times that it prints. */
final class BuildRun {

    /** A row of a benchmark's table: a name, two or more spaces, and the median in milliseconds. */
    private static final Pattern ROW = Pattern.compile("^(\\S.*?) {2,}([0-9][0-9,]*\\.[0-9]+)(\\s.*)?$");

    private final List<String> command;

    private BuildRun(List<String> command) {
        this.command = command;
    }

    /** The build that is running. */
    static BuildRun present() {
        return new BuildRun(java(List.of("-cp", System.getProperty("java.class.path", ""), "org.plant4j.cli.Main")));
    }

    /** The build of a jar that can be started with {@code java -jar}. */
    static BuildRun of(Path jar) {
        return new BuildRun(java(List.of("-jar", jar.toString())));
    }

    private static List<String> java(List<String> program) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0"));
        command.addAll(program);
        return command;
    }

    /** Medians in milliseconds by row. */
    Map<String, Double> medians(List<String> arguments) {
        List<String> all = new ArrayList<>(command);
        all.add("bench");
        all.addAll(arguments);
        try {
            Process process = new ProcessBuilder(all)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectInput(ProcessBuilder.Redirect.from(nullDevice()))
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Map<String, Double> medians = parse(output);
            if (process.waitFor() != 0 || medians.isEmpty()) {
                throw new UserError(
                        "The benchmark failed",
                        String.join(" ", all),
                        "run this command by itself to see why; an earlier version may need --rename for its options");
            }
            return medians;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static File nullDevice() {
        return new File(System.getProperty("os.name", "").startsWith("Windows") ? "NUL" : "/dev/null");
    }

    static Map<String, Double> parse(String output) {
        Map<String, Double> medians = new LinkedHashMap<>();
        for (String line : output.lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                medians.put(row.group(1), Double.parseDouble(row.group(2).replace(",", "")));
            }
        }
        return medians;
    }
}
