package org.plant4j.tensor;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Precision;
import org.plant4j.UserError;

/** Loads and configures libtorch, and describes it for bug reports. */
public final class Engine {

    static {
        Natives.configure();
    }

    private static volatile int threads; // 0: not known yet

    private Engine() {}

    /** Loads the native libraries, one process at a time; later calls do nothing. */
    public static void load() {
        try {
            Natives.load(torch.class);
            Natives.load(openblas_nolapack.class);
        } catch (LinkageError e) {
            throw NativeLibraries.explain(Loader.getPlatform(), torch.class.getClassLoader(), e);
        }
    }

    /** Whether libtorch can be loaded. Corpora, metrics and linear models do not need it. */
    public static boolean isAvailable() {
        try {
            load();
            return true;
        } catch (UserError e) {
            return false;
        }
    }

    /** Whether the native libraries have been loaded. */
    static boolean isLoaded() {
        return Natives.isLoaded(torch.class) && Natives.isLoaded(openblas_nolapack.class);
    }

    /** Sets the number of threads of both thread pools: libtorch's and that of OpenBLAS. */
    public static void setThreads(int count) {
        load();
        threads = count;
        useThreads(count);
    }

    /** The number of threads that {@link #setThreads} has set, or that libtorch has chosen. */
    static int threads() {
        if (threads == 0) {
            threads = torch.get_num_threads();
        }
        return threads;
    }

    /** Sets the threads of libtorch for computations of this Java thread, and those of OpenBLAS for all. */
    static void useThreads(int count) {
        torch.set_num_threads(count);
        openblas_nolapack.blas_set_num_threads(count);
    }

    /** Restores {@link #threads} for computations of this Java thread, and for OpenBLAS if {@code blas}. */
    static void restoreThreads(boolean blas) {
        torch.set_num_threads(threads());
        if (blas) {
            openblas_nolapack.blas_set_num_threads(threads());
        }
    }

    /** Seeds libtorch's random number generators on every device. */
    public static void setSeed(long seed) {
        load();
        torch.manual_seed(seed);
    }

    /** Whether products in bfloat16 are faster than in float32: only on CPUs with instructions for them. */
    public static boolean hasFastBfloat16() {
        return FastBfloat16.SUPPORTED;
    }

    /** Whether products in int8 are faster than in float32: only on CPUs with instructions for them. */
    public static boolean hasFastInt8() {
        return CpuFeatures.vnni().orElse(false) && Context.hasMKLDNN();
    }

    /** Asked once, and only when needed. */
    private static final class FastBfloat16 {
        static final boolean SUPPORTED = ask();

        private static boolean ask() {
            try (PointerScope scope = new PointerScope()) {
                return CpuFeatures.bfloat16().orElse(true)
                        && Context.hasMKLDNN()
                        && DispatcherCall.call("mkldnn::_is_mkldnn_bf16_supported")
                                .get(0)
                                .toBool();
            }
        }
    }

    /** Versions and capabilities for a bug report, in order; never throws. */
    public static Map<String, String> describe() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("engine", name());
        try (PointerScope scope = new PointerScope()) {
            load();
            facts.put("cpu capability", torch.get_cpu_capability().getString());
            facts.put("oneDNN", Context.hasMKLDNN() ? "yes" : "no");
            facts.put("torch threads", String.valueOf(torch.get_num_threads()));
            facts.put(
                    "OpenBLAS",
                    openblas_nolapack.OPENBLAS_VERSION.strip().replace("OpenBLAS ", "") + ", separate thread pool");
            facts.put("bfloat16", bfloat16());
            facts.put("cuda", cuda());
        } catch (UserError e) {
            facts.put("error", e.what());
            facts.put("remedy", e.remedy());
        } catch (LinkageError | RuntimeException e) {
            facts.put("error", NativeLibraries.cause(e));
        }
        return facts;
    }

    /** The version of libtorch's bindings and the platform; loads nothing. */
    public static String name() {
        return "libtorch through Bytedeco " + version() + " on " + Loader.getPlatform();
    }

    private static String version() {
        String version = torch.class.getPackage().getImplementationVersion();
        return version == null ? "of unknown version" : version;
    }

    private static String bfloat16() {
        Tensor half = torch.ones(new long[] {2, 2}, new TensorOptions(torch.ScalarType.BFloat16));
        boolean works = half.matmul(half).sum().item_float() == 8f;
        if (!works) {
            return "gives wrong results";
        }
        return hasFastBfloat16() ? "works" : "works, but the CPU has no instructions for it";
    }

    private static String cuda() {
        if (!torch.cuda_is_available()) {
            return "no device";
        }
        // A small product is a better check than a version: it fails if driver and library do not match.
        Tensor probe = new Compute(true, Precision.FLOAT32).toDevice(torch.ones(2, 2));
        boolean works = probe.matmul(probe).sum().item_float() == 8f;
        return works ? "works" : "gives wrong results";
    }
}
