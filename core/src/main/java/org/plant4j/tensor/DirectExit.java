package org.plant4j.tensor;

import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.pytorch.MemCopyFunction;
import org.bytedeco.pytorch.global.torch;

/**
 * Ends the process without the static destructors of native libraries. The JVM does not stop its threads at exit; those that
 * still compute crash or hang when libtorch and OpenBLAS are destroyed under them. This skips the exit handlers of all
 * native libraries, so it is meant for programs whose only native libraries are these.
 */
public final class DirectExit {

    private DirectExit() {}

    /** From now on, the JVM exits directly once all shutdown hooks have ended. Has an effect on Linux only. */
    public static void enable() {
        Runtime.getRuntime().addShutdownHook(new Thread(DirectExit::skipExitHandlers, "direct-exit"));
    }

    /** Calls {@code on_exit(_exit, NULL)}: exit handlers run in reverse order, so this one is the first and the last. */
    private static void skipExitHandlers() {
        Pointer onExit = Natives.isLoaded(torch.class) ? Loader.addressof("on_exit") : null; // only glibc has it
        if (onExit == null) {
            return;
        }
        // JavaCPP calls the address that a function pointer points to. Java 17 has no other way to call a C function;
        // any type with two pointers as parameters will do, since C functions ignore further arguments.
        try (PointerPointer<Pointer> address = new PointerPointer<>(1);
                MemCopyFunction function = new MemCopyFunction(address.put(0, onExit))) {
            function.call(Loader.addressof("_exit"), new Pointer(), 0);
        }
    }
}
