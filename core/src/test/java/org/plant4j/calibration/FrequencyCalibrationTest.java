package org.plant4j.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.plant4j.FrequencyBucket;
import org.plant4j.metric.Predictions;

class FrequencyCalibrationTest {

    private static final Offset<Double> CLOSE = within(1e-6);

    private static final List<FrequencyBucket> BUCKETS = List.of(
            new FrequencyBucket("unseen", 0, 0, Map.of()),
            new FrequencyBucket("1–5", 1, 5, Map.of()),
            new FrequencyBucket(">5", 6, Integer.MAX_VALUE, Map.of()));

    /** A frequent code, scored 0.9, and a rare code, scored 0.3, in every document; {@code rare} of them have both. */
    private static Predictions predictions(int documents, int rare) {
        return new Predictions(IntStream.range(0, documents)
                .mapToObj(i -> new Predictions.ScoredDocument(
                        "d" + i,
                        i < rare ? List.of("frequent", "rare") : List.of("frequent"),
                        i < rare ? List.of(1, 2) : List.of(1),
                        List.of("frequent"),
                        List.of("frequent", "rare"),
                        List.of(0.9f, 0.3f)))
                .toList());
    }

    private static int trainingDocuments(String code) {
        return code.equals("rare") ? 2 : 100;
    }

    @Test
    void errorsAreMeasuredPerBucket() {
        List<FrequencyCalibration> rows = FrequencyCalibration.of(
                Calibration.none(0.5), predictions(10, 1), BUCKETS, FrequencyCalibrationTest::trainingDocuments);
        assertThat(rows).extracting(FrequencyCalibration::bucket).containsExactly("all", "1–5", ">5");
        FrequencyCalibration rare = rows.get(1);
        assertThat(rare.pairs()).isEqualTo(10);
        assertThat(rare.correct()).isCloseTo(0.1, CLOSE);
        assertThat(rare.probability()).isCloseTo(0.3, CLOSE);
        assertThat(rare.scoreError()).isCloseTo(0.2, CLOSE); // too high
        assertThat(rows.get(2).scoreError()).isCloseTo(0.1, CLOSE); // too low
        assertThat(rows.get(0).scoreError()).isCloseTo((10 * 0.2 + 10 * 0.1) / 20, CLOSE);
        assertThat(rows.get(0).calibratedError()).isEqualTo(rows.get(0).scoreError());
    }

    @Test
    void devIsMeasuredOnHeldOutDocuments() {
        Predictions dev = predictions(10, 1);
        Calibration isotonic = new Calibration(
                IsotonicRegression.fit(
                        ScoredPairs.of(dev).scores(), ScoredPairs.of(dev).correct()),
                10,
                Map.of(),
                new Reliability(List.of()),
                new Reliability(List.of()),
                new Bands(0.9, 0.3),
                List.of());
        FrequencyCalibration rare = FrequencyCalibration.heldOut(
                        isotonic, dev, BUCKETS, FrequencyCalibrationTest::trainingDocuments)
                .get(1);
        // Document 0 alone has the rare code. Its fold, documents 0 and 5, is calibrated on the other 8, where the code
        // is
        // never correct: the lowest probability for 16 pairs, 1 / 18. The other folds see 1 of 8: 0.125.
        assertThat(rare.probability()).isCloseTo((2 / 18.0 + 8 * 0.125) / 10, CLOSE);
        // Bin 0 holds 2 pairs, mean 1 / 18, half correct; bin 1 holds 8 pairs at 0.125, none correct.
        assertThat(rare.calibratedError()).isCloseTo((2 * (0.5 - 1 / 18.0) + 8 * 0.125) / 10, CLOSE);
        assertThat(FrequencyCalibration.of(isotonic, dev, BUCKETS, FrequencyCalibrationTest::trainingDocuments)
                        .get(1)
                        .calibratedError())
                .isCloseTo(0, CLOSE); // on its own training data
    }
}
