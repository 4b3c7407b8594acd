package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;

public class TrainerTest {

    private static final int BATCHES = 5;
    private static final int EPOCHS = 4;

    @TempDir
    Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    /** A linear layer with dropout fits random numbers: each step depends on the batch, the weights and the seed. */
    private static final class Toy implements Objective<Integer>, AutoCloseable {

        private final Linear layer;
        private final Path directory;
        private final IntToDoubleFunction metric;
        private int size = 8;
        private int batches = BATCHES;
        private int brokenAt = Integer.MAX_VALUE;
        private int steps;
        private int epoch;
        private int unfreezeEpoch; // of the matrix; the bias is never frozen
        private final List<Map<String, double[]>> afterEpochs = new ArrayList<>();

        /** The dev metric is a function of the epoch. */
        Toy(Path directory, IntToDoubleFunction metric) {
            Engine.setSeed(1);
            this.layer = new Linear(8, 3, true, Compute.CPU);
            this.directory = directory;
            this.metric = metric;
        }

        @Override
        public String name() {
            return "toy";
        }

        @Override
        public Map<String, Tensor> parameters() {
            return layer.parameters();
        }

        @Override
        public List<ParameterGroup> parameterGroups() {
            return List.of(
                    new ParameterGroup(
                            "matrix",
                            Map.of("weight", Golden.tensor(parameters(), "weight")),
                            0.1,
                            0.01,
                            unfreezeEpoch),
                    new ParameterGroup("bias", Map.of("bias", Golden.tensor(parameters(), "bias")), 0.1, 0.01));
        }

        @Override
        public List<Integer> batches(int epoch) {
            return IntStream.range(0, batches)
                    .mapToObj(i -> epoch * batches + i)
                    .toList();
        }

        @Override
        public Tensor trainingStep(Integer batch) {
            epoch = batch / batches;
            Tensor x = Golden.wave(batch, 8, 8).repeat(size / 8, 1);
            Tensor y = layer.forward(torch.dropout(x, 0.5, true));
            double factor = steps++ < brokenAt ? 1 : Double.NaN;
            return Compute.CPU.backward(
                    () -> y.sub(Golden.wave(batch + 1, 1, 3)).square().mean().mul(new Scalar(factor)));
        }

        @Override
        public Validation validate() {
            afterEpochs.add(values());
            return new Validation(0, metric.applyAsDouble(epoch));
        }

        Map<String, double[]> values() {
            return Map.of("weight", Golden.values(parameters(), "weight"), "bias", Golden.values(parameters(), "bias"));
        }

        @Override
        public void saveBest() {
            Checkpoint.write(directory.resolve("kept"), parameters());
        }

        @Override
        public Optional<Path> bestWeights() {
            return Optional.of(directory.resolve("kept"));
        }

        @Override
        public void close() {
            layer.close();
        }
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    private static Trainer.Outcome train(Toy toy, int epochs, int patience, BooleanSupplier stop) {
        return train(toy, new TrainerConfig(epochs, 0.3, 1, 0.9, 0.99, patience), stop);
    }

    private static Trainer.Outcome train(Toy toy, TrainerConfig config, BooleanSupplier stop) {
        return new Trainer<>(
                        config,
                        toy,
                        Compute.CPU,
                        7,
                        new TrainingCheckpoint(toy.directory.resolve("checkpoint"), "toy"),
                        Progress.NONE,
                        stop)
                .run();
    }

    /** The tensors of a checkpoint, without its header, which contains the time of each epoch. */
    private static byte[] numbers(Path directory) throws IOException {
        byte[] bytes = Files.readAllBytes(directory.resolve("checkpoint"));
        long header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
        return Arrays.copyOfRange(bytes, 8 + (int) header, bytes.length);
    }

    private static List<Double> losses(Trainer.Outcome outcome) {
        return outcome.history().epochs().stream()
                .map(TrainingHistory.Epoch::trainLoss)
                .toList();
    }

