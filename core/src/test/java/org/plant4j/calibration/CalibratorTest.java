package org.plant4j.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibratorTest {

    private static final Offset<Double> CLOSE = within(1e-9);

    // x = [0.1, 0.2, 0.2, 0.35, 0.4, 0.5, 0.6, 0.6, 0.8, 0.95]; y = [0, 1, 0, 0, 1, 0, 1, 1, 0, 1]
    // m = sklearn.isotonic.IsotonicRegression(out_of_bounds="clip", y_min=1/12, y_max=11/12).fit(x, y)
    private static final double[] SCORES = {0.1, 0.2, 0.2, 0.35, 0.4, 0.5, 0.6, 0.6, 0.8, 0.95};
    private static final boolean[] CORRECT = {false, true, false, false, true, false, true, true, false, true};

    @Test
    void isotonicKnotsEqualScikitLearn() {
        IsotonicRegression fit = IsotonicRegression.fit(SCORES, CORRECT);
        // m.X_thresholds_, m.y_thresholds_
        assertThat(fit.scores()).containsExactly(0.1, 0.2, 0.35, 0.4, 0.5, 0.6, 0.8, 0.95);
        assertThat(fit.probabilities())
                .containsExactly(
                        new double[] {1 / 12.0, 1 / 3.0, 1 / 3.0, 0.5, 0.5, 2 / 3.0, 2 / 3.0, 11 / 12.0}, CLOSE);
    }

    @Test
    void isotonicPredictionsEqualScikitLearn() {
        // m.predict([0, 0.15, 0.3, 0.45, 0.55, 0.7, 0.9, 1])
        assertThat(IsotonicRegression.fit(SCORES, CORRECT)
                        .probabilities(new double[] {0, 0.15, 0.3, 0.45, 0.55, 0.7, 0.9, 1}))
                .containsExactly(
                        new double[] {
                            0.08333333333333333, 0.20833333333333331, 0.3333333333333333, 0.5,
                            0.5833333333333334, 0.6666666666666666, 0.8333333333333334, 0.9166666666666666
                        },
                        CLOSE);
    }

    @Test
    void orderOfPairsDoesNotMatter() {
        double[] scores = {0.6, 0.2, 0.95, 0.1, 0.5, 0.2, 0.8, 0.35, 0.6, 0.4};
        boolean[] correct = {true, false, true, false, false, true, false, false, true, true};
        assertThat(IsotonicRegression.fit(scores, correct)).isEqualTo(IsotonicRegression.fit(SCORES, CORRECT));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void isotonicIsNonDecreasingAndUnbiased(long seed) {
        Random random = new Random(seed);
        double[] scores = random.doubles(300).map(s -> Math.rint(s * 50) / 50).toArray();
        boolean[] correct = new boolean[scores.length];
        for (int i = 0; i < correct.length; i++) {
            correct[i] = random.nextDouble() < scores[i] * scores[i];
        }
        IsotonicRegression fit = IsotonicRegression.fit(scores, correct);
        double[] knots = fit.probabilities();
        for (int i = 1; i < knots.length; i++) {
            assertThat(knots[i]).isGreaterThanOrEqualTo(knots[i - 1]);
        }
        // The mean probability equals the share of correct pairs.
        double mean = 0;
        for (int i = 0; i < correct.length; i++) {
            mean += fit.probability(scores[i]) - (correct[i] ? 1 : 0);
        }
        assertThat(mean / correct.length).isCloseTo(0, within(0.005)); // not exactly, because probabilities are clipped
    }

    @Test
    void aTemperatureOfTwoHalvesTheLogit() {
        // logit(0.9) = ln 9; half of it is ln 3, whose sigmoid is 3/4
        assertThat(new TemperatureScaling(2).probability(0.9)).isCloseTo(0.75, CLOSE);
        assertThat(new TemperatureScaling(2).probability(0.5)).isCloseTo(0.5, CLOSE);
        assertThat(new TemperatureScaling(1).probability(0.123)).isCloseTo(0.123, CLOSE);
    }

    @Test
    void theFittedTemperatureReproducesTheShareOfCorrectPairs() {
        // Scores of 0.9, three of four correct: the best probability is 3/4, so ln 9 / T = ln 3.
        double[] scores = {0.9, 0.9, 0.9, 0.9};
        boolean[] correct = {true, true, false, true};
        assertThat(TemperatureScaling.fit(scores, correct).temperature()).isCloseTo(2, within(1e-6));
    }

    @Test
    void saturatedScoresStayFinite() {
        assertThat(new TemperatureScaling(3).probability(1)).isBetween(0.99, 0.9999);
        assertThat(new TemperatureScaling(3).probability(0)).isBetween(0.0001, 0.01);
    }

    @Test
    void calibratorsRoundTripThroughJson() throws JsonProcessingException {
        ObjectMapper json = new ObjectMapper();
        for (Calibrator each : new Calibrator[] {
            new Calibrator.Identity(), new TemperatureScaling(1.5), IsotonicRegression.fit(SCORES, CORRECT)
        }) {
            String written = json.writerFor(Calibrator.class).writeValueAsString(each);
            assertThat(written).contains("\"method\":\"" + each.method() + "\"");
            assertThat(json.readValue(written, Calibrator.class)).isEqualTo(each);
        }
    }

    @Test
    void decreasingKnotsAreRejected() {
        assertThatThrownBy(() -> new IsotonicRegression(new double[] {0.1, 0.2}, new double[] {0.5, 0.4}))
                .hasMessageContaining("knot 1");
    }
}
