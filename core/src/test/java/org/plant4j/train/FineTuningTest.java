package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.plant.Plant;
import org.plant4j.model.plant.PlantTest;
import org.plant4j.rank.RankModel;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;

public class FineTuningTest {

    private static final TinyCorpus CORPUS = TinyCorpus.of(20, 1);
    private static final int EPOCHS = 5;

    /** Over an AWD-LSTM of two layers, in segments, with every dropout. */
    private static final Plant.Config CONFIG = Plant.Config.builder(
                    new EncoderConfig.Awd(new AwdLstm.Config(5, 4, 2, 0.1, 0.1, 0.1, 0.1, 1)))
            .ranker(new RankModel.Config(RankModel.Scorer.DOT, 3, 1))
            .dropout(0.1)
            .initialDeviation(0.5)
            .initialBias(-1)
            .segment(4)
            .window(4)
            .build();

    @TempDir
    private Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    /** Records the weights after each epoch. */
    private static final class Witness implements ClassificationObjective.Validator {

        private final Plant plant;
        private final List<Map<String, double[]>> seen = new ArrayList<>();

        Witness(Plant plant) {
            this.plant = plant;
            look();
        }

        private void look() {
            Map<String, double[]> weights = new LinkedHashMap<>();
            plant.parameters().forEach((name, tensor) -> weights.put(name, Golden.values(tensor)));
            seen.add(weights);
        }

        @Override
        public Objective.Validation validate(int epoch) {
            look();
            return new Objective.Validation(0, epoch);
        }

        @Override
        public void saveBest() {}

        /** The parameters that an epoch changed. */
        List<String> changedIn(int epoch) {
            return seen.get(epoch).keySet().stream()
                    .filter(name -> !Arrays.equals(
                            seen.get(epoch).get(name), seen.get(epoch + 1).get(name)))
                    .toList();
        }

        Map<String, double[]> last() {
            return seen.get(seen.size() - 1);
        }
    }

    private Witness train(Plant plant, String name, BooleanSupplier stop) {
        Witness witness = new Witness(plant);
        new Trainer<>(
                        new TrainerConfig(EPOCHS, 0.3, 1, 0.9, 0.99, EPOCHS),
                        new ClassificationObjective(
                                plant,
                                new Batches(CORPUS, 5, 1000, 1),
                                new FineTuning(0.01, 0.01, 0.5, 0.5, 0.5, 1),
                                witness),
                        Compute.CPU,
                        1,
                        new TrainingCheckpoint(directory.resolve(name), "test"),
                        Progress.NONE,
                        stop)
                .run();
        return witness;
    }

    @Test
    void layersUnfreezeOneByOneFromTheLast() {
        try (Plant plant = PlantTest.planted(CONFIG, Compute.CPU)) {
            Witness witness = train(plant, "checkpoint", () -> false);
            List<String> all = List.copyOf(plant.parameters().keySet());
            assertThat(witness.changedIn(0)).containsExactlyElementsOf(without(all, "encoder."));
            assertThat(witness.changedIn(1))
                    .containsExactlyElementsOf(without(all, "encoder.encoder.", "encoder.rnns.0."));
            assertThat(witness.changedIn(2)).containsExactlyElementsOf(without(all, "encoder.encoder."));
            assertThat(witness.changedIn(3)).containsExactlyElementsOf(all);
            assertThat(witness.changedIn(4)).containsExactlyElementsOf(all);
        }
    }

    private static List<String> without(List<String> names, String... prefixes) {
        return names.stream()
                .filter(name -> Arrays.stream(prefixes).noneMatch(name::startsWith))
                .toList();
    }

    @Test
    void resumingWhileLayersUnfreezeGivesTheSameWeights() {
        try (Plant uninterrupted = PlantTest.planted(CONFIG, Compute.CPU);
                Plant broken = PlantTest.planted(CONFIG, Compute.CPU);
                Plant resumed = PlantTest.planted(CONFIG, Compute.CPU)) {
            Map<String, double[]> expected =
                    train(uninterrupted, "uninterrupted", () -> false).last();
            int[] asked = new int[1];
            // Polled before each of the four steps of an epoch and once after them: stops in the third epoch.
            assertThat(train(broken, "broken", () -> ++asked[0] > 12).seen).hasSize(3);
            Map<String, double[]> found = train(resumed, "broken", () -> false).last();
            expected.forEach(
                    (name, values) -> assertThat(found.get(name)).as(name).containsExactly(values));
        }
    }

    @Test
    void invalidRatesAreRejected() {
        assertThatThrownBy(() -> new FineTuning(1, 0, 0, 1, 1, 0))
                .hasMessage("encoder_learning_rate_scale: 0.0 (expected: > 0)");
        assertThatThrownBy(() -> new FineTuning(1, 0, 1, 1, 1, -1))
                .hasMessage("unfreeze_interval: -1 (expected: >= 0)");
    }
}