    /** Stops before the first step, in the first epoch, at its end, in the third, at the last step. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 5, 13, 19})
    void aResumedTrainingEqualsAnUninterruptedOne(int stepsBeforeTheStop) throws IOException {
        try (Toy uninterrupted = new Toy(directory("uninterrupted"), epoch -> epoch);
                Toy interrupted = new Toy(directory("interrupted"), epoch -> epoch);
                Toy resumed = new Toy(directory("interrupted"), epoch -> epoch)) {
            Trainer.Outcome whole = train(uninterrupted, EPOCHS, EPOCHS, TrainerTest::never);
            Trainer.Outcome first = train(interrupted, EPOCHS, EPOCHS, () -> interrupted.steps >= stepsBeforeTheStop);
            assertThat(first.interrupted()).isTrue();
            assertThat(first.history().epochs()).hasSize((stepsBeforeTheStop - 1) / BATCHES);
            Trainer.Outcome second = train(resumed, EPOCHS, EPOCHS, TrainerTest::never);

            assertThat(second.interrupted()).isFalse();
            assertThat(losses(second)).isEqualTo(losses(whole)).hasSize(EPOCHS);
            assertThat(numbers(resumed.directory)).isEqualTo(numbers(uninterrupted.directory));
            assertThat(resumed.directory.resolve("kept"))
                    .hasSameBinaryContentAs(uninterrupted.directory.resolve("kept"));
        }
    }

    @Test
    void aFrozenGroupIsUnchangedUntilItsEpoch() throws IOException {
        try (Toy toy = new Toy(directory("unfreezing"), epoch -> epoch)) {
            toy.unfreezeEpoch = 2;
            Map<String, double[]> start = toy.values();
            train(toy, EPOCHS, EPOCHS, TrainerTest::never);
            assertThat(toy.afterEpochs)
                    .extracting(values -> Arrays.equals(values.get("weight"), start.get("weight")))
                    .containsExactly(true, true, false, false);
            assertThat(toy.afterEpochs)
                    .extracting(values -> Arrays.equals(values.get("bias"), start.get("bias")))
                    .containsOnly(false);
        }
    }

    /** Stops while the matrix is frozen, at the end of its last frozen epoch, and in the epoch in which it is unfrozen. */
    @ParameterizedTest
    @ValueSource(ints = {7, 10, 13, 17})
    void resumingWhileFrozenEqualsAnUninterruptedTraining(int stepsBeforeTheStop) throws IOException {
        try (Toy uninterrupted = new Toy(directory("uninterrupted"), epoch -> epoch);
                Toy interrupted = new Toy(directory("interrupted"), epoch -> epoch);
                Toy resumed = new Toy(directory("interrupted"), epoch -> epoch)) {
            uninterrupted.unfreezeEpoch = 2;
            interrupted.unfreezeEpoch = 2;
            resumed.unfreezeEpoch = 2;
            Trainer.Outcome whole = train(uninterrupted, EPOCHS, EPOCHS, TrainerTest::never);
            assertThat(train(interrupted, EPOCHS, EPOCHS, () -> interrupted.steps >= stepsBeforeTheStop)
                            .interrupted())
                    .isTrue();
            assertThat(losses(train(resumed, EPOCHS, EPOCHS, TrainerTest::never)))
                    .isEqualTo(losses(whole));
            assertThat(numbers(resumed.directory)).isEqualTo(numbers(uninterrupted.directory));
        }
    }

    /** Halfway along the cosine from 1 to 0.1 the factor is 0.55. */
    @Test
    void weightDecayFallsAlongACosine() throws IOException {
        TrainerConfig falling = new TrainerConfig(EPOCHS, 0.3, 0.1, 1, 0.9, 0.99, EPOCHS);
        assertThat(falling.weightDecayScale(0)).isEqualTo(1);
        assertThat(falling.weightDecayScale(0.5)).isCloseTo(0.55, within(1e-9));
        assertThat(falling.weightDecayScale(1)).isCloseTo(0.1, within(1e-9));
        try (Toy constant = new Toy(directory("constant"), epoch -> epoch);
                Toy fallen = new Toy(directory("falling"), epoch -> epoch)) {
            train(constant, EPOCHS, EPOCHS, TrainerTest::never);
            train(fallen, falling, TrainerTest::never);
            assertThat(norm(fallen)).isGreaterThan(norm(constant));
        }
    }

    private static double norm(Toy toy) {
        return Arrays.stream(toy.values().get("weight"))
                .map(value -> value * value)
                .sum();
    }

