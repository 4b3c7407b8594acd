package org.plant4j.tensor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvrtc;
import org.bytedeco.cuda.nvrtc._nvrtcProgram;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch_cuda;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CUDA kernels that NVRTC compiles at run time from a {@code .cu} resource and that read and write libtorch's tensors.
 * Launches are queued in libtorch's current stream, so they run after all earlier work on their arguments; tensors can be
 * closed right after a launch, since libtorch's allocator follows the order of the stream.
 */
public final class CudaKernels {

    private static final Logger LOG = LoggerFactory.getLogger(CudaKernels.class);
    private static final int ARGUMENT_BYTES = 8; // enough for pointers and numbers

    private final CUmod_st module;
    private final Map<String, CUfunc_st> functions = new ConcurrentHashMap<>();

    private CudaKernels(CUmod_st module) {
        this.module = module;
    }

    /** Blocks of threads of a launch. */
    public record Grid(long blocksX, long blocksY, int threads) {}

    /**
     * Compiles a resource of {@code owner} for the current GPU. Empty, with a message in the log, if NVRTC is missing or fails:
     * callers then use libtorch's own kernels.
     */
    public static Optional<CudaKernels> compile(Class<?> owner, String resource, String... options) {
        try (PointerScope scope = new PointerScope()) {
            Natives.load(torch_cuda.class);
            Natives.load(cudart.class);
            Natives.load(nvrtc.class);
            return Optional.of(load(compile(source(owner, resource), resource, architecture(), options)));
        } catch (LinkageError | IllegalStateException e) {
            LOG.warn("no compiled CUDA kernels, libtorch's are used instead: {}", e.toString());
            return Optional.empty();
        }
    }

    private static String source(Class<?> owner, String resource) {
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Such as {@code sm_90}. */
    private static String architecture() {
        int device = torch_cuda.current_device();
        checkCuda(cudart.cudaSetDevice(device)); // a thread that has not used the GPU yet has no context
        int[] major = new int[1];
        int[] minor = new int[1];
        checkCuda(cudart.cudaDeviceGetAttribute(major, cudart.cudaDevAttrComputeCapabilityMajor, device));
        checkCuda(cudart.cudaDeviceGetAttribute(minor, cudart.cudaDevAttrComputeCapabilityMinor, device));
        return "sm_" + major[0] + minor[0];
    }

    /** Machine code for one architecture: PTX of a newer NVRTC may be rejected by an older driver. */
    private static BytePointer compile(String source, String name, String architecture, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--gpu-architecture=" + architecture);
        PointerPointer<?> noHeaders = null;
        _nvrtcProgram program = new _nvrtcProgram();
        checkCompiler(nvrtc.nvrtcCreateProgram(
                program, new BytePointer(source), new BytePointer(name), 0, noHeaders, noHeaders));
        try {
            int result =
                    nvrtc.nvrtcCompileProgram(program, all.size(), new PointerPointer<>(all.toArray(String[]::new)));
            SizeTPointer size = new SizeTPointer(1);
            if (result != nvrtc.NVRTC_SUCCESS) {
                checkCompiler(nvrtc.nvrtcGetProgramLogSize(program, size));
                BytePointer log = new BytePointer(size.get());
                checkCompiler(nvrtc.nvrtcGetProgramLog(program, log));
                throw new IllegalStateException(name + " does not compile: " + log.getString());
            }
            checkCompiler(nvrtc.nvrtcGetCUBINSize(program, size));
            BytePointer code = new BytePointer(size.get());
            checkCompiler(nvrtc.nvrtcGetCUBIN(program, code));
            return code;
        } finally {
            checkCompiler(nvrtc.nvrtcDestroyProgram(program));
        }
    }

    private static CudaKernels load(BytePointer code) {
        CUmod_st module = new CUmod_st();
        checkCuda(cudart.cuModuleLoadData(module, code)); // copies the code
        module.retainReference(); // outlives the open scope, for the rest of the process
        return new CudaKernels(module);
    }

    /** Launches a kernel. Arguments are tensors, ints and floats as the kernel declares them; its result is not awaited. */
    public void launch(String kernel, Grid grid, Object... arguments) {
        CUfunc_st function = functions.computeIfAbsent(kernel, this::function);
        try (PointerScope scope = new PointerScope()) {
            // The driver expects the address of each argument, also of those that are addresses themselves.
            BytePointer values = new BytePointer((long) ARGUMENT_BYTES * arguments.length);
            PointerPointer<Pointer> addresses = new PointerPointer<>(arguments.length);
            for (int i = 0; i < arguments.length; i++) {
                long offset = (long) ARGUMENT_BYTES * i;
                put(values, offset, arguments[i]);
                addresses.put(i, values.getPointer(offset));
            }
            checkCuda(cudart.cuLaunchKernel(
                    function,
                    Math.toIntExact(grid.blocksX()),
                    Math.toIntExact(grid.blocksY()),
                    1,
                    grid.threads(),
                    1,
                    1,
                    0,
                    torch_cuda.getCurrentCUDAStream().stream(), // null is the default stream
                    addresses,
                    (PointerPointer<?>) null));
        }
    }

    private static void put(BytePointer values, long offset, Object argument) {
        if (argument instanceof Tensor tensor) {
            values.putLong(offset, tensor.numel() == 0 ? 0 : tensor.data_ptr().address());
        } else if (argument instanceof Integer number) {
            values.putInt(offset, number);
        } else if (argument instanceof Float number) {
            values.putFloat(offset, number);
        } else {
            throw new IllegalArgumentException("not a kernel argument: " + argument.getClass());
        }
    }

    private CUfunc_st function(String name) {
        CUfunc_st function = new CUfunc_st();
        checkCuda(cudart.cuModuleGetFunction(function, module, name));
        function.retainReference();
        return function;
    }

    static void checkCuda(int result) {
        if (result != cudart.CUDA_SUCCESS) {
            throw new IllegalStateException("CUDA error " + result);
        }
    }

    private static void checkCompiler(int result) {
        if (result != nvrtc.NVRTC_SUCCESS) {
            throw new IllegalStateException(
                    "NVRTC: " + nvrtc.nvrtcGetErrorString(result).getString());
        }
    }
}
