package org.plant4j.model.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.plant4j.tensor.Golden;

class InattentionTest {

    /** One document of four tokens and one label; the second best score is -1. */
    private static double[] weights(Inattention inattention) {
        try (PointerScope scope = new PointerScope()) {
            Tensor scores = Tensor.create(new float[] {1, -1, -2, -3}, 1, 4, 1);
            Tensor mask = Tensor.create(new boolean[] {true, true, true, true}, 1, 4);
            return Golden.values(inattention.distribution(scores, mask, 2, 0));
        }
    }

    private static double[] softmax(double... scores) {
        try (PointerScope scope = new PointerScope()) {
            return Golden.values(torch.softmax(Tensor.create(scores), 0));
        }
    }

    @Test
    void thePapersFormRaisesWeakTokensAboveAKeptOneWithANegativeScore() {
        assertThat(weights(Inattention.ZERO)).containsExactly(softmax(1, -1, 0, 0), within(1e-6));
        assertThat(weights(Inattention.ZERO)[3]).isGreaterThan(weights(Inattention.ZERO)[1]);
    }

    @Test
    void cappedScoresNeverRise() {
        assertThat(weights(Inattention.CAP)).containsExactly(softmax(1, -1, -2, -3), within(1e-6));
    }

    @Test
    void droppedTokensHaveNoWeight() {
        assertThat(weights(Inattention.DROP)).containsExactly(new double[] {0.880797, 0.119203, 0, 0}, within(1e-6));
    }
}