    @Test
    void otherSeedsGiveOtherWeights() throws IOException {
        try (Toy one = new Toy(directory("one"), epoch -> epoch);
                Toy other = new Toy(directory("other"), epoch -> epoch)) {
            train(one, 1, 1, TrainerTest::never);
            TrainerConfig config = new TrainerConfig(1, 0.3, 1, 0.9, 0.99, 1);
            new Trainer<>(
                            config,
                            other,
                            Compute.CPU,
                            8,
                            new TrainingCheckpoint(other.directory.resolve("checkpoint"), "toy"),
                            Progress.NONE,
                            TrainerTest::never)
                    .run();
            assertThat(numbers(one.directory)).isNotEqualTo(numbers(other.directory));
        }
    }

    @Test
    void aFinishedTrainingIsNotRunAgain() throws IOException {
        try (Toy once = new Toy(directory("once"), epoch -> epoch);
                Toy again = new Toy(directory("once"), epoch -> epoch)) {
            Trainer.Outcome outcome = train(once, 2, 2, TrainerTest::never);
            assertThat(train(again, 2, 2, TrainerTest::never)).isEqualTo(outcome);
            assertThat(again.steps).isZero();
        }
    }

    /** Metrics 1, 3, 2, 3, 0, …: the second epoch is best, and the next two are not better. */
    @Test
    void patienceEndsTheTrainingAndTheBestEpochIsKept() throws IOException {
        double[] metrics = {1, 3, 2, 3, 0, 9};
        try (Toy patient = new Toy(directory("patient"), epoch -> metrics[epoch]);
                Toy two = new Toy(directory("two"), epoch -> epoch)) {
            Trainer.Outcome outcome = train(patient, 6, 2, TrainerTest::never);
            assertThat(outcome.interrupted()).isFalse();
            assertThat(outcome.history().epochs()).hasSize(4);
            assertThat(outcome.history().best().orElseThrow().epoch()).isEqualTo(1);
            // The same training, stopped after the second epoch.
            train(two, 6, 6, () -> two.steps > 2 * BATCHES);
            assertThat(patient.directory.resolve("kept")).hasSameBinaryContentAs(two.directory.resolve("kept"));
        }
    }

    @Test
    void anInterruptionInTheFirstEpochSavesTheCurrentWeights() throws IOException {
        try (Toy toy = new Toy(directory("early"), epoch -> epoch)) {
            Trainer.Outcome outcome = train(toy, EPOCHS, EPOCHS, () -> toy.steps >= 2);
            assertThat(outcome).isEqualTo(new Trainer.Outcome(TrainingHistory.EMPTY, true));
            assertThat(toy.directory.resolve("kept")).exists();
            assertThat(toy.directory.resolve("checkpoint")).doesNotExist();
        }
    }

    @Test
    void aNanLossIsAUserErrorAndKeepsTheLastCheckpoint() throws IOException {
        try (Toy toy = new Toy(directory("interrupted"), epoch -> epoch)) {
            toy.brokenAt = BATCHES + 2;
            assertThatThrownBy(() -> train(toy, EPOCHS, EPOCHS, TrainerTest::never))
                    .isInstanceOfSatisfying(
                            UserError.class, error -> assertThat(error.where()).contains("epoch 2"));
            double[] weights = Golden.values(toy.parameters(), "weight");
            assertThat(Arrays.stream(weights)).allMatch(Double::isFinite);
            assertThat(toy.directory.resolve("checkpoint")).exists();
        }
    }

    @Test
    void aCheckpointOfAnotherNetworkIsRejected() throws IOException {
        try (Toy toy = new Toy(directory("foreign"), epoch -> epoch)) {
            Checkpoint.write(toy.directory.resolve("checkpoint"), Map.of("other", Golden.wave(0, 2)));
            assertThatThrownBy(() -> train(toy, EPOCHS, EPOCHS, TrainerTest::never))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(toy.directory.resolve("checkpoint").toString());
        }
    }

    /** Trains the first two epochs, the first of which is better, and the beginning of the third. */
    private Toy interrupted(String name) throws IOException {
        try (Toy toy = new Toy(directory(name), epoch -> -epoch)) {
            assertThat(train(toy, EPOCHS, EPOCHS, () -> toy.steps > 2 * BATCHES).interrupted())
                    .isTrue();
        }
        return new Toy(directory(name), epoch -> -epoch);
    }

