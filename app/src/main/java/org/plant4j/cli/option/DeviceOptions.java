package org.plant4j.cli.option;

import org.plant4j.Coder;
import org.plant4j.Device;
import org.plant4j.Precision;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.tensor.Compute;
import picocli.CommandLine.Option;

/** The device and precision that a model runs with. */
public final class DeviceOptions {

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
            description = "Precision: float32, bfloat16 or, on a CPU, int8 (default: ${DEFAULT-VALUE}).")
    private Precision precision = Precision.FLOAT32;

    public Compute compute() {
        return Compute.of(device, precision);
    }

    public Coder load(RunDirectory run) {
        return Coder.builder(run.path()).device(device).precision(precision).load();
    }
}
