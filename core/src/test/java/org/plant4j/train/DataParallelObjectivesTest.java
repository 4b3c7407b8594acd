package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.NoValidation;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.TrainingLabels;
import org.plant4j.model.plant.Plant;
import org.plant4j.model.plant.PlantTest;
import org.plant4j.pretrain.LanguageModel;
import org.plant4j.pretrain.LanguageModelConfig;
import org.plant4j.pretrain.LanguageModelObjective;
import org.plant4j.pretrain.ListExamples;
import org.plant4j.pretrain.MaskedLanguageModel;
import org.plant4j.pretrain.MaskedLanguageModelConfig;
import org.plant4j.pretrain.MaskedLanguageModelObjective;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.RankingObjective;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.Vocabulary;

/** Every objective trains in two processes, here threads, as in one that sees whole batches. */
@EnabledOnOs(OS.LINUX)
class DataParallelObjectivesTest extends DataParallelTestCase {

    @Test
    void aLanguageModelIsSharedByColumns() {
        Random random = new Random(4);
        List<int[]> texts = IntStream.range(0, 9)
                .mapToObj(i -> random.ints(5 + i, 2, 30).toArray())
                .toList();
        LanguageModelConfig config = LanguageModelConfig.builder()
                .embedding(8)
                .hidden(8)
                .layers(2)
                .embeddingDropout(0)
                .inputDropout(0)
                .hiddenDropout(0)
                .outputDropout(0)
                .weightDropout(0)
                .alpha(2)
                .beta(1)
                .epochs(10)
                .learningRate(0.02)
                .weightDecay(0.01)
                .warmupRatio(0.25)
                .maxGradNorm(0.25)
                .bptt(6)
                .batchSize(3) // one column in one process, two in the other
                .heldOut(0.1)
                .build();
        Supplier<Objective<?>> objective = () -> {
            Engine.setSeed(5);
            return new LanguageModelObjective(
                    new LanguageModel(config, 30, Compute.CPU),
                    config,
                    List.of(new ListExamples(texts)),
                    false,
                    1,
                    directory.resolve("language-model"));
        };
        assertTrainsAsOne(objective, 10);
    }

    @Test
    void aRankerIsSharedByLabels() {
        int labels = 7;
        int[][] tokens = new int[labels][];
        float[][] gains = new float[labels][];
        for (int label = 0; label < labels; label++) {
            tokens[label] = IntStream.range(2 + label, 8 + 2 * label).toArray();
            gains[label] = new float[tokens[label].length];
            for (int i = 0; i < gains[label].length; i++) {
                gains[label][i] = 1f / (i + 1);
            }
        }
        RankConfig config = RankConfig.builder()
                .epochs(10)
                .warmupRatio(0.1)
                .learningRate(0.02)
                .weightDecay(0.01)
                .batchLabels(3)
                .topTokens(10)
                .sampledTokens(10)
                .samplingPower(0.75)
                .k(5)
                .maxGrade(6)
                .heldOutEvery(0)
                .build();
        Supplier<Objective<?>> objective = () -> {
            Engine.setSeed(5);
            RankModel model = new RankModel(new RankModel.Config(RankModel.Scorer.DOT, 8, 8), 40, labels, Compute.CPU);
            return new RankingObjective(
                    model,
                    config,
                    new Relevance(tokens, gains),
                    IntStream.range(0, 40).mapToLong(i -> 40 - i).toArray(),
                    1);
        };
        assertTrainsAsOne(objective, 10);
    }

