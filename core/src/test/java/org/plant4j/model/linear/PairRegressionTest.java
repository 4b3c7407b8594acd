package org.plant4j.model.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.plant4j.model.linear.PairRegression.Pair;

class PairRegressionTest {

    private static Pair pair(boolean gold, double... features) {
        float[] values = new float[features.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) features[i];
        }
        return new Pair(values, gold);
    }

    private static double logit(PairRegression regression, double... features) {
        double probability = regression.probability(pair(false, features).features());
        return Math.log(probability / (1 - probability));
    }

    @Test
    void withoutInformationTheProbabilityIsTheShareOfGoldPairs() {
        PairRegression fit = PairRegression.fit(List.of(pair(true, 1), pair(false, 1), pair(false, 1), pair(false, 1)));
        assertThat(fit.probability(new float[] {1})).isCloseTo(0.25, within(1e-6));
        assertThat(fit.scale()).containsExactly(0.0); // a constant feature
    }

    /**
     * Two pairs at −1 and 1, standardized already, the second one gold; the square is 1 for both. By symmetry the logits are −w
     * and w, bias and weight of the square cancel out, and w minimizes 2 ln(1 + exp(−w)) + w² / 2, so w = 2 / (1 + exp(w)), whose
     * solution is 0.6749.
     */
    @Test
    void theWeightMinimizesLossAndPenalty() {
        PairRegression fit = PairRegression.fit(List.of(pair(false, -1), pair(true, 1)));
        double weight = fit.weights()[0];
        assertThat(weight).isCloseTo(2 / (1 + Math.exp(weight)), within(1e-5)).isCloseTo(0.6749, within(1e-4));
        assertThat(logit(fit, 1)).isCloseTo(weight, within(1e-5));
    }

    @Test
    void scaleAndOffsetOfAFeatureDoNotMatter() {
        PairRegression one =
                PairRegression.fit(List.of(pair(false, -1), pair(true, 1), pair(false, 0.5), pair(true, 2)));
        PairRegression other =
                PairRegression.fit(List.of(pair(false, -90), pair(true, 110), pair(false, 60), pair(true, 210)));
        assertThat(logit(other, 35)).isCloseTo(logit(one, 0.25), within(1e-6));
    }

    @Test
    void valuesOutsideTheRangeOfTrainingCountAsItsEnds() {
        PairRegression fit = PairRegression.fit(List.of(pair(false, -1), pair(true, 1)));
        assertThat(logit(fit, 100)).isEqualTo(logit(fit, 1));
        assertThat(logit(fit, -100)).isEqualTo(logit(fit, -1));
    }

    @Test
    void weightsOfASimulationWithAProductAreFound() {
        Random random = new Random(5);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            double a = random.nextGaussian();
            double b = 3 * random.nextGaussian() + 1;
            pairs.add(pair(random.nextDouble() < 1 / (1 + Math.exp(1 - 2 * a + 0.5 * b - 0.4 * a * b)), a, b));
        }
        PairRegression fit = PairRegression.fit(pairs);
        for (double[] x : new double[][] {{0, 1}, {1, 1}, {-1, 2}, {0.5, -2}}) {
            assertThat(logit(fit, x)).isCloseTo(-1 + 2 * x[0] - 0.5 * x[1] + 0.4 * x[0] * x[1], within(0.15));
        }
    }
}
