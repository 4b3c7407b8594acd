package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.tensor;
import static org.plant4j.tensor.Golden.values;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Precision;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.BertPooler;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.pretrain.TokenMasking.MaskedRow;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingCheckpoint;
import org.plant4j.train.TrainingHistory;

public class MaskedLanguageModelObjectiveTest {

    private static final BertEncoder.Config TINY = BertEncoder.Config.builder()
            .layers(1)
            .hidden(4)
            .heads(2)
            .intermediate(6)
            .positions(8)
            .epsilon(1e-5)
            .window(5)
            .build();
    private static final BertEncoder.Config SMALL = BertEncoder.Config.builder()
            .layers(1)
            .hidden(16)
            .heads(2)
            .intermediate(32)
            .positions(16)
            .window(14)
            .dropout(0.1)
            .build();
    private static final int VOCABULARY = 15; // ten besides the special tokens
    private static final String VECTORS = "embeddings.word_embeddings.weight";

    @TempDir
    Path directory;

    private EncoderDirectory small;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    @BeforeEach
    void seed() {
        small = write("small", SMALL, VOCABULARY);
    }

    /** A random encoder with a pooler and without a head. */
    private EncoderDirectory write(String name, BertEncoder.Config config, int size) {
        EncoderDirectory written = new EncoderDirectory(directory.resolve(name));
        Engine.setSeed(5);
        try (PointerScope scope = new PointerScope();
                BertEncoder encoder = new BertEncoder(config, size, Compute.CPU);
                BertPooler pooler = new BertPooler(config.hidden(), Compute.CPU)) {
            Map<String, Tensor> tensors = new LinkedHashMap<>(encoder.parameters());
            pooler.parameters().forEach((path, tensor) -> tensors.put("pooler." + path, tensor));
            Files.createDirectories(written.path());
            Checkpoint.write(written.weights(), tensors);
            Files.writeString(written.tokenizer(), "{}");
            Files.writeString(written.tokensFile(), String.join("\n", tokens(size)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return written;
    }

    private static List<String> tokens(int size) {
        return IntStream.range(0, size).mapToObj(id -> "token" + id).toList();
    }

    private static Vocabulary vocabulary(int size) {
        return new Vocabulary.Builder().build(tokens(size));
    }

    private static MaskedLanguageModelConfig config(int epochs, double heldOut) {
        return MaskedLanguageModelConfig.builder()
                .epochs(epochs)
                .learningRate(0.01)
                .weightDecay(0.01)
                .warmupRatio(0.2)
                .batchSize(6)
                .window(14)
                .heldOut(heldOut)
                .build();
    }

    /** In one chunk, and one masked token at a time. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 30, 1})
    void lossAndGradientsMatchPyTorch(long memory) {
        List<MaskedRow> rows = List.of(
                new MaskedRow(new int[] {5, 4, 7, 6, 5}, new int[] {1, 3}, new int[] {6, 8}),
                new MaskedRow(new int[] {7, 1, 6}, new int[] {0}, new int[] {7}));
        try (PointerScope scope = new PointerScope();
                MaskedLanguageModel model =
                        new MaskedLanguageModel(TINY, write("tiny", TINY, 9), 9, Compute.CPU.withLabelMemory(memory))) {
            Golden.fill(model.parameters());
            try (NoGradGuard noGrad = new NoGradGuard()) {
                model.parameters().forEach((name, tensor) -> {
                    if (name.endsWith("LayerNorm.weight")) {
                        tensor.add_(new Scalar(1));
                    }
                });
                tensor(model.parameters(), VECTORS).select(0, 0).zero_();
            }
            MaskedLanguageModelConfig config = MaskedLanguageModelConfig.builder()
                    .learningRate(0.01)
                    .batchSize(2)
                    .window(5)
                    .build();
            MaskedLanguageModelObjective learning = new MaskedLanguageModelObjective(
                    model,
                    config,
                    vocabulary(9),
                    List.of(new ListExamples(List.of(new int[] {5}))),
                    1,
                    directory.resolve("best"));
            Golden golden = Golden.of(MaskedLanguageModelObjectiveTest.class, "masked");
            golden.check("loss", learning.trainingStep(rows));
            golden.checkGradients(model.parameters());
        }
    }

    /** Each document repeats one of ten tokens, so that the context determines a masked one. */
    private static List<ListExamples> repetitive() {
        Random random = new Random(1);
        List<int[]> texts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int[] text = new int[6 + random.nextInt(15)];
            Arrays.fill(text, 5 + i % 10);
            texts.add(text);
        }
        return List.of(new ListExamples(texts.subList(0, 35)), new ListExamples(texts.subList(35, 60)));
    }

    private record Trained(double before, TrainingHistory history, boolean hasPretrainedHead) {}

    private Trained train(
            MaskedLanguageModelConfig config, EncoderDirectory from, Compute compute, String name, int... stops) {
        Trained trained = new Trained(0, TrainingHistory.EMPTY, false);
        int[] all = Arrays.copyOf(stops, stops.length + 1);
        all[stops.length] = Integer.MAX_VALUE;
        for (int stop : all) {
            Engine.setSeed(1); // as at the start of every run
            AtomicInteger asked = new AtomicInteger();
            try (MaskedLanguageModel model = new MaskedLanguageModel(SMALL, from, VOCABULARY, compute)) {
                MaskedLanguageModelObjective learning = new MaskedLanguageModelObjective(
                        model, config, vocabulary(VOCABULARY), repetitive(), 1, best(name));
                Double before = learning.validate().loss();
                assertThat(learning.validate().loss()).isEqualTo(before); // always masked in the same way
                Trainer.Outcome outcome = new Trainer<>(
                                config.trainer(),
                                learning,
                                compute,
                                1,
                                new TrainingCheckpoint(checkpoint(name), "test"),
                                Progress.NONE,
                                () -> asked.incrementAndGet() > stop)
                        .run();
                trained = new Trained(before, outcome.history(), model.hasPretrainedHead());
            }
        }
        return trained;
    }

    private Path best(String name) {
        return directory.resolve(name + ".best");
    }

    private Path checkpoint(String name) {
        return directory.resolve(name + ".checkpoint");
    }

    @Test
    void perplexityOfHeldOutTextFallsToAlmostOne() {
        Trained trained = train(config(20, 0.1), small, Compute.CPU, "learned");
        assertThat(Math.exp(trained.before())).isGreaterThan(8); // ten tokens, untrained
        TrainingHistory.Epoch last = trained.history().epochs().get(19);
        assertThat(last.devMetric()).isCloseTo(-Math.exp(last.devLoss()), within(1e-9));
        assertThat(-last.devMetric()).isBetween(1.0, 1.3);
    }

    @Test
    void bfloat16TrainsToo() {
        Trained trained = train(config(20, 0.1), small, new Compute(false, Precision.BFLOAT16), "half");
        assertThat(-trained.history().best().orElseThrow().devMetric()).isLessThan(2);
    }

    @Test
    void aResumedTrainingEndsWithTheSameBytes() throws IOException {
        Trained unbroken = train(config(3, 0.1), small, Compute.CPU, "unbroken");
        Trained stopped = train(config(3, 0.1), small, Compute.CPU, "stopped", 3, 25);
        assertThat(unbroken.history().epochs()).hasSize(3);
        assertThat(stopped.history().epochs().stream().map(TrainingHistory.Epoch::devLoss))
                .isEqualTo(unbroken.history().epochs().stream()
                        .map(TrainingHistory.Epoch::devLoss)
                        .toList());
        assertThat(Files.readAllBytes(best("stopped"))).isEqualTo(Files.readAllBytes(best("unbroken")));
    }

    @Test
    void furtherTrainingStartsFromTheHeadAndKeepsThePooler() throws IOException {
        Trained first = train(config(4, 0.1), small, Compute.CPU, "first");
        assertThat(first.hasPretrainedHead()).isFalse();
        EncoderDirectory kept = new EncoderDirectory(Files.createDirectories(directory.resolve("kept")));
        Files.copy(best("first"), kept.weights());
        Files.copy(small.tokenizer(), kept.tokenizer());
        Files.copy(small.tokensFile(), kept.tokensFile());
        Trained second = train(config(1, 0.1), kept, Compute.CPU, "second");
        assertThat(second.hasPretrainedHead()).isTrue();
        assertThat(second.before())
                .isCloseTo(first.history().best().orElseThrow().devLoss(), within(1e-9));
        try (PointerScope scope = new PointerScope()) {
            String pooler = "pooler.dense.weight";
            assertThat(values(Checkpoint.readMatching(best("second"), pooler::equals), pooler))
                    .containsExactly(values(Checkpoint.readMatching(small.weights(), pooler::equals), pooler));
        }
    }

    @Test
    void paddingIsNeverPredictedAndItsVectorStaysZero() {
        train(config(2, 0), small, Compute.CPU, "padding");
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> kept = Checkpoint.readMatching(best("padding"), any -> true);
            assertThat(values(tensor(kept, VECTORS).select(0, 0))).containsOnly(0.0);
            double[] bias = values(kept, "cls.predictions.bias");
            assertThat(bias[0]).isZero();
            assertThat(Arrays.copyOfRange(bias, 5, VOCABULARY)).doesNotContain(0.0);
        }
    }

    @Test
    void withNothingHeldOutTheLastEpochIsKept() {
        Trained trained = train(config(3, 0), small, Compute.CPU, "all");
        assertThat(trained.before()).isNaN();
        assertThat(trained.history().best().orElseThrow().epoch()).isEqualTo(2);
    }

    @Test
    void documentsWithoutKnownTokensAreRejected() {
        try (MaskedLanguageModel model = new MaskedLanguageModel(SMALL, small, VOCABULARY, Compute.CPU)) {
            List<ListExamples> unknown = List.of(new ListExamples(List.of(new int[] {1, 1})));
            assertThatThrownBy(() -> new MaskedLanguageModelObjective(
                            model, config(1, 0), vocabulary(VOCABULARY), unknown, 1, directory.resolve("best")))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("No token of the documents");
        }
    }

    @Test
    void settingsOutOfRangeAreRejected() {
        assertThatThrownBy(() -> MaskedLanguageModelConfig.builder().maskRate(1).build())
                .hasMessageContaining("mask_rate: 1.0 (expected: > 0 and < 1)");
        assertThatThrownBy(
                        () -> MaskedLanguageModelConfig.builder().batchSize(0).build())
                .hasMessageContaining("batch_size: 0 (expected: >= 1)");
    }
}
