package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.plant4j.Progress;
import org.plant4j.distributed.LocalGroup;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.baseline.Laat;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;

/** Two processes, here threads, train like one that sees whole batches. */
@EnabledOnOs(OS.LINUX)
class DataParallelTest extends DataParallelTestCase {

    private static final int STEPS = 50;
    /** Counts validations and stored weights. */
    private static final class Validator implements ClassificationObjective.Validator {

        private final Path best;
        private final LabelNetwork<?> network;
        private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

        Validator(LabelNetwork<?> network, Path best) {
            this.network = network;
            this.best = best;
        }

        @Override
        public Objective.Validation validate(int epoch) {
            calls.add("validate " + epoch);
            return new Objective.Validation(Double.NaN, -epoch, Map.of("MAP", 0.1 * epoch)); // the first epoch is best
        }

        @Override
        public void saveBest() {
            calls.add("save");
            Checkpoint.write(best, network.state());
        }
    }

    private final List<Validator> validators = new ArrayList<>();

    /** A LAAT without dropout, with the same initial weights each time. */
    private ClassificationObjective laat(int documents, int batchSize) {
        Engine.setSeed(5);
        LabelNetwork<?> network = new Laat.Config(8, 8, 8, 0, 0, 0.1, -3)
                .build(TinyCorpus.VOCABULARY, TinyCorpus.labels(TinyCorpus.LABELS, 0), Compute.CPU);
        validators.add(new Validator(network, directory.resolve("best-" + validators.size())));
        return new ClassificationObjective(
                network,
                new Batches(TinyCorpus.of(documents, 3), batchSize, 1000, 1),
                FineTuning.uniform(0.01, 0.01),
                validators.get(validators.size() - 1));
    }

    @Test
    void twoProcessesHaveTheLossesOfOneAndEqualWeights() {
        Trained one = alone(laat(17, 17), STEPS); // one step per epoch, 8 documents in one process and 9 in the other
        List<Trained> two = together(() -> laat(17, 17), STEPS);
        assertCloseLosses(one.losses(), two.get(0).losses());
        assertThat(two.get(1).losses()).isEqualTo(two.get(0).losses());
        assertEqualBits(two.get(0), two.get(1));
    }

    @Test
    void batchesOfOneDocumentLeaveOneProcessIdle() {
        Trained one = alone(laat(5, 1), 4);
        List<Trained> two = together(() -> laat(5, 1), 4);
        assertThat(two.get(0).losses()).isEqualTo(one.losses());
        assertEqualBits(one, two.get(0));
        assertEqualBits(one, two.get(1));
    }

    @Test
    void theFirstProcessValidatesStoresAndDecides() {
        List<Objective<?>> members = List.of(laat(8, 4), laat(8, 4));
        List<Integer> epochs = LocalGroup.run(
                2,
                group -> new Trainer<>(
                                new TrainerConfig(9, 0, 1, 0.9, 0.99, 2), // patience of 2
                                members.get(group.rank()),
                                Compute.CPU,
                                1,
                                new TrainingCheckpoint(directory.resolve("checkpoint"), "test"),
                                Progress.NONE,
                                () -> false)
                        .run(group)
                        .history()
                        .epochs()
                        .size());
        assertThat(epochs).containsExactly(3, 3);
        assertThat(validators.get(0).calls).containsExactly("validate 0", "save", "validate 1", "validate 2");
        assertThat(validators.get(1).calls).isEmpty();
    }

    @Test
    void allProcessesStopIfOneIsAskedTo() {
        List<Objective<?>> members = List.of(laat(8, 4), laat(8, 4));
        List<Trained> two =
                LocalGroup.run(2, group -> train(members.get(group.rank()), 3, group, () -> !group.isFirst()));
        assertThat(two).extracting(Trained::interrupted).containsExactly(true, true);
        assertEqualBits(two.get(0), two.get(1));
    }

    /** Training of 6 epochs, the first 3 by {@code before} processes and the rest by {@code after}. */
    private Trained resumed(int before, int after) {
        List<Objective<?>> first = objectives(before);
        LocalGroup.run(
                before,
                group -> train(
                        first.get(group.rank()),
                        6,
                        group,
                        () -> validators.get(validators.size() - before).calls.contains("validate 2")));
        List<Objective<?>> second = objectives(after);
        List<Trained> trained = LocalGroup.run(after, group -> train(second.get(group.rank()), 6, group, () -> false));
        assertThat(validators.get(validators.size() - after).calls)
                .contains("validate 3")
                .doesNotContain("validate 2");
        trained.forEach(each -> assertEqualBits(trained.get(0), each));
        deleteCheckpoint();
        return trained.get(0);
    }

    private List<Objective<?>> objectives(int count) {
        return IntStream.range(0, count)
                .<Objective<?>>mapToObj(rank -> laat(12, 4))
                .toList();
    }

    @Test
    void trainingResumesWithAnotherNumberOfProcesses() {
        Trained one = alone(laat(12, 4), 6);
        assertCloseLosses(one.losses(), resumed(2, 1).losses());
        assertCloseLosses(one.losses(), resumed(1, 2).losses());
        assertCloseLosses(one.losses(), resumed(2, 3).losses());
    }

    /** The parameter of documents with an odd number; each parameter belongs to one kind of document. */
    private static final class OddAndEven implements Objective<int[]> {

        private final Tensor odd = parameter();
        private final Tensor even = parameter();
        private final Tensor unused = parameter();

        private static Tensor parameter() {
            Tensor tensor = Tensor.create(new float[] {1});
            tensor.retainReference();
            tensor.set_requires_grad(true);
            return tensor;
        }

        @Override
        public String name() {
            return "odd and even";
        }

        @Override
        public Map<String, Tensor> parameters() {
            return new TreeMap<>(Map.of("odd", odd, "even", even, "unused", unused));
        }

        @Override
        public List<ParameterGroup> parameterGroups() {
            return List.of(new ParameterGroup("all", parameters(), 0.1, 0.5));
        }

        @Override
        public List<int[]> batches(int epoch) {
            return List.of(new int[] {0, 2, 1}); // 0 in the first process; 2 and 1 in the second
        }

        @Override
        public Tensor trainingStep(int[] documents) {
            Tensor sum = Tensor.create(new float[] {0}).sum();
            for (int document : documents) {
                sum = sum.add((document % 2 == 0 ? even : odd).sum());
            }
            Tensor mean = sum.div(new Scalar((double) documents.length));
            mean.backward();
            return mean;
        }

        @Override
        public Optional<Share<int[]>> share(int[] documents, int rank, int size) {
            return Share.of(documents, rank, size);
        }

        @Override
        public Validation validate() {
            return new Validation(0, 0);
        }

        @Override
        public void saveBest() {}
    }

    @Test
    void onlyParametersWithAGradientInSomeProcessAreUpdated() {
        Trained one = alone(new OddAndEven(), 1);
        List<Trained> two = together(OddAndEven::new, 1);
        assertEqualBits(two.get(0), two.get(1));
        assertThat(two.get(0).weights().get("unused")).containsExactly(1); // weight decay would have changed it
        assertThat(two.get(0).weights().get("odd")).isNotEqualTo(new double[] {1});
        one.weights()
                .forEach((name, expected) -> assertThat(
                                Objects.requireNonNull(two.get(0).weights().get(name))[0])
                        .as(name)
                        .isCloseTo(expected[0], within(1e-6)));
        assertThat(two.get(0).losses().get(0)).isCloseTo(one.losses().get(0), within(1e-6));
    }
}
