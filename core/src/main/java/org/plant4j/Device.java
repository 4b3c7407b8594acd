package org.plant4j;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The processor that a model runs on. */
public enum Device {
    /** A GPU if there is one, otherwise the CPU. */
    AUTO,

    /** The CPU. */
    CPU,

    /** An NVIDIA GPU; without one, loading a model fails with a {@link UserError}. */
    CUDA;

    /**
     * The device with this name in any case: {@code auto}, {@code cpu} or {@code cuda}.
     *
     * @param name the name of a device
     * @return the device
     */
    public static Device of(String name) {
        return Arrays.stream(values())
                .filter(device -> device.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "Unknown device '" + name + "'",
                        "device: " + name,
                        "use " + Arrays.stream(values()).map(Device::toString).collect(Collectors.joining(", "))));
    }

    /** The name in settings and options, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
