package org.plant4j.app;

import org.plant4j.nn.Precision;
import org.plant4j.predict.Coder;
import org.plant4j.predict.RunFolder;
import picocli.CommandLine.Option;

/** Where a model runs. */
final class DeviceOptions {

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "auto",
            description = "auto, cpu or cuda (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = "--precision",
            paramLabel = "PRECISION",
            defaultValue = "float32",
            description = "float32 or bfloat16 (default: ${DEFAULT-VALUE}).")
    private Precision precision = Precision.FLOAT32;

    Coder load(RunFolder run) {
        return Coder.load(run.path(), device, precision);
    }
}
