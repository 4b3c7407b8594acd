package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ContingencyTableTest {

    /**
     * Cells 2, 1, 1, 4 of 8 documents. Worked by hand: I = 2/8 ln(2·8 / (3·3)) + 2 · 1/8 ln(1·8 / (3·5)) + 4/8 ln(4·8 /
     * (5·5)) = 0.143841 − 0.157152 + 0.123430; H(T) = H(L) = 3/8 ln(8/3) + 5/8 ln(8/5) = 0.661563.
     */
    @Test
    void aTableOfEightDocuments() {
        ContingencyTable table = new ContingencyTable(2, 3, 3, 8);

        assertThat(table.mutualInformation()).isEqualTo(0.110119, within(1e-6));
        assertThat(table.normalizedMutualInformation())
                .isEqualTo(0.110119 / (0.661563 + 0.661563 - 0.110119), within(1e-6));
        assertThat(table.isPositivelyAssociated()).isTrue();
    }

    @Test
    void informationOfIdenticalVariablesIsTheirEntropy() {
        ContingencyTable table = new ContingencyTable(2, 2, 2, 8);

        assertThat(table.mutualInformation()).isEqualTo(0.25 * Math.log(4) + 0.75 * Math.log(4.0 / 3), within(1e-12));
        assertThat(table.normalizedMutualInformation()).isEqualTo(1, within(1e-12));
    }

    @Test
    void independentVariablesHaveNoInformation() {
        ContingencyTable table = new ContingencyTable(2, 4, 4, 8);

        assertThat(table.mutualInformation()).isZero();
        assertThat(table.normalizedMutualInformation()).isZero();
        assertThat(table.isPositivelyAssociated()).isFalse();
    }

    @Test
    void aLabelOfEveryDocumentHasNoInformation() {
        ContingencyTable table = new ContingencyTable(8, 8, 8, 8);

        assertThat(table.mutualInformation()).isZero();
        assertThat(table.normalizedMutualInformation()).isZero();
        assertThat(table.isPositivelyAssociated()).isFalse();
    }

    @Test
    void countsOfMillionsDoNotOverflow() {
        ContingencyTable table = new ContingencyTable(90_000_000, 100_000_000, 100_000_000, 200_000_000);

        assertThat(table.isPositivelyAssociated()).isTrue();
        assertThat(table.mutualInformation()).isEqualTo(0.368064, within(1e-6)); // ln 2 − H(0.1)
    }
}
