package org.plant4j.distributed;

import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.global.torch_gloo;
import org.bytedeco.pytorch.global.torch_nccl;
import org.plant4j.UserError;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.NativeLibraries;
import org.plant4j.tensor.Natives;

/** The native libraries of process groups: Gloo, which every group needs, and NCCL. */
public final class GroupLibraries {

    private GroupLibraries() {}

    /** Loads libtorch and Gloo. */
    static void requireGloo() {
        Engine.load();
        try {
            Natives.load(torch_gloo.class);
        } catch (LinkageError e) {
            throw new UserError(
                    "Training across processes needs Gloo: " + NativeLibraries.cause(e),
                    System.getProperty("os.name", ""),
                    "use Linux, or train in one process",
                    e);
        }
        try {
            new Milliseconds(0).close(); // JavaCPP does not report that its own library is missing
        } catch (LinkageError e) {
            throw new UserError(
                    "Training across processes needs the native library of JavaCPP: " + NativeLibraries.cause(e),
                    "libjnijavacpp",
                    "add org.bytedeco:javacpp with the classifier " + Loader.getPlatform() + " to the class path",
                    e);
        }
    }

    /** Loads NCCL, and the CUDA libraries that its bindings need. */
    static void requireNccl() {
        try {
            Natives.load(torch_nccl.class);
        } catch (LinkageError e) {
            throw new UserError(
                    "NCCL cannot be loaded: " + NativeLibraries.cause(e),
                    "--backend nccl",
                    "install NCCL 2 for CUDA 13, or use --backend gloo",
                    e);
        }
    }

    /** What can be loaded, for bug reports; never throws. */
    public static String describe(boolean cuda) {
        try {
            requireGloo();
        } catch (UserError e) {
            return e.what();
        } catch (LinkageError | RuntimeException e) {
            return "Gloo cannot be loaded: " + NativeLibraries.cause(e);
        }
        try {
            if (cuda) {
                requireNccl();
            }
            return cuda ? "Gloo, NCCL" : "Gloo";
        } catch (UserError e) {
            return "Gloo; " + e.what();
        } catch (LinkageError | RuntimeException e) {
            return "Gloo; NCCL cannot be loaded: " + NativeLibraries.cause(e);
        }
    }
}
