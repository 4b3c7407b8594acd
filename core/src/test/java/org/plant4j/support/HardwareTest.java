package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HardwareTest {

    /** As nvidia-smi prints them; the memory of processes of other users can be hidden. */
    private static final String PROCESSES = "17, 512\n4711, 2178\n4712, [N/A]\n471, 3\n";

    @Test
    void theMemoryOfAProcessIsFoundByItsId() {
        assertThat(Hardware.ofProcess(PROCESSES, 4711)).hasValue(2178L << 20);
    }

    @Test
    void aProcessThatIsNotListedHasNoMemory() {
        assertThat(Hardware.ofProcess(PROCESSES, 4712)).isEmpty();
        assertThat(Hardware.ofProcess(PROCESSES, 47)).isEmpty();
        assertThat(Hardware.ofProcess("NVIDIA-SMI has failed", 47)).isEmpty();
    }

    @Test
    void theProcessorIsNamedWithoutAGpu() {
        assertThat(Hardware.processor(false)).matches("CPU, (1 core|[0-9]+ cores)");
        assertThat(Hardware.isGpu(Hardware.processor(false))).isFalse();
        assertThat(Hardware.isGpu("NVIDIA H200")).isTrue();
    }
}
