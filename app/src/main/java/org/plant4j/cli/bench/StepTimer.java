package org.plant4j.cli.bench;

import java.util.Arrays;
import org.plant4j.Progress;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.tensor.Compute;
import org.plant4j.train.Objective;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;
import org.plant4j.train.TrainingCheckpoint;
import org.plant4j.train.TrainingHistory;

/** Times training and prediction in milliseconds per step, one value per round without the warm-up round. */
final class StepTimer {

    /** Skips validation: a benchmark measures time only. */
    static final ClassificationObjective.Validator NO_VALIDATION = new ClassificationObjective.Validator() {
        @Override
        public Objective.Validation validate(int epoch) {
            return new Objective.Validation(0, 0);
        }

        @Override
        public void saveBest() {}
    };

    private StepTimer() {}

    static double[] trainingTimes(Objective<?> objective, Compute compute, int rounds, int steps) {
        return new Trainer<>(
                        new TrainerConfig(rounds, 0, 1, 0.9, 0.999, rounds),
                        objective,
                        compute,
                        1,
                        TrainingCheckpoint.NONE,
                        Progress.NONE,
                        () -> false)
                .run().history().epochs().stream()
                        .skip(1)
                        .mapToDouble(TrainingHistory.Epoch::seconds)
                        .map(seconds -> 1000 * seconds / steps)
                        .toArray();
    }

    /** Milliseconds per prediction in each round but the first. */
    static double[] predictionTimes(Runnable prediction, int rounds, int steps) {
        double[] times = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            long start = System.nanoTime();
            for (int step = 0; step < steps; step++) {
                prediction.run();
            }
            times[round] = (System.nanoTime() - start) / 1e6 / steps;
        }
        return Arrays.copyOfRange(times, 1, rounds);
    }

    static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
