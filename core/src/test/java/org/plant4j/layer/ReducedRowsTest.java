package org.plant4j.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.values;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.plant4j.tensor.LabelSelection;

class ReducedRowsTest {

    /** Two rows along (3, 4, 0) / 5 of length 10 and 5, and one along (0, 0, 1) of length 1, which one dimension drops. */
    private static final float[] ROWS = {6, 8, 0, 3, 4, 0, 0, 0, 1};

    private static final float[] INPUT = {1, 2, 7};

    private static double[] products(int size, LabelSelection labels) {
        try (PointerScope scope = new PointerScope();
                ReducedRows reduced = ReducedRows.of(Tensor.create(ROWS, 3, 3), size)) {
            return values(reduced.products(Tensor.create(INPUT, 1, 1, 3), labels));
        }
    }

    @Test
    void theDirectionsOfTheLongestRowsAreKept() {
        assertThat(products(1, LabelSelection.ALL)).containsExactly(new double[] {22, 11, 0}, within(1e-4));
        assertThat(products(2, LabelSelection.ALL)).containsExactly(new double[] {22, 11, 7}, within(1e-4));
        assertThat(products(64, LabelSelection.ALL)).containsExactly(new double[] {22, 11, 7}, within(1e-4));
    }

    @Test
    void aLabelRangeIsSelected() {
        assertThat(products(2, new LabelSelection.Range(1, 2))).containsExactly(new double[] {11, 7}, within(1e-4));
    }
}