    /** Rows have different numbers of masked tokens, by which the processes are weighted. */
    @Test
    void aMaskedLanguageModelIsSharedByRows() throws IOException {
        int tokens = 20;
        Random random = new Random(4);
        List<int[]> texts = IntStream.range(0, 9)
                .mapToObj(i -> random.ints(3 + 2 * i, 5, tokens).toArray())
                .toList();
        BertEncoder.Config bert = BertEncoder.Config.builder()
                .layers(1)
                .hidden(8)
                .heads(2)
                .intermediate(12)
                .positions(16)
                .window(14)
                .build();
        EncoderDirectory from = new EncoderDirectory(Files.createDirectories(directory.resolve("encoder")));
        Engine.setSeed(5);
        try (PointerScope scope = new PointerScope();
                BertEncoder encoder = new BertEncoder(bert, tokens, Compute.CPU)) {
            Checkpoint.write(from.weights(), encoder.parameters());
        }
        List<String> names =
                IntStream.range(0, tokens).mapToObj(id -> "token" + id).toList();
        Files.writeString(from.tokenizer(), "{}");
        Files.write(from.tokensFile(), names);
        MaskedLanguageModelConfig config = MaskedLanguageModelConfig.builder()
                .epochs(10)
                .learningRate(0.01)
                .weightDecay(0.01)
                .batchSize(5)
                .window(14)
                .maskRate(0.3)
                .heldOut(0.2)
                .build();
        Supplier<Objective<?>> objective = () -> {
            Engine.setSeed(5);
            return new MaskedLanguageModelObjective(
                    new MaskedLanguageModel(bert, from, tokens, Compute.CPU),
                    config,
                    new Vocabulary.Builder().build(names),
                    List.of(new ListExamples(texts)),
                    1,
                    directory.resolve("masked-language-model"));
        };
        assertTrainsAsOne(objective, 10);
    }

    private static Objective<?> shortlisted(int documents, int batchSize) {
        return new ClassificationObjective(
                PlantTest.planted(
                        Plant.Config.builder(new EncoderConfig.BiLstm(5, 4, 0))
                                .ranker(new RankModel.Config(RankModel.Scorer.DOT, 3, 6))
                                .build(),
                        Compute.CPU),
                epoch -> new Batches(TinyCorpus.of(documents, 3), batchSize, 1000, 1),
                FineTuning.uniform(0.01, 0.01),
                Loss.PLAIN,
                0,
                new TrainingLabels(1, 1),
                new NoValidation());
    }

    /** Each process has other documents, but the rows of the same labels. */
    @Test
    void aShortlistOfLabelsIsThatOfTheWholeBatch() {
        assertTrainsAsOne(() -> shortlisted(7, 3), 10);
    }

    @Test
    void aProcessWithoutDocumentsHasTheRowsOfTheShortlist() {
        assertTrainsAsOne(() -> shortlisted(3, 1), 4);
    }

    /** A process whose partner contributes the seed of the first process and nothing else. */
    private static final class SeedGroup implements ProcessGroup {

        private final int rank;
        private final AtomicReference<Tensor> seed;
        private boolean exchanged;

        SeedGroup(int rank, AtomicReference<Tensor> seed) {
            this.rank = rank;
            this.seed = seed;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int size() {
            return 2;
        }

        /** The first exchange of a step ends with the seed. */
        @Override
        public void sum(Tensor tensor) {
            if (!exchanged) {
                Tensor last = tensor.narrow(0, tensor.numel() - 1, 1);
                if (rank == 0) {
                    seed.set(last.clone());
                } else {
                    last.add_(seed.get());
                }
                exchanged = true;
            }
        }

        @Override
        public void broadcast(Tensor tensor) {}

        @Override
        public String fromFirst(Supplier<String> computation) {
            return computation.get();
        }

        @Override
        public void close() {}
    }

    /** The optimizer rounds rows of bfloat16 stochastically; with other numbers, weights would differ by process. */
    @Test
    void allProcessesDrawTheSameNumbersAfterAStep() {
        AtomicReference<Tensor> seed = new AtomicReference<>();
        List<Double> drawn = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            drawn.add(drawnAfterStep(shortlisted(7, 3), new SeedGroup(rank, seed)));
        }
        assertThat(drawn.get(1)).isEqualTo(drawn.get(0));
    }

    private static <B> double drawnAfterStep(Objective<B> objective, ProcessGroup group) {
        try (DataParallel<B> parallel = new DataParallel<>(objective, group, () -> false, Compute.CPU)) {
            Engine.setSeed(group.rank());
            parallel.trainingStep(objective.batches(0).get(0));
            return torch.rand(1).item_double();
        }
    }
}
