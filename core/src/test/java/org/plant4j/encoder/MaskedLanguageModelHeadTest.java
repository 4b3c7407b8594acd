package org.plant4j.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.values;
import static org.plant4j.tensor.Golden.wave;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.junit.jupiter.api.Test;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Golden;

class MaskedLanguageModelHeadTest {

    @Test
    void parametersAreNamedAsInBertCheckpoints() {
        try (MaskedLanguageModelHead head = new MaskedLanguageModelHead(5, 3, 1e-12, Compute.CPU)) {
            assertThat(head.parameters())
                    .containsOnlyKeys(
                            "transform.LayerNorm.weight",
                            "transform.LayerNorm.bias",
                            "bias",
                            "transform.dense.weight",
                            "transform.dense.bias");
        }
    }

    // transformed = F.layer_norm(F.gelu(F.linear(wave(6, 2, 3), wave(3, 3, 3), wave(4, 3))), (3,), wave(0, 3), wave(1,
    // 3),
    // 1e-12)
    // print(F.linear(transformed, wave(7, 5, 3), wave(2, 5)).flatten()), with wave as in golden.py
    @Test
    void logitsMatchPyTorch() {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard();
                MaskedLanguageModelHead head = new MaskedLanguageModelHead(5, 3, 1e-12, Compute.CPU)) {
            Golden.fill(head.parameters());
            assertThat(values(head.forward(wave(6, 2, 3), wave(7, 5, 3))))
                    .containsExactly(
                            new double[] {
                                0.084854, 0.456072, -0.219673, -0.029251, -0.499391, 0.107305, 0.435501, -0.201394,
                                -0.044872, -0.48674
                            },
                            within(1e-5));
        }
    }
}
