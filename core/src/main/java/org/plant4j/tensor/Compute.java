package org.plant4j.tensor;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.support.UserError;

/**
 * Where and how precisely tensors are computed; {@code labelMemory} are the bytes that tensors with a number for each
 * token and label may take while labels are decoded: where they would take more, labels are decoded in ranges.
 */
public record Compute(boolean cuda, Precision precision, long labelMemory) {

    /** Large enough to keep a GPU busy, a small part of what it has. */
    public static final long LABEL_MEMORY = 1L << 30;

    public static final List<String> DEVICES = List.of("auto", "cpu", "cuda");

    public static final Compute CPU = new Compute(false, Precision.FLOAT32);

    public Compute(boolean cuda, Precision precision) {
        this(cuda, precision, LABEL_MEMORY);
    }

    public Compute withLabelMemory(long bytes) {
        return new Compute(cuda, precision, bytes);
    }

    /** {@code device} is {@code auto}, {@code cpu} or {@code cuda}; auto takes a GPU where there is one. */
    public static Compute of(String device, Precision precision) {
        Engine.load();
        return switch (device.toLowerCase(Locale.ROOT)) {
            case "cpu" -> new Compute(false, precision);
            case "auto" -> new Compute(torch.cuda_is_available(), precision);
            case "cuda" -> {
                if (!torch.cuda_is_available()) {
                    throw new UserError(
                            "No CUDA device can be used",
                            "device: cuda",
                            "set `device: cpu` or `auto`; for a GPU start with PLANT_CUDA=1 ./plant doctor, which tells what is missing");
                }
                yield new Compute(true, precision);
            }
            default ->
                throw new UserError(
                        "There is no device '" + device + "'",
                        "device: " + device,
                        "use " + String.join(", ", DEVICES));
        };
    }

    /** Moves a tensor to this device, without waiting for a GPU. */
    public Tensor toDevice(Tensor tensor) {
        return cuda ? tensor.to(device(), tensor.scalar_type(), true, false, new MemoryFormatOptional()) : tensor;
    }

    public TensorOptions floatOptions() {
        return options(torch.ScalarType.Float, cuda);
    }

    private Device device() {
        return new Device(cuda ? torch.DeviceType.CUDA : torch.DeviceType.CPU);
    }

    private static TensorOptions options(torch.ScalarType type, boolean cuda) {
        TensorOptions options = new TensorOptions(type);
        return cuda ? options.device(new DeviceOptional(new Device(torch.DeviceType.CUDA))) : options;
    }

    /** Runs products in this precision until closed; nothing where it is float32. */
    public Autocast autocast() {
        return new Autocast(cuda ? torch.DeviceType.CUDA : torch.DeviceType.CPU, precision == Precision.BFLOAT16, true);
    }

    /** Leaves tensors in the precision they have until closed, also where products are cast. */
    public Autocast withoutAutocast() {
        return new Autocast(
                cuda ? torch.DeviceType.CUDA : torch.DeviceType.CPU, precision == Precision.BFLOAT16, false);
    }

    /** The loss in this precision, and its gradients left with the parameters. */
    public Tensor backward(Supplier<Tensor> loss) {
        Tensor value;
        try (Autocast autocast = autocast()) {
            value = loss.get();
        }
        value.backward(); // casts as the forward pass did: autocast must not meddle again
        return value;
    }

    /** libtorch's autocast flags of this thread, put back when closed. */
    public static final class Autocast implements AutoCloseable {
        private final torch.DeviceType device;
        private final boolean active;
        private final boolean before;
        private final boolean cachedBefore;

        private Autocast(torch.DeviceType device, boolean active, boolean cast) {
            this.device = device;
            this.active = active;
            this.before = active && torch.is_autocast_enabled(device);
            this.cachedBefore = active && torch.is_autocast_cache_enabled();
            if (active) {
                torch.set_autocast_dtype(device, torch.ScalarType.BFloat16);
                torch.set_autocast_enabled(device, cast);
                // Each weight is used once a pass, and a cached cast would outlive its update.
                torch.set_autocast_cache_enabled(false);
            }
        }

        @Override
        public void close() {
            if (active) {
                torch.set_autocast_enabled(device, before);
                torch.set_autocast_cache_enabled(cachedBefore); // one inside another must not let it cache
            }
        }
    }
}
