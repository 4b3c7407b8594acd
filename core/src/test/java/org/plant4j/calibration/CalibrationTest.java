package org.plant4j.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.plant4j.Band;
import org.plant4j.metric.Predictions;

class CalibrationTest {

    private static final Offset<Double> CLOSE = within(1e-9);

    @Test
    void calibrationErrorWeighsBinsByPairs() {
        // bin 0: two pairs, mean 0.05, none correct; bin 7: mean 0.75, half correct; bin 9: 1.0, correct
        Reliability reliability = Reliability.of(
                new double[] {0.04, 0.06, 0.7, 0.8 - 1e-12, 1}, new boolean[] {false, false, true, false, true});
        assertThat(reliability.bins()).hasSize(3);
        assertThat(reliability.bins().get(1).probability()).isCloseTo(0.75, within(1e-6));
        assertThat(reliability.expectedCalibrationError()).isCloseTo((2 * 0.05 + 2 * 0.25 + 0) / 5, within(1e-6));
    }

    @Test
    void suggestionsReachNinetyPercentPrecision() {
        // From 0.8: 27 of 28 correct; from 0.6: 27 of 30, precision 0.9; from 0.3: less.
        double[] p = new double[40];
        boolean[] correct = new boolean[40];
        for (int i = 0; i < 40; i++) {
            p[i] = i < 28 ? 0.8 : i < 30 ? 0.6 : 0.3;
            correct[i] = i < 27 || (i >= 30 && i < 33);
        }
        ScoredPairs pairs = new ScoredPairs(p, correct, new int[40], 2, 40);
        Bands bands = Bands.choose(p, pairs);
        assertThat(bands.suggestFrom()).isEqualTo(0.6);
        // F2 from 0.6: 5·27/(30+160) = 0.711; from 0.3: 5·30/(40+160) = 0.75
        assertThat(bands.reviewFrom()).isEqualTo(0.3);
        List<Bands.BandMetrics> measures = bands.measure(p, pairs);
        assertThat(measures.get(0)).isEqualTo(new Bands.BandMetrics(Band.SUGGEST, 0.6, 0.9, 27 / 40.0, 15));
        assertThat(measures.get(1)).isEqualTo(new Bands.BandMetrics(Band.REVIEW, 0.3, 0.3, 3 / 40.0, 5));
        assertThat(measures.get(2).precision()).isNaN();
        assertThat(bands.bandOf(0.6)).isEqualTo(Band.SUGGEST);
        assertThat(bands.bandOf(0.59)).isEqualTo(Band.REVIEW);
        assertThat(bands.bandOf(0.29)).isEqualTo(Band.HIDDEN);
    }

    @Test
    void anUncertainModelSuggestsAtItsHighestPrecision() {
        double[] p = new double[60];
        boolean[] correct = new boolean[60];
        for (int i = 0; i < 60; i++) {
            p[i] = i < 20 ? 0.6 : i < 40 ? 0.5 : 0.1; // 12, 10 and 2 of 20 are correct
            correct[i] = i < 12 || (i >= 20 && i < 30) || (i >= 40 && i < 42);
        }
        Bands bands = Bands.choose(p, new ScoredPairs(p, correct, new int[60], 1, 24));
        assertThat(bands.suggestFrom()).isEqualTo(0.6);
    }

    @Test
    void doubtfulLabelsAreNotSuggestedEvenIfOverallPrecisionAllows() {
        double[] p = new double[100];
        boolean[] correct = new boolean[100];
        for (int i = 0; i < 100; i++) {
            p[i] = i < 90 ? 0.99 : 0.4; // 90 of 90 and 4 of 10: 94 % together
            correct[i] = i < 94;
        }
        Bands bands = Bands.choose(p, new ScoredPairs(p, correct, new int[100], 1, 94));
        assertThat(bands).isEqualTo(new Bands(0.99, 0.4));
    }

    @Test
    void withoutProbabilitiesOfOneHalfNothingIsSuggested() {
        double[] p = new double[40];
        boolean[] correct = new boolean[40];
        for (int i = 0; i < 40; i++) {
            p[i] = i < 20 ? 0.45 : 0.1;
            correct[i] = i < 9;
        }
        ScoredPairs pairs = new ScoredPairs(p, correct, new int[40], 1, 10);
        Bands bands = Bands.choose(p, pairs);
        assertThat(bands).isEqualTo(new Bands(Double.POSITIVE_INFINITY, 0.45));
        assertThat(bands.bandOf(1)).isEqualTo(Band.REVIEW);
    }

