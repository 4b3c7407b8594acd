package org.plant4j.cli.bench;

import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Precision;
import picocli.CommandLine.Option;

/** Where and how long a benchmark runs. */
final class BenchOptions {

    @Option(names = "--steps", defaultValue = "20", description = "Steps a round (default ${DEFAULT-VALUE}).")
    private int steps = 20;

    @Option(
            names = "--rounds",
            defaultValue = "4",
            description = "Rounds; the first warms up and is not counted (default ${DEFAULT-VALUE}).")
    private int rounds = 4;

    @Option(names = "--device", defaultValue = "auto", description = "auto, cpu or cuda (default ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = "--precision",
            defaultValue = "float32",
            description = "float32 or bfloat16 (default ${DEFAULT-VALUE}).")
    private Precision precision = Precision.FLOAT32;

    @Option(names = "--threads", defaultValue = "0", description = "Threads; 0 leaves it to the engine.")
    private int threads;

    int steps() {
        return steps;
    }

    int rounds() {
        return rounds;
    }

    Precision precision() {
        return precision;
    }

    /** Checks them, sets the threads and opens the device. */
    Compute open() {
        atLeast(1, "--steps", steps);
        atLeast(2, "--rounds", rounds);
        atLeast(0, "--threads", threads);
        if (threads > 0) {
            Engine.setThreads(threads);
        }
        return Compute.of(device, precision);
    }

    static void atLeast(int least, String option, int value) {
        if (value < least) {
            throw new UserError(value + " is too little", option, "use " + least + " or more");
        }
    }
}
