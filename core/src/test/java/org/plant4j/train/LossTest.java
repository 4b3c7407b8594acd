package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;

class LossTest {

    /** Two documents and six labels: the first has one label, the second two. */
    private static final float[] TARGETS = {1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0};

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static Tensor targets() {
        return Tensor.create(TARGETS, 2, 6);
    }

    private static double of(Loss loss, Tensor logits, Tensor targets) {
        return loss.compute(logits, targets, loss.positiveWeight(targets)).item_double();
    }

    @Test
    void plainLossIsSummedOverLabelsAndAveragedOverDocuments() {
        try (PointerScope scope = new PointerScope()) {
            // log(1 + e^0) = ln 2 for each of 12 labels, over 2 documents.
            assertThat(of(Loss.PLAIN, Tensor.create(new float[12], 2, 6), targets()))
                    .isCloseTo(6 * Math.log(2), within(1e-6));
        }
    }

    @Test
    void balancedLossWeightsPositivesByTheRatioOfNegatives() {
        try (PointerScope scope = new PointerScope()) {
            Tensor targets = targets();
            assertThat(Golden.values(Loss.BALANCED.positiveWeight(targets))).containsExactly(5, 2);
            // 5 · 1 + 5 and 2 · 2 + 4 times ln 2, over 2 documents: positives and negatives have equal total weight.
            assertThat(of(Loss.BALANCED, Tensor.create(new float[12], 2, 6), targets))
                    .isCloseTo(9 * Math.log(2), within(1e-6));
        }
    }

    @Test
    void balancedGradientsOfPositivesAreScaledByTheirWeight() {
        try (PointerScope scope = new PointerScope()) {
            Tensor logits = Tensor.create(new float[12], 2, 6);
            logits.set_requires_grad(true);
            Tensor targets = targets();
            Loss.BALANCED
                    .compute(logits, targets, Loss.BALANCED.positiveWeight(targets))
                    .backward();
            // (σ(0) − y) / 2 documents, positives 5 and 2 times.
            assertThat(Golden.values(logits.grad()))
                    .containsExactly(
                            new double[] {-1.25, .25, .25, .25, .25, .25, -.5, -.5, .25, .25, .25, .25}, within(1e-7));
        }
    }

    /** Logit ln 3: p = 3/4 for a positive, 1/4 for a negative label. */
    @Test
    void focalLossAddsCrossEntropyWeightedByTheSquaredError() {
        double right = -(1 + 1.0 / 16) * Math.log(0.75);
        double wrong = -(1 + 9.0 / 16) * Math.log(0.25);
        assertThat(Loss.FOCAL.compute(0.75)).isCloseTo(right, within(1e-12));
        try (PointerScope scope = new PointerScope()) {
            Tensor logits = Tensor.create(new float[] {(float) Math.log(3), (float) Math.log(3)}, 1, 2);
            assertThat(of(Loss.FOCAL, logits, Tensor.create(new float[] {1, 0}, 1, 2)))
                    .isCloseTo(right + wrong, within(1e-6));
        }
    }

    @Test
    void aDocumentWithoutLabelsHasTheSameLossInBothModes() {
        try (PointerScope scope = new PointerScope()) {
            Tensor none = Tensor.create(new float[3], 1, 3);
            assertThat(of(Loss.BALANCED, Tensor.create(new float[3], 1, 3), none))
                    .isCloseTo(3 * Math.log(2), within(1e-6));
        }
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void labelRangesDoNotChangeLossOrGradient(Loss loss) {
        try (PointerScope scope = new PointerScope()) {
            Tensor targets = targets();
            Tensor whole = Golden.wave(1, 2, 6);
            whole.set_requires_grad(true);
            Tensor ranged = Golden.wave(1, 2, 6);
            ranged.set_requires_grad(true);
            Tensor all = loss.compute(whole, targets, loss.positiveWeight(targets));
            all.backward();
            double sum = 0;
            for (int first = 0; first < 6; first += 2) {
                Tensor rangeLoss = loss.compute(
                        ranged.narrow(1, first, 2), targets.narrow(1, first, 2), loss.positiveWeight(targets));
                rangeLoss.backward();
                sum += rangeLoss.item_double();
            }
            assertThat(sum).isCloseTo(all.item_double(), within(1e-5));
            assertThat(Golden.values(ranged.grad())).containsExactly(Golden.values(whole.grad()), within(1e-7));
        }
    }
}
