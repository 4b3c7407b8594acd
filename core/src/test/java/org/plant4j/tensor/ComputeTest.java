package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.plant4j.Precision;

class ComputeTest {

    private static final Compute HALF = new Compute(false, Precision.BFLOAT16);

    @Test
    void nestedAutocastDoesNotEnableTheCastCache() {
        try (PointerScope scope = new PointerScope()) {
            Tensor weight = torch.ones(2, 2);
            weight.set_requires_grad(true);
            assertThat(product(weight)).isEqualTo(2);
            try (NoGradGuard noGrad = new NoGradGuard()) {
                weight.zero_();
            }
            assertThat(product(weight)).isZero();
        }
    }

    private static double product(Tensor weight) {
        try (Compute.Autocast outer = HALF.autocast()) {
            try (Compute.Autocast inner = HALF.autocast()) {
                assertThat(torch.is_autocast_enabled(torch.DeviceType.CPU)).isTrue();
            }
            Tensor product = torch.matmul(torch.ones(1, 2), weight);
            assertThat(product.scalar_type().intern()).isEqualTo(torch.ScalarType.BFloat16);
            return Golden.values(product.to(torch.ScalarType.Float))[0];
        }
    }
}
