package org.plant4j.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The GPUs of this machine as CUDA names them, to give one to each process. */
final class Gpus {

    /** The environment variable that selects the GPUs of a process. */
    static final String VARIABLE = "CUDA_VISIBLE_DEVICES";

    private static final Path DRIVER = Path.of("/proc/driver/nvidia/gpus"); // one directory per GPU

    private Gpus() {}

    /** Those that this process may use; empty if there are none. */
    static Optional<List<String>> visible() {
        return visible(Optional.ofNullable(System.getenv(VARIABLE)), count());
    }

    static Optional<List<String>> visible(Optional<String> variable, int count) {
        List<String> gpus = variable.map(names -> Stream.of(names.split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList())
                .orElseGet(() ->
                        IntStream.range(0, count).mapToObj(Integer::toString).toList());
        return gpus.isEmpty() ? Optional.empty() : Optional.of(gpus);
    }

    private static int count() {
        try (Stream<Path> gpus = Files.list(DRIVER)) {
            return (int) gpus.count();
        } catch (IOException e) {
            return 0; // no NVIDIA driver
        }
    }
}
