package org.plant4j.tensor;

import java.util.function.Supplier;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Device;
import org.plant4j.Precision;
import org.plant4j.UserError;

/**
 * Device and precision of computations.
 *
 * @param labelMemory bytes that (B, T, L) tensors may take while labels are decoded; if they would take more, labels are
 *     decoded in ranges
 * @param labelPrecision precision in which the weights of labels, and the moments of their optimizer, are stored
 * @param gpuOptions optimizations on a GPU
 */
public record Compute(
        boolean cuda, Precision precision, long labelMemory, Precision labelPrecision, GpuOptions gpuOptions) {

    static {
        Natives.configure();
    }

    /** Large enough to keep a GPU busy, small compared with its memory. */
    public static final long LABEL_MEMORY = 1L << 30;

    /** Rows of so many bfloat16 values are whole words of 16 bytes, which the fast kernels of cuBLAS require. */
    public static final int MULTIPLE = 8;

    public static final Compute CPU = new Compute(false, Precision.FLOAT32);

    public Compute(boolean cuda, Precision precision) {
        this(cuda, precision, LABEL_MEMORY);
    }

    public Compute(boolean cuda, Precision precision, long labelMemory) {
        this(cuda, precision, labelMemory, Precision.FLOAT32, GpuOptions.DEFAULT);
    }

    public Compute withLabelMemory(long bytes) {
        return new Compute(cuda, precision, bytes, labelPrecision, gpuOptions);
    }

    public Compute withLabelPrecision(Precision stored) {
        return new Compute(cuda, precision, labelMemory, stored, gpuOptions);
    }

    public Compute withGpuOptions(GpuOptions options) {
        return new Compute(cuda, precision, labelMemory, labelPrecision, options);
    }

    /** Whether products are faster if the numbers of labels and features are multiples of {@link #MULTIPLE}. */
    public boolean padsToMultiples() {
        return cuda && gpuOptions.paddedLabels();
    }

    /** The number of columns to add to {@code size} columns, so that products with them are fast; often 0. */
    public int padding(long size) {
        return padsToMultiples() ? (int) Math.floorMod(-size, (long) MULTIPLE) : 0;
    }

    /** Whether the large products of predictions run in int8. */
    public boolean quantizes() {
        return precision == Precision.INT8;
    }

    /**
     * Opens a device; throws if it is {@link Device#CUDA} and there is no GPU. With int8, {@link Device#AUTO} is the CPU. On
     * a CPU without instructions for bfloat16, float32 takes its place: it is faster there. Models without layers need no
     * libtorch.
     */
    public static Compute of(Device device, Precision precision) {
        return of(device, precision, CpuFeatures.bfloat16().orElse(true));
    }

    /** The same for a CPU with or without instructions for bfloat16. */
    static Compute of(Device device, Precision precision, boolean bfloat16Instructions) {
        return switch (device) {
            case CPU -> onCpu(precision, bfloat16Instructions);
            case AUTO ->
                precision != Precision.INT8 && Engine.isAvailable() && torch.cuda_is_available()
                        ? new Compute(true, precision)
                        : onCpu(precision, bfloat16Instructions);
            case CUDA -> {
                if (precision == Precision.INT8) {
                    throw new UserError(
                            "int8 runs on a CPU only",
                            "device: cuda, precision: int8",
                            "use the precision bfloat16 on a GPU, or the device cpu");
                }
                Engine.load();
                if (!torch.cuda_is_available()) {
                    throw new UserError(
                            "No CUDA device is available",
                            "device: cuda",
                            "set `device: cpu` or `auto`; to find out what a GPU needs, run PLANT_CUDA=1 ./plant doctor");
                }
                yield new Compute(true, precision);
            }
        };
    }

    private static Compute onCpu(Precision precision, boolean bfloat16Instructions) {
        boolean emulated = precision == Precision.BFLOAT16 && !bfloat16Instructions;
        return new Compute(false, emulated ? Precision.FLOAT32 : precision);
    }

    /** Refuses int8, in which there are no gradients. */
    public static void requireTrainable(Precision precision, String where) {
        if (precision == Precision.INT8) {
            throw new UserError(
                    "int8 is for predictions only",
                    where + ": int8",
                    "train in float32 or bfloat16, then predict with the precision int8");
        }
    }

    /** Copies a tensor to this device, asynchronously on a GPU. */
    public Tensor toDevice(Tensor tensor) {
        return cuda ? tensor.to(device(), tensor.scalar_type(), true, false, new MemoryFormatOptional()) : tensor;
    }

    /** Options of a float32 tensor on this device. */
    public TensorOptions floatOptions() {
        return options(torch.ScalarType.Float, cuda);
    }

    private org.bytedeco.pytorch.Device device() {
        return new org.bytedeco.pytorch.Device(cuda ? torch.DeviceType.CUDA : torch.DeviceType.CPU);
    }

    private static TensorOptions options(torch.ScalarType type, boolean cuda) {
        TensorOptions options = new TensorOptions(type);
        return cuda
                ? options.device(new DeviceOptional(new org.bytedeco.pytorch.Device(torch.DeviceType.CUDA)))
                : options;
    }

    /** Enables autocast to this precision until closed; does nothing for float32. */
    public Autocast autocast() {
        return new Autocast(cuda ? torch.DeviceType.CUDA : torch.DeviceType.CPU, precision == Precision.BFLOAT16, true);
    }

    /** Disables autocast until closed. */
    public Autocast withoutAutocast() {
        return new Autocast(
                cuda ? torch.DeviceType.CUDA : torch.DeviceType.CPU, precision == Precision.BFLOAT16, false);
    }

    /** Computes a loss under autocast and accumulates its gradients in the parameters. */
    public Tensor backward(Supplier<Tensor> loss) {
        Tensor value;
        try (Autocast autocast = autocast()) {
            value = loss.get();
        }
        value.backward(); // outside of autocast: backward repeats the casts of the forward pass
        return value;
    }

    /** Sets libtorch's autocast flags of this thread; closing restores them. */
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
                // Each weight is used once per pass, and a cached cast would outlive the weight's update.
                torch.set_autocast_cache_enabled(false);
            }
        }

        @Override
        public void close() {
            if (active) {
                torch.set_autocast_enabled(device, before);
                torch.set_autocast_cache_enabled(cachedBefore); // a nested scope must not enable the cache
            }
        }
    }
}
