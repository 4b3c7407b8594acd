package org.plant4j.cli.bench;

import java.util.Locale;
import org.plant4j.Device;
import org.plant4j.Precision;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.train.FineTuning;
import picocli.CommandLine.Option;

/** The options of every benchmark: number of steps, device, precision, threads. */
final class BenchOptions {

    static final double LEARNING_RATE = 1e-3;
    static final double WEIGHT_DECAY = 0.01;
    static final FineTuning FINE_TUNING = FineTuning.uniform(LEARNING_RATE, WEIGHT_DECAY);

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "20",
            description = "Steps per round (default: ${DEFAULT-VALUE}).")
    private int steps = 20;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of rounds; the first is a warm-up (default: ${DEFAULT-VALUE}).")
    private int rounds = 4;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "auto",
            description = "Device: auto, cpu or cuda (default: ${DEFAULT-VALUE}).")
    private Device device = Device.AUTO;

    @Option(
            names = "--precision",
            paramLabel = "PRECISION",
            defaultValue = "float32",
            description =
                    "Precision: float32, bfloat16 or, for predictions on a CPU, int8 (default: ${DEFAULT-VALUE}).")
    private Precision precision = Precision.FLOAT32;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number of threads (default: chosen by libtorch).")
    private int threads;

    int steps() {
        return steps;
    }

    int rounds() {
        return rounds;
    }

    /** Checks the options, sets the number of threads and opens the device. */
    Compute open() {
        OptionCheck.atLeast(1, "--steps", steps);
        OptionCheck.atLeast(2, "--rounds", rounds);
        OptionCheck.atLeast(0, "--threads", threads);
        if (threads > 0) {
            Engine.setThreads(threads);
        }
        return Compute.of(device, precision);
    }

    /** Device and precision, such as "cuda, bfloat16". */
    String describe(Compute compute) {
        return (compute.cuda() ? "cuda" : "cpu") + ", " + precision.name().toLowerCase(Locale.ROOT);
    }
}
