package org.plant4j.model.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PoincareEmbeddingTest {

    /** From the centre, arcosh((1 + r²) / (1 - r²)) = 2 artanh(r) = ln((1 + r) / (1 - r)). */
    @Test
    void distancesGrowTowardsTheBorder() {
        assertThat(PoincareEmbedding.distance(new double[] {0, 0}, new double[] {0.6, 0}))
                .isCloseTo(Math.log(4), within(1e-12));
        assertThat(PoincareEmbedding.distance(new double[] {0, 0}, new double[] {0, 0.8}))
                .isCloseTo(Math.log(9), within(1e-12));
    }

    @Test
    void theGradientIsThatOfTheDistance() {
        double[] u = {0.3, -0.2};
        double[] v = {-0.1, 0.5};
        double[] gradient = PoincareEmbedding.gradient(u, v);
        double step = 1e-6;
        for (int i = 0; i < u.length; i++) {
            double[] above = u.clone();
            double[] below = u.clone();
            above[i] += step;
            below[i] -= step;
            double slope = (PoincareEmbedding.distance(above, v) - PoincareEmbedding.distance(below, v)) / (2 * step);
            assertThat(gradient[i]).isCloseTo(slope, within(1e-6));
        }
    }

    /** Labels 0 to 2 below node 6, labels 3 to 5 below node 7, both below node 8. */
    @Test
    void aNodeIsNearerToItsParentThanToAnotherBranch() {
        CodeTree tree = new CodeTree(new int[] {6, 6, 6, 7, 7, 7, 8, 8, -1}, 6);
        double[][] points = PoincareEmbedding.train(tree, 5, PoincareEmbedding.EPOCHS, 1);
        for (int label = 0; label < 6; label++) {
            int own = label < 3 ? 6 : 7;
            int other = label < 3 ? 7 : 6;
            assertThat(PoincareEmbedding.distance(points[label], points[own]))
                    .isLessThan(PoincareEmbedding.distance(points[label], points[other]));
        }
        double[] centre = new double[5];
        assertThat(PoincareEmbedding.distance(points[8], centre)) // the root lies in the middle
                .isLessThan(PoincareEmbedding.distance(points[0], centre));
    }
}
