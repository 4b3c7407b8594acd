package org.plant4j.cli.option;

import java.util.Iterator;
import org.plant4j.Coder;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Precision;
import picocli.CommandLine.Option;

/** The device and precision that a model runs with. */
public final class DeviceOptions {

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = Devices.class,
            defaultValue = "auto",
            description = "Device: auto, cpu or cuda (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = "--precision",
            paramLabel = "PRECISION",
            defaultValue = "float32",
            description = "Precision: float32 or bfloat16 (default: ${DEFAULT-VALUE}).")
    private Precision precision = Precision.FLOAT32;

    /** Values for shell completion. */
    static final class Devices implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Compute.DEVICES.iterator();
        }
    }

    public Compute compute() {
        return Compute.of(device, precision);
    }

    public Coder load(RunDirectory run) {
        return Coder.load(run.path(), device, precision);
    }
}
