package org.plant4j.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.plant4j.Precision;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;

class FusedLinearTest {

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
        Engine.setSeed(5);
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void equalsTheLayersOneByOne(Precision precision) {
        Compute compute = new Compute(false, precision);
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard();
                Compute.Autocast autocast = compute.autocast();
                Linear wide = new Linear(40, 64, true, compute);
                Linear narrow = new Linear(40, 48, true, compute);
                FusedLinear fused = new FusedLinear(wide, narrow)) {
            Tensor x = torch.randn(3, 5, 40);
            List<Tensor> both = fused.forward(x);
            assertThat(both.get(0).shape()).containsExactly(3, 5, 64);
            assertThat(values(both.get(0))).containsExactly(values(wide.forward(x)), within(1e-6));
            assertThat(values(both.get(1))).containsExactly(values(narrow.forward(x)), within(1e-6));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "INT8"})
    void layersRecordGradientsInFloat32(Precision precision) {
        Compute compute = new Compute(false, precision);
        try (PointerScope scope = new PointerScope();
                Linear layer = new Linear(40, 64, true, compute);
                FusedLinear fused = new FusedLinear(layer)) {
            Tensor x = torch.randn(2, 40);
            Tensor exact = torch.matmul(x, layer.weight().t()).add(layer.bias().orElseThrow());
            Tensor y = fused.forward(x, torch.ScalarType.BFloat16).get(0);
            assertThat(y.requires_grad()).isTrue();
            assertThat(values(y)).containsExactly(values(exact), within(1e-5));
        }
    }

    private static double[] values(Tensor tensor) {
        return Golden.values(tensor.detach().to(torch.ScalarType.Float).contiguous());
    }
}
