package org.plant4j.cli.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.plant4j.pipeline.Pipeline;

/** Starts this program again in another JVM with the same options and class path. */
final class ChildJvm {

    private static final String TERMINAL = "-Dplant.terminal";

    private ChildJvm() {}

    /** The command line; {@code terminal} tells whether the child writes to the terminal of this process. */
    static List<String> command(String mainClass, List<String> arguments, boolean terminal) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> (terminal || !argument.startsWith(TERMINAL)) && !argument.startsWith("-agentlib"))
                .forEach(command::add);
        command.add("-D" + Pipeline.COMMAND_START + "="
                + ManagementFactory.getRuntimeMXBean().getStartTime());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        return command;
    }

    /** Divides the cores between processes: too many threads that busy-wait for each other are slower than one. */
    static Map<String, String> shareOfCores(int processes) {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / processes);
        return Map.of(
                "OMP_NUM_THREADS",
                Integer.toString(threads),
                "OPENBLAS_NUM_THREADS",
                Integer.toString(threads),
                "GOMP_SPINCOUNT",
                "0",
                "OPENBLAS_THREAD_TIMEOUT",
                "4");
    }
}
