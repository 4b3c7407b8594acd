package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.tensor;
import static org.plant4j.tensor.Golden.values;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Precision;
import org.plant4j.Progress;
import org.plant4j.pretrain.BpttBatches.Window;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingCheckpoint;
import org.plant4j.train.TrainingHistory;

public class LanguageModelObjectiveTest {

    @TempDir
    Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static LanguageModelConfig config(
            int embedding, int hidden, double dropout, int epochs, int bptt, double heldOut) {
        return LanguageModelConfig.builder()
                .embedding(embedding)
                .hidden(hidden)
                .layers(3)
                .embeddingDropout(dropout)
                .inputDropout(dropout)
                .hiddenDropout(dropout)
                .outputDropout(dropout)
                .weightDropout(dropout)
                .alpha(2)
                .beta(1)
                .epochs(epochs)
                .learningRate(0.02)
                .weightDecay(0.01)
                .warmupRatio(0.25)
                .maxGradNorm(0.25)
                .bptt(bptt)
                .batchSize(2)
                .heldOut(heldOut)
                .build();
    }

    /** In one chunk, and one token at a time. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 30, 1})
    void lossAndGradientsOfASecondWindowMatchPyTorch(long memory) {
        Golden golden = Golden.of(LanguageModelObjectiveTest.class, "language");
        List<int[]> text = List.of(new int[] {2, 3, 4, 0, 5, 6, 2, 2, 3, 1, 4, 5, 6}); // 0 starts another document
        LanguageModelConfig config = config(3, 4, 0, 1, 3, 0);
        try (PointerScope scope = new PointerScope();
                LanguageModel model = new LanguageModel(config, 7, Compute.CPU.withLabelMemory(memory));
                LanguageModelObjective learning = new LanguageModelObjective(
                        model, config, List.of(new ListExamples(text)), false, 1, directory.resolve("best"))) {
            Golden.fill(model.parameters());
            try (NoGradGuard noGrad = new NoGradGuard()) {
                tensor(model.parameters(), "0.encoder.weight").select(0, 0).zero_();
            }
            learning.batches(0);
            golden.check("loss0", learning.trainingStep(new Window(0, 3, 0, 2)));
            model.parameters()
                    .values()
                    .forEach(parameter -> parameter.mutable_grad().reset());
            golden.check("loss3", learning.trainingStep(new Window(3, 3, 0, 2)));
            golden.checkGradients(model.parameters());
        }
    }

    /** Documents that count in a cycle: each token determines the next. */
    private static List<ListExamples> counting(int step) {
        Random random = new Random(1);
        List<int[]> texts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int first = random.nextInt(10);
            int length = 20 + random.nextInt(20);
            texts.add(IntStream.range(0, length)
                    .map(t -> 2 + Math.floorMod(first + step * t, 10))
                    .toArray());
        }
        return List.of(new ListExamples(texts.subList(0, 25)), new ListExamples(texts.subList(25, 40)));
    }

    private record Trained(TrainingHistory history, List<Double> weights) {}

    private Trained train(
            LanguageModelConfig config,
            List<ListExamples> texts,
            boolean backward,
            Compute compute,
            String name,
            int... stops) {
        Trained trained = new Trained(TrainingHistory.EMPTY, List.of());
        int[] all = Arrays.copyOf(stops, stops.length + 1);
        all[stops.length] = Integer.MAX_VALUE;
        for (int stop : all) {
            Engine.setSeed(1); // as at the start of every run
            AtomicInteger asked = new AtomicInteger();
            BooleanSupplier enough = () -> asked.incrementAndGet() > stop;
            try (LanguageModel model = new LanguageModel(config, 12, compute);
                    LanguageModelObjective learning = new LanguageModelObjective(
                            model, config, texts, backward, 1, directory.resolve(name + ".best"))) {
                Trainer.Outcome outcome = new Trainer<>(
                                config.trainer(),
                                learning,
                                compute,
                                1,
                                new TrainingCheckpoint(directory.resolve(name + ".checkpoint"), "test"),
                                Progress.NONE,
                                enough)
                        .run();
                trained = new Trained(
                        outcome.history(),
                        model.parameters().values().stream()
                                .flatMapToDouble(weights -> DoubleStream.of(values(weights)))
                                .boxed()
                                .toList());
            }
        }
        return trained;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void perplexityOfHeldOutTextFallsToAlmostOne(boolean backward) throws IOException {
        LanguageModelConfig config = config(8, 16, 0.02, 12, 8, 0.1);
        Trained trained = train(config, counting(3), backward, Compute.CPU, "round");
        List<TrainingHistory.Epoch> epochs = trained.history().epochs();
        assertThat(epochs)
                .hasSize(12)
                .allSatisfy(epoch -> assertThat(epoch.devMetric()).isCloseTo(-Math.exp(epoch.devLoss()), within(1e-9)));
        assertThat(-epochs.get(0).devMetric()).isGreaterThan(4);
        assertThat(-epochs.get(11).devMetric()).isBetween(1.0, 1.6); // the first token is one of ten: 10^(1/30)
        assertThat(Files.size(directory.resolve("round.best"))).isPositive();
    }

    @Test
    void bfloat16TrainsToo() {
        LanguageModelConfig config = config(8, 16, 0.02, 8, 8, 0.1);
        Trained trained = train(config, counting(3), false, new Compute(false, Precision.BFLOAT16), "half");
        assertThat(-trained.history().best().orElseThrow().devMetric()).isLessThan(3);
    }

    @Test
    void aResumedTrainingEndsWithTheSameWeights() {
        LanguageModelConfig config = config(4, 6, 0.2, 3, 8, 0.1);
        Trained unbroken = train(config, counting(3), false, Compute.CPU, "unbroken");
        Trained stopped = train(config, counting(3), false, Compute.CPU, "stopped", 3, 90);
        assertThat(unbroken.history().epochs()).hasSize(3);
        assertThat(stopped.weights()).isEqualTo(unbroken.weights());
        assertThat(stopped.history().epochs().stream().map(TrainingHistory.Epoch::devLoss))
                .isEqualTo(unbroken.history().epochs().stream()
                        .map(TrainingHistory.Epoch::devLoss)
                        .toList());
    }

    @Test
    void paddingIsNeverPredictedAndItsVectorStaysZero() {
        LanguageModelConfig config = config(4, 6, 0.1, 2, 8, 0);
        Trained trained = train(config, counting(3), false, Compute.CPU, "padding");
        // The weights start with the decoder bias (12 tokens), then the padding vector (size 4).
        assertThat(trained.weights().get(0)).isZero();
        assertThat(trained.weights().subList(1, 12)).doesNotContain(0.0);
        assertThat(trained.weights().subList(12, 16)).containsOnly(0.0);
        assertThat(trained.history().epochs().get(1).devLoss()).isNaN();
        assertThat(trained.history().best().orElseThrow().epoch()).isEqualTo(1); // nothing held out: the last epoch
    }

    @Test
    void theSavedModelLoadsIntoAnEqualModel() {
        LanguageModelConfig config = config(4, 6, 0, 1, 8, 0.1);
        train(config, counting(3), false, Compute.CPU, "kept");
        try (LanguageModel model = new LanguageModel(config, 12, Compute.CPU)) {
            model.load(directory.resolve("kept.best"));
            Tensor bias = tensor(model.parameters(), "1.decoder.bias");
            assertThat(Arrays.stream(values(bias))).anyMatch(x -> x != 0);
        }
    }
}
