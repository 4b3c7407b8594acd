package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.values;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.distributed.LocalGroup;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.distributed.SingleProcess;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;

/** Trains objectives in one process and in two, here threads, and compares them. */
abstract class DataParallelTestCase {

    private static final double RELATIVE_ERROR = 1e-6;

    @TempDir
    Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    /** What a process ends with: the loss of each epoch, and its weights. */
    record Trained(List<Double> losses, Map<String, double[]> weights, boolean interrupted) {}

    final Trained train(Objective<?> objective, int epochs, ProcessGroup group, BooleanSupplier stop) {
        Trainer.Outcome outcome = new Trainer<>(
                        new TrainerConfig(epochs, 0.3, 1, 0.9, 0.99, epochs),
                        objective,
                        Compute.CPU,
                        1,
                        new TrainingCheckpoint(directory.resolve("checkpoint"), "test"),
                        Progress.NONE,
                        stop)
                .run(group);
        Map<String, double[]> weights = new TreeMap<>();
        objective.parameters().forEach((name, tensor) -> weights.put(name, values(tensor)));
        return new Trained(
                outcome.history().epochs().stream()
                        .map(TrainingHistory.Epoch::trainLoss)
                        .toList(),
                weights,
                outcome.interrupted());
    }

    final Trained alone(Objective<?> objective, int epochs) {
        Trained trained = train(objective, epochs, SingleProcess.INSTANCE, () -> false);
        deleteCheckpoint();
        return trained;
    }

    final List<Trained> together(Supplier<Objective<?>> objective, int epochs) {
        List<Objective<?>> members = List.of(objective.get(), objective.get());
        return LocalGroup.run(2, group -> train(members.get(group.rank()), epochs, group, () -> false));
    }

    final void deleteCheckpoint() {
        try {
            Files.deleteIfExists(directory.resolve("checkpoint"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void assertEqualBits(Trained one, Trained other) {
        assertThat(other.weights.keySet()).isEqualTo(one.weights.keySet());
        one.weights.forEach(
                (name, weights) -> assertThat(other.weights.get(name)).as(name).isEqualTo(weights));
    }

    static void assertCloseLosses(List<Double> expected, List<Double> losses) {
        assertThat(losses).hasSameSizeAs(expected);
        for (int i = 0; i < losses.size(); i++) {
            assertThat(losses.get(i))
                    .as("step %d", i)
                    .isCloseTo(expected.get(i), within(RELATIVE_ERROR * expected.get(i)));
        }
    }

    final void assertTrainsAsOne(Supplier<Objective<?>> objective, int epochs) {
        Trained one = alone(objective.get(), epochs);
        List<Trained> two = together(objective, epochs);
        assertCloseLosses(one.losses, two.get(0).losses);
        assertEqualBits(two.get(0), two.get(1));
    }
}
