package org.plant4j.model.isd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Golden;

class DistillationLossTest {

    private static final float[] TEACHER = {1, 0, 0, 2};

    @Test
    void viewsAreMatchedToTheNearest() {
        try (PointerScope scope = new PointerScope()) {
            Tensor student = Tensor.create(new float[] {0, 3, 1, 1}, 1, 2, 2); // the second view, then between both
            Tensor distances = DistillationLoss.distances(student, Tensor.create(TEACHER, 1, 2, 2), Compute.CPU);
            assertThat(Golden.values(distances)).containsExactly(new double[] {0, 1 - Math.sqrt(0.5)}, within(1e-6));
        }
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void nanViewsGiveANanDistance() {
        try (PointerScope scope = new PointerScope()) {
            Tensor student = Tensor.create(new float[] {Float.NaN, 3, 1, 1}, 1, 2, 2);
            Tensor distances = DistillationLoss.distances(student, Tensor.create(TEACHER, 1, 2, 2), Compute.CPU);
            assertThat(Golden.values(distances)[0]).isNaN();
        }
    }
}
