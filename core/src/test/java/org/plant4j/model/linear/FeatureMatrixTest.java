package org.plant4j.model.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.plant4j.UserError;

class FeatureMatrixTest {

    private static final FeatureMatrix MATRIX = FeatureMatrix.of(
            new SparseVector(new int[] {1, 4}, new float[] {0.5f, 2}),
            new SparseVector(new int[0], new float[0]),
            new SparseVector(new int[] {0, 4, 7}, new float[] {1, 3, -1}));

    @Test
    void rowsAreMultipliedAndAdded() {
        double[] dense = {1, 2, 3, 4, 5, 6, 7, 8};
        assertThat(MATRIX.dot(0, dense)).isEqualTo(0.5 * 2 + 2 * 5);
        assertThat(MATRIX.dot(1, dense)).isZero();
        assertThat(MATRIX.squaredNorm(2)).isEqualTo(11);
        MATRIX.addTo(dense, 2, 2);
        assertThat(dense).containsExactly(3, 2, 3, 4, 11, 6, 7, 6);
    }

    /** 3 · 2³⁰ features. */
    @Test
    void tooManyFeaturesAreAUserError() {
        assertThat(FeatureMatrix.starts(1, row -> 1 << 30)).containsExactly(0, 1 << 30);
        assertThatThrownBy(() -> FeatureMatrix.starts(3, row -> 1 << 30))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("more than 2,147,483,639 features")
                .hasMessageContaining("min_token_count");
    }

    @Test
    void aSubsetHasRenumberedFeatures() {
        FeatureSubset subset = FeatureSubset.of(MATRIX, new int[] {1, 2});
        assertThat(subset.features()).containsExactly(0, 4, 7);
        assertThat(subset.matrix().rows()).isEqualTo(2);
        assertThat(subset.matrix().dot(0, new double[] {1, 1, 1})).isZero();
        assertThat(subset.matrix().dot(1, new double[] {1, 10, 100})).isEqualTo(1 + 30 - 100);
    }
}
