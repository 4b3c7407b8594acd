package org.plant4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DiagnosisTest {

    private static final long GIB = 1L << 30;
    private static final Map<String, String> HEALTHY = Map.of("engine", "libtorch", "cuda", "no");
    private static final Map<String, String> LAUNCHED = Map.of("GOMP_SPINCOUNT", "0");

    private static SystemInfo machine(String arch, Map<String, String> environment, long heap, boolean nvidiaDriver) {
        Map<String, String> properties = Map.of(
                "os.name", "Linux",
                "os.arch", arch,
                "sun.jnu.encoding", "UTF-8",
                "org.bytedeco.javacpp.maxPhysicalBytes", "0");
        return new SystemInfo(
                properties,
                environment,
                2,
                new SystemInfo.Memory(8 * GIB, 4 * GIB, heap),
                new SystemInfo.Directory(Path.of("work"), -1, 9 * GIB, true),
                new SystemInfo.Directory(Path.of("cache"), 0, 9 * GIB, true),
                nvidiaDriver);
    }

    private static List<String> found(SystemInfo machine, Map<String, String> engine) {
        return Diagnosis.of(machine, engine).problems().stream()
                .map(Diagnosis.Problem::what)
                .toList();
    }

    @Test
    void aHealthyMachineHasNoProblems() {
        Diagnosis diagnosis = Diagnosis.of(machine("amd64", LAUNCHED, 2 * GIB, false), HEALTHY);
        assertThat(diagnosis.problems()).isEmpty();
        assertThat(diagnosis.facts().get("System")).containsEntry("platform", "linux-x86_64");
    }

    @Test
    void anEngineThatDoesNotLoadIsBlocking() {
        Diagnosis diagnosis =
                Diagnosis.of(machine("amd64", LAUNCHED, 2 * GIB, false), Map.of("error", "no jnitorch in path"));
        assertThat(diagnosis.usable()).isFalse();
        assertThat(diagnosis.problems().get(0).where()).isEqualTo("no jnitorch in path");
    }

    @Test
    void anUnsupportedPlatformIsReportedInsteadOfTheLoadError() {
        assertThat(found(machine("aarch64", LAUNCHED, 2 * GIB, false), Map.of("error", "no jnitorch in path")))
                .containsExactly("The engine is not available for this platform");
    }

    @Test
    void aTooLargeHeapIsAProblem() {
        assertThat(found(machine("amd64", LAUNCHED, 7 * GIB, false), HEALTHY))
                .containsExactly("The Java heap leaves too little memory for the engine");
    }

    @Test
    void invalidThreadCountsAreReported() {
        Map<String, String> environment =
                Map.of("GOMP_SPINCOUNT", "0", "OMP_NUM_THREADS", "two", "OPENBLAS_NUM_THREADS", "3");
        assertThat(found(machine("amd64", environment, 2 * GIB, false), HEALTHY))
                .containsExactly("The number of threads is not a number", "There are more threads than cores");
    }

    @Test
    void startingJavaWithoutTheLauncherIsReported() {
        assertThat(found(machine("amd64", Map.of(), 2 * GIB, false), HEALTHY))
                .containsExactly("Java was started without the settings that make training fast");
    }

    @Test
    void anUnusedGpuIsReported() {
        SystemInfo machine = machine("amd64", LAUNCHED, 2 * GIB, true);
        assertThat(found(machine, HEALTHY)).hasSize(1);
        assertThat(found(machine, Map.of("cuda", "1 device: NVIDIA H200"))).isEmpty();
        assertThat(Diagnosis.of(machine, HEALTHY).usable()).isTrue();
    }
}
