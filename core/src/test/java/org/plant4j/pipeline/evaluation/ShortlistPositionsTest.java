package org.plant4j.pipeline.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortlistPositionsTest {

    /** Four documents that need shortlists of 3, 2, 9 and 4 labels. */
    private static final ShortlistPositions POSITIONS =
            new ShortlistPositions(new int[][] {{1, 3}, {2, 1}, {9, 1}, {4, 2}});

    @Test
    void aDocumentAgreesIfAllItsLabelsAreListed() {
        assertThat(POSITIONS.agreement(1)).isZero();
        assertThat(POSITIONS.agreement(3)).isEqualTo(0.5);
        assertThat(POSITIONS.agreement(8)).isEqualTo(0.75);
        assertThat(POSITIONS.agreement(9)).isEqualTo(1);
        assertThat(POSITIONS.listed(2)).isEqualTo(5.0 / 8);
    }

    @Test
    void theSmallestSizeWithAnAgreementIsFound() {
        assertThat(POSITIONS.size(0)).isEqualTo(1);
        assertThat(POSITIONS.size(0.25)).isEqualTo(2);
        assertThat(POSITIONS.size(0.26)).isEqualTo(3);
        assertThat(POSITIONS.size(0.75)).isEqualTo(4);
        assertThat(POSITIONS.size(0.99)).isEqualTo(9);
    }
}
