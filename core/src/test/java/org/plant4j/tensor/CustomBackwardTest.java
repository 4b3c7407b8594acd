package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class CustomBackwardTest {

    @BeforeAll
    static void load() {
        Engine.load();
    }

    /** y = x² computed outside of autograd, between two functions that autograd records: 3 · (2 x)², x = 1, 2. */
    @Test
    void replacesTheGradient() {
        try (PointerScope scope = new PointerScope()) {
            Tensor leaf = Tensor.create(new float[] {1, 2});
            leaf.set_requires_grad(true);
            Tensor x = leaf.mul(new Scalar(2f));
            Tensor inputGradient = Tensor.create(new float[] {0, 0});
            CustomBackward square = new CustomBackward(
                    gradient -> inputGradient.copy_(gradient.mul(x.detach())).mul_(new Scalar(2f)));
            Tensor y = square.connect(x, x.detach().mul(x.detach()));
            assertThat(values(y)).containsExactly(4, 16);
            y.mul(new Scalar(3f)).sum().backward();
            assertThat(values(leaf.grad())).containsExactly(24, 48); // 3 · 2 · 2 x · 2
        }
    }

    @Test
    void runsForAnInputWithoutGradient() {
        try (PointerScope scope = new PointerScope()) {
            Tensor x = Tensor.create(new float[] {1, 2});
            Tensor seen = Tensor.create(new float[] {0, 0});
            CustomBackward function = new CustomBackward(seen::copy_);
            function.connect(x, x.add(x)).mul(new Scalar(5f)).sum().backward();
            assertThat(values(seen)).containsExactly(5, 5);
        }
    }

    /** A gradient arrives once, summed over all uses of the output. */
    @Test
    void sumsTheGradientsOfTheOutput() {
        try (PointerScope scope = new PointerScope()) {
            Tensor x = Tensor.create(new float[] {1, 2});
            Tensor seen = Tensor.create(new float[] {0, 0});
            CustomBackward function = new CustomBackward(seen::copy_);
            Tensor y = function.connect(x, x.clone());
            y.sum().add(y.narrow(0, 0, 1).mul(new Scalar(7f)).sum()).backward();
            assertThat(values(seen)).containsExactly(8, 1);
        }
    }

    @Test
    void canBeOpenedAgainAfterBeingClosed() {
        for (int i = 0; i < 30; i++) {
            new CustomBackward(gradient -> gradient).close();
        }
    }

    @Test
    void manyOpenAtOnceCallTheirOwnFunction() {
        try (PointerScope scope = new PointerScope()) {
            List<Tensor> seen = new ArrayList<>();
            List<CustomBackward> open = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                Tensor own = Tensor.create(new float[] {0});
                seen.add(own);
                open.add(new CustomBackward(own::copy_));
            }
            for (int i = 0; i < 30; i++) {
                Tensor x = Tensor.create(new float[] {1});
                open.get(i)
                        .connect(x, x.clone())
                        .mul(new Scalar((float) i))
                        .sum()
                        .backward();
            }
            for (int i = 0; i < 30; i++) {
                assertThat(values(seen.get(i))).containsExactly(i);
            }
            open.forEach(CustomBackward::close);
        }
    }

    private static float[] values(Tensor tensor) {
        float[] values = new float[(int) tensor.numel()];
        tensor.detach().data_ptr_float().get(values);
        return values;
    }
}
