package org.plant4j.model.isd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearAssignmentTest {

    @Test
    void aRowTakesASecondBestColumnIfTheTotalIsLower() {
        // Row 0 is cheapest in column 0, but then row 1 costs 9: 2 + 2 + 3 is the minimum.
        float[] costs = {
            1, 2, 8, //
            2, 9, 9, //
            8, 8, 3
        };
        assertThat(LinearAssignment.solve(costs, 3)).containsExactly(1, 0, 2);
    }

    @Test
    void costsMayBeNegative() {
        float[] costs = {
            -0.9f, -0.8f, //
            -0.8f, -0.1f
        };
        assertThat(LinearAssignment.solve(costs, 2)).containsExactly(1, 0);
    }

    @Test
    void smallestProblems() {
        assertThat(LinearAssignment.solve(new float[] {7}, 1)).containsExactly(0);
        assertThat(LinearAssignment.solve(new float[0], 0)).isEmpty();
    }

    @Test
    void costsMustBeSquare() {
        assertThatThrownBy(() -> LinearAssignment.solve(new float[5], 2)).hasMessage("costs: 5 (expected: 4)");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7})
    void noOtherAssignmentIsCheaper(int n) {
        Random random = new Random(n);
        for (int trial = 0; trial < 40; trial++) {
            float[] costs = new float[n * n];
            for (int i = 0; i < costs.length; i++) {
                costs[i] = trial % 2 == 0 ? random.nextInt(4) : (float) random.nextGaussian(); // many ties, or none
            }
            int[] assigned = LinearAssignment.solve(costs, n);
            assertThat(assigned).containsExactlyInAnyOrder(IntStream.range(0, n).toArray());
            assertThat(cost(costs, assigned)).isCloseTo(cheapest(costs, n, 0, new boolean[n]), within(1e-5));
        }
    }

    @Test
    void aHiddenPermutationOfSixtyFourIsFound() {
        int n = 64;
        Random random = new Random(1);
        float[] costs = new float[n * n];
        int[] hidden = IntStream.range(0, n).map(i -> (i * 37 + 5) % n).toArray();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                costs[i * n + j] = hidden[i] == j ? -1 : random.nextFloat() - 0.5f;
            }
        }
        assertThat(LinearAssignment.solve(costs, n)).containsExactly(hidden);
    }

    private static double cost(float[] costs, int[] assigned) {
        return IntStream.range(0, assigned.length)
                .mapToDouble(i -> costs[i * assigned.length + assigned[i]])
                .sum();
    }

    private static double cheapest(float[] costs, int n, int row, boolean[] used) {
        if (row == n) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int column = 0; column < n; column++) {
            if (!used[column]) {
                used[column] = true;
                least = Math.min(least, costs[row * n + column] + cheapest(costs, n, row + 1, used));
                used[column] = false;
            }
        }
        return least;
    }
}
