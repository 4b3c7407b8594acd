package org.plant4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.InvalidPathException;
import org.junit.jupiter.api.Test;

class ErrorHandlerTest {

    @Test
    void runningOutOfMemoryComesWithAdvice() {
        assertThat(ErrorHandler.toUserError(new OutOfMemoryError("Java heap space"))
                        .orElseThrow())
                .hasMessageContaining("-Xmx");
        assertThat(ErrorHandler.toUserError(new RuntimeException("CUDA out of memory. Tried to allocate 2.00 GiB"))
                        .orElseThrow())
                .hasMessageContaining("smaller batch");
        assertThat(ErrorHandler.toUserError(new RuntimeException("[enforce fail at alloc_cpu.cpp:127] err == 0. "
                                + "DefaultCPUAllocator: can't allocate memory: you tried to allocate 4 bytes"))
                        .orElseThrow())
                .hasMessageContaining("smaller batch");
    }

    @Test
    void anInvalidPathIsAUserError() {
        assertThat(ErrorHandler.toUserError(new InvalidPathException("a\0b", "Nul character not allowed"))
                        .orElseThrow())
                .hasMessageContaining("Not a valid path: Nul character not allowed");
    }

    @Test
    void aLibraryThatCannotBeLoadedIsNamed() {
        assertThat(ErrorHandler.toUserError(new IllegalStateException(new UnsatisfiedLinkError("no jninccl in path"))))
                .hasValueSatisfying(error -> assertThat(error.where()).isEqualTo("libtorch: no jninccl in path"));
    }

    @Test
    void aClassThatCannotBeInitializedIsNamedByItsCause() {
        NoClassDefFoundError wrapped = new NoClassDefFoundError("Could not initialize class org.bytedeco.pytorch.Gloo");
        wrapped.initCause(new UnsatisfiedLinkError("libgloo.so: undefined symbol: bind"));
        assertThat(ErrorHandler.toUserError(wrapped))
                .hasValueSatisfying(
                        error -> assertThat(error.where()).isEqualTo("libtorch: libgloo.so: undefined symbol: bind"));
    }
}
