package org.plant4j.calibration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.plant4j.FrequencyBucket;
import org.plant4j.metric.Predictions;

/**
 * The calibration of labels with a similar number of training documents. Scores that are calibrated on average can still
 * be too high for rare labels and too low for frequent ones.
 *
 * @param bucket the name of the frequency bucket, or {@link #ALL}
 * @param pairs number of (document, label) pairs among the top labels
 * @param correct the fraction of the pairs that are gold
 * @param probability mean calibrated probability of the pairs
 * @param scoreError expected calibration error of the raw scores
 * @param calibratedError expected calibration error of the calibrated probabilities
 */
public record FrequencyCalibration(
        String bucket, long pairs, double correct, double probability, double scoreError, double calibratedError) {

    /** The name of the first row, over all labels. */
    public static final String ALL = "all";

    /** Measures dev with held-out probabilities: those of each fold come from a calibrator fitted on the others. */
    public static List<FrequencyCalibration> heldOut(
            Calibration calibration,
            Predictions dev,
            List<FrequencyBucket> buckets,
            ToIntFunction<String> trainingDocuments) {
        ScoredPairs pairs = ScoredPairs.of(dev);
        CrossValidation folds =
                CrossValidation.run(pairs, calibration.calibrator().fitter());
        return of(pairs, folds.probabilities(), frequencies(dev, trainingDocuments), buckets);
    }

    /** Measures other documents than those the calibration was fitted on. */
    public static List<FrequencyCalibration> of(
            Calibration calibration,
            Predictions test,
            List<FrequencyBucket> buckets,
            ToIntFunction<String> trainingDocuments) {
        ScoredPairs pairs = ScoredPairs.of(test);
        double[] probabilities = calibration.calibrator().probabilities(pairs.scores());
        return of(pairs, probabilities, frequencies(test, trainingDocuments), buckets);
    }

    /** The training documents of the label of each pair, in the order of {@link ScoredPairs}. */
    private static int[] frequencies(Predictions predictions, ToIntFunction<String> trainingDocuments) {
        return predictions.documents().stream()
                .flatMap(document -> document.topCodes().stream())
                .mapToInt(trainingDocuments)
                .toArray();
    }

    private static List<FrequencyCalibration> of(
            ScoredPairs pairs, double[] probabilities, int[] frequencies, List<FrequencyBucket> buckets) {
        List<FrequencyCalibration> rows = new ArrayList<>();
        rows.add(row(ALL, IntStream.range(0, pairs.size()).toArray(), pairs, probabilities));
        for (FrequencyBucket bucket : buckets) {
            int[] members = IntStream.range(0, pairs.size())
                    .filter(i -> frequencies[i] >= bucket.minimum() && frequencies[i] <= bucket.maximum())
                    .toArray();
            if (members.length > 0) {
                rows.add(row(bucket.name(), members, pairs, probabilities));
            }
        }
        return rows;
    }

    private static FrequencyCalibration row(String name, int[] members, ScoredPairs pairs, double[] probabilities) {
        double[] scores =
                Arrays.stream(members).mapToDouble(i -> pairs.scores()[i]).toArray();
        double[] calibrated =
                Arrays.stream(members).mapToDouble(i -> probabilities[i]).toArray();
        boolean[] correct = new boolean[members.length];
        for (int i = 0; i < members.length; i++) {
            correct[i] = pairs.correct()[members[i]];
        }
        return new FrequencyCalibration(
                name,
                members.length,
                Arrays.stream(members)
                        .mapToDouble(i -> pairs.correct()[i] ? 1 : 0)
                        .average()
                        .orElse(Double.NaN),
                Arrays.stream(calibrated).average().orElse(Double.NaN),
                Reliability.of(scores, correct).expectedCalibrationError(),
                Reliability.of(calibrated, correct).expectedCalibrationError());
    }
}
