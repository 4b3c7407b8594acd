package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.plant4j.Device;
import org.plant4j.Precision;
import org.plant4j.UserError;

class ComputeTest {

    @Test
    void int8RunsOnTheCpuOnly() {
        assertThat(Compute.of(Device.AUTO, Precision.INT8).cuda()).isFalse();
        UserError error = catchThrowableOfType(UserError.class, () -> Compute.of(Device.CUDA, Precision.INT8));
        assertThat(error.what()).isEqualTo("int8 runs on a CPU only");
    }

    @Test
    void float32ReplacesBfloat16OnACpuWithoutInstructionsForIt() {
        assertThat(Compute.of(Device.CPU, Precision.BFLOAT16, false).precision())
                .isEqualTo(Precision.FLOAT32);
        assertThat(Compute.of(Device.CPU, Precision.BFLOAT16, true).precision()).isEqualTo(Precision.BFLOAT16);
        assertThat(Compute.of(Device.CPU, Precision.INT8, false).precision()).isEqualTo(Precision.INT8);
    }

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