    @Test
    void withFewerThanTwentyPairsNothingIsSuggested() {
        double[] p = new double[19];
        boolean[] correct = new boolean[19];
        Arrays.fill(p, 0.95);
        Arrays.fill(correct, true);
        ScoredPairs pairs = new ScoredPairs(p, correct, new int[19], 1, 19);
        assertThat(Bands.choose(p, pairs)).isEqualTo(new Bands(Double.POSITIVE_INFINITY, 0.95));
    }

    @Test
    void overconfidentScoresAreCalibratedByTemperature() {
        // logits twice as large as they should be: temperature 2 corrects them
        ScoredPairs dev = sampled(400, 50, s -> sigmoid(2 * Math.log(s / (1 - s))));
        Calibration fit = Calibration.fit(dev, 0.5);
        assertThat(fit.calibrator()).isInstanceOf(TemperatureScaling.class);
        assertThat(((TemperatureScaling) fit.calibrator()).temperature()).isCloseTo(2, within(0.1));
        assertThat(fit.before().expectedCalibrationError()).isGreaterThan(0.03);
        assertThat(fit.after().expectedCalibrationError()).isLessThan(0.01);
        assertThat(fit.metrics().get(0).precision()).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void scoresThatTemperatureCannotCorrectUseIsotonicRegression() {
        ScoredPairs dev = sampled(400, 50, s -> 0.5 + s / 5); // all scores above one half
        Calibration fit = Calibration.fit(dev, 0.5);
        assertThat(fit.calibrator()).isInstanceOf(IsotonicRegression.class);
        assertThat(fit.negativeLogLikelihood().get("isotonic"))
                .isLessThan(fit.negativeLogLikelihood().get("temperature"));
        assertThat(fit.before().expectedCalibrationError()).isGreaterThan(0.2);
        assertThat(fit.after().expectedCalibrationError()).isLessThan(0.02);
        assertThat(fit.probability(0.6)).isCloseTo(0.5, within(0.1));
    }

    @Test
    void calibratedScoresStayUnchanged() {
        Calibration fit = Calibration.fit(sampled(400, 50, s -> s), 0.5);
        assertThat(fit.calibrator()).isEqualTo(new Calibrator.Identity());
        assertThat(fit.fitted()).isTrue(); // the bands are fitted
        assertThat(fit.after()).isEqualTo(fit.before());
        assertThat(fit.metrics().get(0).precision()).isGreaterThanOrEqualTo(0.9);
    }

    /** Scores that separate all pairs: with 20 of each kind the temperature is the lowest, with 19 there is none. */
    @Test
    void aFewPairsMakeNoLabelCertain() {
        assertThat(Calibration.fit(separated(20), 0.5).calibrator())
                .isInstanceOfSatisfying(
                        TemperatureScaling.class,
                        fit -> assertThat(fit.temperature()).isCloseTo(0.01, within(1e-9)));
        Calibration few = Calibration.fit(separated(19), 0.5);
        assertThat(few.probability(0.7)).isEqualTo(0.7);
        assertThat(few.bands().bandOf(0.7)).isEqualTo(Band.REVIEW);
    }

    /** As many documents, each with a correct label (score 0.7) and a wrong one (0.3). */
    private static ScoredPairs separated(int documents) {
        double[] scores = new double[2 * documents];
        boolean[] correct = new boolean[2 * documents];
        for (int i = 0; i < scores.length; i++) {
            correct[i] = i % 2 == 0;
            scores[i] = correct[i] ? 0.7 : 0.3;
        }
        int[] document = IntStream.range(0, scores.length).map(i -> i / 2).toArray();
        return new ScoredPairs(scores, correct, document, documents, documents);
    }

    @Test
    void aMethodMustBeBetterByOneStandardError() {
        // Against 1, 1, 1, 1: gains 0.1, 0.3, 0.1, 0.3 have mean 0.2, standard error 0.1155 / 2; gains 0.5, −0.3, 0.5,
        // −0.3 have mean 0.1, standard error 0.4619 / 2.
        CrossValidation none = losses(1, 1, 1, 1);
        CrossValidation steady = losses(0.9, 0.7, 0.9, 0.7);
        assertThat(none.selectByOneStandardError(steady)).isSameAs(steady);
        assertThat(none.selectByOneStandardError(losses(0.5, 1.3, 0.5, 1.3))).isSameAs(none);
        assertThat(none.selectByOneStandardError(losses(1, 1, 1, 1))).isSameAs(none);
    }

    private static CrossValidation losses(double... byFold) {
        return new CrossValidation((scores, correct) -> new Calibrator.Identity(), byFold, new double[0]);
    }

    @Test
    void lossesAreCrossValidated() {
        // Random labels: evaluated on its training data, isotonic regression would find an order that is not there.
        Random random = new Random(5);
        double[] scores = random.doubles(60).toArray();
        boolean[] correct = new boolean[60];
        int[] document = new int[60];
        for (int i = 0; i < 60; i++) {
            correct[i] = random.nextBoolean();
            document[i] = i / 6;
        }
        ScoredPairs dev = new ScoredPairs(scores, correct, document, 10, 30);
        double trainingLoss = Calibrator.negativeLogLikelihood(
                IsotonicRegression.fit(scores, correct).probabilities(scores), correct);
        assertThat(Calibration.fit(dev, 0.5).negativeLogLikelihood().get("isotonic"))
                .isGreaterThan(trainingLoss + 0.05);
    }

    @Test
    void withoutCorrectPairsThereIsNoCalibration() {
        ScoredPairs dev = new ScoredPairs(new double[] {0.2, 0.9}, new boolean[2], new int[] {0, 1}, 2, 3);
        Calibration none = Calibration.fit(dev, 0.4);
        assertThat(none.fitted()).isFalse();
        assertThat(none.probability(0.7)).isEqualTo(0.7);
        assertThat(none.band(0.99)).isEqualTo(Band.REVIEW);
        assertThat(none.band(0.39)).isEqualTo(Band.HIDDEN);
    }

    @Test
    void pairsAreTheListedLabelsButAllGoldLabelsCount() {
        ScoredPairs pairs = ScoredPairs.of(new Predictions(List.of(
                new Predictions.ScoredDocument(
                        "a", List.of("X", "Z"), List.of(2, 0), List.of(), List.of("Y", "X"), List.of(0.9f, 0.5f)),
                new Predictions.ScoredDocument("b", List.of(), List.of(), List.of(), List.of("X"), List.of(0.25f)))));
        assertThat(pairs.correct()).containsExactly(false, true, false);
        assertThat(pairs.documentIndex()).containsExactly(0, 0, 1);
        assertThat(pairs.scores()).containsExactly(new double[] {0.9, 0.5, 0.25}, within(1e-6));
        assertThat(pairs.goldCount()).isEqualTo(2);
    }

    @Test
    void calibrationsRoundTripThroughJson() throws JsonProcessingException {
        ObjectMapper json = new ObjectMapper();
        for (Calibration each :
                List.of(Calibration.none(0.3), Calibration.fit(sampled(20, 20, s -> 0.5 + s / 2), 0.5))) {
            Calibration read = json.readValue(json.writeValueAsString(each), Calibration.class);
            assertThat(read).isEqualTo(each);
        }
    }

    @Test
    void negativeLogLikelihoodIsTheMeanOverPairs() {
        assertThat(Calibrator.negativeLogLikelihood(new double[] {0.8, 0.4}, new boolean[] {true, false}))
                .isCloseTo(-(Math.log(0.8) + Math.log(0.6)) / 2, CLOSE);
    }

    /** Random pairs with true probabilities skewed towards 0, scored by the given function of the true probability. */
    private static ScoredPairs sampled(int documents, int codes, DoubleUnaryOperator score) {
        Random random = new Random(11);
        int n = documents * codes;
        double[] truth = random.doubles(n).map(u -> 0.005 + 0.99 * u * u * u).toArray();
        boolean[] correct = new boolean[n];
        for (int i = 0; i < n; i++) {
            correct[i] = random.nextDouble() < truth[i];
        }
        long gold = IntStream.range(0, n).filter(i -> correct[i]).count();
        return new ScoredPairs(
                Arrays.stream(truth).map(score).toArray(),
                correct,
                IntStream.range(0, n).map(i -> i / codes).toArray(),
                documents,
                gold);
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }
}