    private static void assertNotResumed(Toy toy, String file) {
        assertThatThrownBy(() -> train(toy, EPOCHS, EPOCHS, TrainerTest::never))
                .isInstanceOfSatisfying(UserError.class, error -> {
                    assertThat(error.where())
                            .isEqualTo(toy.directory.resolve(file).toString());
                    assertThat(error.remedy()).contains("delete", "first epoch");
                });
    }

    @Test
    void aDamagedCheckpointIsNotResumed() throws IOException {
        Random random = new Random(5);
        try (Toy toy = interrupted("damaged")) {
            Path checkpoint = toy.directory.resolve("checkpoint");
            byte[] intact = Files.readAllBytes(checkpoint);
            for (int i = 0; i < 200; i++) {
                byte[] damaged = intact.clone();
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                Files.write(checkpoint, damaged);
                assertNotResumed(toy, "checkpoint");
            }
            Files.write(checkpoint, Arrays.copyOf(intact, intact.length - 1));
            assertNotResumed(toy, "checkpoint");
            assertThat(toy.steps).isZero();
        }
    }

    @Test
    void aCheckpointOfAnotherTrainingIsNotResumed() throws IOException {
        try (Toy toy = interrupted("other")) {
            TrainingCheckpoint own = new TrainingCheckpoint(toy.directory.resolve("checkpoint"), "of another seed");
            assertThatThrownBy(() -> new Trainer<>(
                                    new TrainerConfig(EPOCHS, 0.3, 1, 0.9, 0.99, EPOCHS),
                                    toy,
                                    Compute.CPU,
                                    8,
                                    own,
                                    Progress.NONE,
                                    TrainerTest::never)
                            .run())
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("belongs to another training");
        }
    }

    @Test
    void damagedWeightsOfTheBestEpochAreNotKept() throws IOException {
        try (Toy toy = interrupted("kept-damaged")) {
            byte[] weights = Files.readAllBytes(toy.directory.resolve("kept"));
            weights[weights.length - 1] ^= 1;
            Files.write(toy.directory.resolve("kept"), weights);
            assertNotResumed(toy, "kept");
        }
    }

    /** As if killed between the two writes at the end of the third epoch: the next epoch is the best, and stored again. */
    @Test
    void aTrainingKilledBetweenWeightsAndCheckpointResumes() throws IOException {
        try (Toy uninterrupted = new Toy(directory("uninterrupted"), epoch -> epoch);
                Toy first = new Toy(directory("killed"), epoch -> epoch);
                Toy resumed = new Toy(directory("killed"), epoch -> epoch)) {
            train(uninterrupted, EPOCHS, EPOCHS, TrainerTest::never);
            train(first, EPOCHS, EPOCHS, () -> first.steps > 2 * BATCHES);
            Files.writeString(first.directory.resolve("kept"), "weights of the third epoch");
            train(resumed, EPOCHS, EPOCHS, TrainerTest::never);
            assertThat(numbers(resumed.directory)).isEqualTo(numbers(uninterrupted.directory));
            assertThat(resumed.directory.resolve("kept"))
                    .hasSameBinaryContentAs(uninterrupted.directory.resolve("kept"));
        }
    }

    /** Each step allocates about 2 MB of tensors; without scopes, 300 steps would hold 600 MB. */
    @Test
    void residentMemoryStaysConstant() throws IOException {
        Path statm = Path.of("/proc/self/statm");
        assumeTrue(Files.exists(statm));
        try (Toy toy = new Toy(directory("long"), epoch -> epoch)) {
            toy.size = 20_000;
            train(toy, 8, 8, TrainerTest::never); // warm-up
            Files.delete(toy.directory.resolve("checkpoint"));
            toy.batches = 300;
            long before = residentPages(statm);
            train(toy, 1, 1, TrainerTest::never);
            long grownBytes = (residentPages(statm) - before) * 4096;
            assertThat(toy.steps).isEqualTo(8 * BATCHES + 300);
            assertThat(grownBytes).isLessThan(200L << 20);
        }
    }

    private static boolean never() {
        return false;
    }

    private static long residentPages(Path statm) throws IOException {
        return Long.parseLong(Files.readString(statm).split(" ", -1)[1]);
    }
}
