package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CpuFeaturesTest {

    private static Set<String> flags(String... lines) {
        return CpuFeatures.flags(Stream.of(lines)).orElseThrow();
    }

    @Test
    void cascadeLakeHasVnniButNoBfloat16() {
        Set<String> flags = flags(
                "processor\t: 0",
                "vendor_id\t: GenuineIntel",
                "flags\t\t: fpu vme avx2 avx512f avx512bw avx512vl avx512_vnni",
                "bugs\t\t: spectre_v1");
        assertThat(CpuFeatures.hasVnni(flags)).isTrue();
        assertThat(CpuFeatures.hasBfloat16(flags)).isFalse();
    }

    @Test
    void zen4AndSapphireRapidsAndArmHaveBfloat16() {
        assertThat(CpuFeatures.hasBfloat16(flags("flags\t\t: fpu avx512_bf16 avx512_vnni")))
                .isTrue();
        assertThat(CpuFeatures.hasBfloat16(flags("flags\t\t: fpu amx_bf16 amx_tile")))
                .isTrue();
        assertThat(CpuFeatures.hasBfloat16(flags("Features\t: fp asimd sve i8mm bf16")))
                .isTrue();
    }

    @Test
    void flagsAreUnknownIfTheSystemListsNone() {
        assertThat(CpuFeatures.flags(Stream.of("processor\t: 0", "flags\t\t:"))).isEmpty();
    }
}
