package org.plant4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EvidenceWeightsTest {

    @Test
    void aTokenGetsATenthAndAFiftiethOfItsNeighbours() {
        float[][] spread = EvidenceWeights.spreadToNeighbours(new float[][] {{0, 1, 0, 0, 0, 2}, {3}, {}});
        assertThat(spread[0]).containsExactly(new float[] {0.1f, 1, 0.1f, 0.06f, 0.2f, 2}, within(1e-6f));
        assertThat(spread[1]).containsExactly(3);
        assertThat(spread[2]).isEmpty();
    }

    @Test
    void negativeAttributionsAreNoEvidence() {
        assertThat(EvidenceWeights.positivePart(new double[][] {{1.5, -2, 0}}))
                .isDeepEqualTo(new float[][] {{1.5f, 0, 0}});
    }

    @Test
    void normalizedWeightsSumTo1UnlessAllAre0() {
        float[] weights = {1, 3};
        EvidenceWeights.normalize(weights);
        assertThat(weights).containsExactly(0.25f, 0.75f);
        float[] none = {0, 0};
        EvidenceWeights.normalize(none);
        assertThat(none).containsExactly(0, 0);
    }
}
