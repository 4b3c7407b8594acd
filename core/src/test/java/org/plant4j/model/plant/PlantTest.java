package org.plant4j.model.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.Precision;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.NoValidation;
import org.plant4j.model.TinyCorpus;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;

public class PlantTest {

    private static final TinyCorpus CORPUS = TinyCorpus.of(40, 1);
    private static final Relevance RELEVANCE = new MutualInformation(MutualInformation.Kind.GAIN, 5)
            .compute(CORPUS, TinyCorpus.VOCABULARY, TinyCorpus.LABELS);
    private static final List<int[]> DOCUMENTS = CORPUS.documents().subList(0, 5);

    @TempDir
    private Path directory;

    static Plant.Config config(
            boolean learned, boolean fixed, boolean differentiable, Inattention inattention, RankModel.Scorer scorer) {
        return Plant.Config.builder(new EncoderConfig.BiLstm(5, 4, 0))
                .ranker(new RankModel.Config(scorer, 3, 6))
                .learned(learned)
                .fixed(fixed)
                .differentiable(differentiable)
                .scales(List.of(1.0, 0.7, 1.3))
                .inattention(inattention)
                .keep(2)
                .initialDeviation(0.5)
                .initialBias(-1)
                .build();
    }

    static Stream<Plant.Config> configs() {
        List<Plant.Config> configs = new ArrayList<>();
        for (RankModel.Scorer scorer : RankModel.Scorer.values()) {
            for (Inattention inattention : Inattention.values()) {
                configs.add(config(true, true, true, inattention, scorer));
            }
        }
        configs.add(Plant.Config.builder(new EncoderConfig.BiLstm(5, 4, 0))
                .ranker(new RankModel.Config(RankModel.Scorer.DOT, 3, 6))
                .staticWeights(StaticAttention.Weights.GAIN)
                .scales(List.of(1.0, 0.7, 1.3))
                .initialDeviation(0.5)
                .build());
        configs.add(config(true, false, false, Inattention.NONE, RankModel.Scorer.DOT));
        configs.add(config(false, true, false, Inattention.NONE, RankModel.Scorer.DOT));
        configs.add(config(false, false, true, Inattention.NONE, RankModel.Scorer.DOT));
        configs.add(Plant.Config.builder(new EncoderConfig.BiLstm(5, 4, 0))
                .ranker(new RankModel.Config(RankModel.Scorer.DOT, 3, 6))
                .scales(List.of(1.0, 0.7, 1.3))
                .nullTokens(3)
                .initialDeviation(0.5)
                .initialBias(-1)
                .build());
        return configs.stream();
    }

    public static Plant planted(Plant.Config config, Compute compute) {
        Engine.setSeed(3);
        Plant plant = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, compute);
        RankModel ranker = new RankModel(config.ranker(), TinyCorpus.VOCABULARY, TinyCorpus.LABELS, compute);
        Golden.fill(ranker.parameters());
        plant.plant(RELEVANCE, Optional.of(ranker));
        ranker.close();
        return plant;
    }

    /** Equations 3 to 6 literally: a (B, L, H) tensor per source, label by label where that is simpler. */
    private static Tensor expectedLogits(Plant.Config config, Plant plant, Batch batch) {
        Function<String, Tensor> weights =
                name -> Objects.requireNonNull(plant.parameters().get(name));
        Tensor states = plant.encode(batch, EncoderState.EMPTY).hiddenStates(); // H: (B, T, H)
        Tensor padding = batch.mask().logical_not();
        Tensor logits = torch.zeros(batch.tokens().size(0), TinyCorpus.LABELS);
        Tensor scales = weights.apply("scales.weight");
        List<Tensor> columns = new ArrayList<>();
        for (int label = 0; label < TinyCorpus.LABELS; label++) {
            Tensor view = torch.zeros(states.size(0), states.size(2));
            if (config.learned()) {
                Tensor a = states.matmul(weights.apply("attention.weight").select(0, label)); // (B, T)
                view = view.add(
                        pooled(softmax(a, padding, config.nullTokens()), states).mul(scales.select(0, 0)));
            }
            if (config.fixed()) {
                view = view.add(pooled(gains(config, batch, label), states).mul(scales.select(0, 1)));
            }
            if (config.differentiable()) {
                Tensor f = f(config.ranker().scorer(), weights, batch.tokens(), label); // (B, T)
                view = view.add(pooled(softmax(kept(config, f, batch), padding, config.nullTokens()), states)
                        .mul(scales.select(0, 2)));
            }
            columns.add(view.mul(weights.apply("head.weight").select(0, label))
                    .sum(-1L)
                    .add(weights.apply("head.bias").select(0, label)));
        }
        for (int label = 0; label < columns.size(); label++) {
            logits = logits.index_add(
                    1, Tensor.create((long) label), columns.get(label).unsqueeze(1));
        }
        return logits;
    }

    /** Null tokens have score 0. */
    private static Tensor softmax(Tensor scores, Tensor padding, int nullTokens) {
        Tensor odds = scores.masked_fill(padding, new Scalar(Double.NEGATIVE_INFINITY))
                .exp();
        return odds.div(odds.sum(new long[] {1}, true, new ScalarTypeOptional()).add(new Scalar(nullTokens)));
    }

    /** (B, T) and (B, T, H) to (B, H). */
    private static Tensor pooled(Tensor attention, Tensor states) {
        return attention.unsqueeze(-1).mul(states).sum(1L);
    }

    private static Tensor gains(Plant.Config config, Batch batch, int label) {
        int width = batch.width();
        float[] gains = new float[batch.ids().length];
        for (int row = 0; row < batch.lengths().length; row++) {
            float sum = 1;
            boolean raw = config.staticWeights() == StaticAttention.Weights.GAIN;
            for (int i = row * width; i < (row + 1) * width; i++) {
                float gain = RELEVANCE.gain(label, (int) batch.ids()[i]);
                gains[i] = raw ? gain : gain / RELEVANCE.gains(label)[0];
                sum += raw ? 0 : gains[i];
            }
            for (int i = row * width; i < (row + 1) * width; i++) {
                gains[i] /= sum;
            }
        }
        return Tensor.create(gains, batch.lengths().length, width);
    }

    private static Tensor f(RankModel.Scorer scorer, Function<String, Tensor> weights, Tensor tokens, int label) {
        Tensor t = torch.embedding(weights.apply("ranker.tokens.weight"), tokens);
        Tensor l = weights.apply("ranker.labels.weight").select(0, label);
        if (scorer == RankModel.Scorer.DOT) {
            return t.mul(l)
                    .sum(-1L)
                    .add(torch.embedding(weights.apply("ranker.tokens.bias").unsqueeze(1), tokens)
                            .squeeze(-1))
                    .add(weights.apply("ranker.labels.bias").select(0, label));
        }
        Tensor hidden = t.matmul(weights.apply("ranker.first.token").t())
                .add(weights.apply("ranker.first.label").matmul(l))
                .add(weights.apply("ranker.first.bias"));
        Tensor score = torch.relu(hidden)
                .matmul(weights.apply("ranker.second.weight").select(0, 0))
                .add(weights.apply("ranker.second.bias"));
        return scorer == RankModel.Scorer.MLP_RELU ? torch.relu(score) : score;
    }

    /** Scores below the second largest of a document become 0 or at most 0, or are masked. */
    private static Tensor kept(Plant.Config config, Tensor f, Batch batch) {
        if (config.inattention() == Inattention.NONE) {
            return f;
        }
        boolean[] low = new boolean[batch.ids().length];
        double[] values = Golden.values(f);
        for (int row = 0; row < batch.lengths().length; row++) {
            double[] sorted =
                    Arrays.copyOfRange(values, row * batch.width(), row * batch.width() + batch.lengths()[row]);
            Arrays.sort(sorted);
            for (int i = 0; i < batch.lengths()[row]; i++) {
                low[row * batch.width() + i] = values[row * batch.width() + i] < sorted[Math.max(0, sorted.length - 2)];
            }
        }
        Tensor mask = Tensor.create(low, batch.lengths().length, batch.width());
        if (config.inattention() == Inattention.CAP) {
            return torch.where(mask, torch.minimum(f, torch.zeros_like(f)), f);
        }
        return f.masked_fill(mask, new Scalar(config.inattention() == Inattention.ZERO ? 0 : Double.NEGATIVE_INFINITY));
    }

    @ParameterizedTest
    @MethodSource("configs")
    void logitsAndGradientsEqualTheEquations(Plant.Config config) {
        try (PointerScope scope = new PointerScope();
                Plant plant = planted(config, Compute.CPU)) {
            Batch batch = Batch.of(DOCUMENTS, Compute.CPU);
            Tensor expected = expectedLogits(config, plant, batch);
            Tensor logits = plant.forward(batch, LabelSelection.ALL).logits();
            assertThat(Golden.values(logits)).containsExactly(Golden.values(expected), within(1e-5));
            Map<String, double[]> gradients =
                    gradients(plant, () -> Golden.backward(expectedLogits(config, plant, batch)));
            gradients(
                            plant,
                            () -> Golden.backward(
                                    plant.forward(batch, LabelSelection.ALL).logits()))
                    .forEach((name, values) ->
                            assertThat(values).as(name).containsExactly(gradients.get(name), within(1e-5)));
        }
    }

    /** The gradient of each parameter after some work, zeros if it has none; resets the gradients. */
    private static Map<String, double[]> gradients(Plant plant, Runnable work) {
        plant.parameters()
                .values()
                .forEach(parameter -> parameter.mutable_grad().reset());
        work.run();
        Map<String, double[]> gradients = new TreeMap<>();
        plant.parameters().forEach((name, parameter) -> {
            gradients.put(
                    name,
                    parameter.grad().defined() ? Golden.values(parameter.grad()) : new double[(int) parameter.numel()]);
            parameter.mutable_grad().reset();
        });
        return gradients;
    }

    @ParameterizedTest
    @MethodSource("configs")
    void trainingGradientsEqualAutograd(Plant.Config config) {
        try (PointerScope scope = new PointerScope();
                Plant plant = planted(config, Compute.CPU)) {
            Tensor targets =
                    new Batches(CORPUS, 5, 1000, 1).targets(new int[] {0, 1, 2, 3, 4}, TinyCorpus.LABELS, Compute.CPU);
            Map<String, double[]> expected = gradients(
                    plant,
                    () -> Loss.PLAIN
                            .compute(
                                    plant.forward(Batch.of(DOCUMENTS, Compute.CPU), LabelSelection.ALL)
                                            .logits(),
                                    targets,
                                    Loss.PLAIN.positiveWeight(targets))
                            .backward());
            trainingGradients(plant)
                    .forEach((name, values) ->
                            assertThat(values).as(name).containsExactly(expected.get(name), within(1e-5)));
        }
    }

    @ParameterizedTest
    @MethodSource("configs")
    void bfloat16GradientsAreCloseToFloat(Plant.Config config) {
        try (PointerScope scope = new PointerScope();
                Plant plant = planted(config, Compute.CPU);
                Plant rough = planted(config, new Compute(false, Precision.BFLOAT16, 1))) {
            Map<String, double[]> expected = trainingGradients(plant);
            trainingGradients(rough).forEach((name, values) -> {
                double most =
                        Arrays.stream(expected.get(name)).map(Math::abs).max().orElse(0);
                assertThat(values).as(name).containsExactly(expected.get(name), within(0.2 * most + 5e-4));
            });
        }
    }

    @Test
    void aDocumentWithoutRelevantTokensIsScoredAndTrained() {
        Plant.Config config = config(false, true, false, Inattention.NONE, RankModel.Scorer.DOT);
        int[] unknown = {Vocabulary.UNKNOWN, Vocabulary.UNKNOWN};
        TinyCorpus corpus = new TinyCorpus(List.of(unknown), List.of(new int[] {0}));
        try (PointerScope scope = new PointerScope();
                Plant plant = planted(config, Compute.CPU)) {
            assertThat(plant.score(List.of(unknown))[0])
                    .containsOnly((float) (1 / (1 + Math.exp(1)))); // the bias alone
            Map<String, double[]> gradients = gradients(
                    plant,
                    () -> new ClassificationObjective(
                                    plant,
                                    new Batches(corpus, 1, 1000, 1),
                                    FineTuning.uniform(1, 0),
                                    new NoValidation())
                            .trainingStep(new int[] {0}));
            assertThat(gradients.get("head.weight")).containsOnly(0);
            assertThat(gradients.get("head.bias")).doesNotContain(0);
        }
    }

    @ParameterizedTest
    @MethodSource("configs")
    void labelRangesDoNotChangeGradientsOrScores(Plant.Config config) {
        try (PointerScope scope = new PointerScope();
                Plant whole = planted(config, Compute.CPU);
                Plant ranged = planted(config, Compute.CPU.withLabelMemory(1))) {
            Map<String, double[]> expected = trainingGradients(whole);
            trainingGradients(ranged)
                    .forEach((name, values) ->
                            assertThat(values).as(name).containsExactly(expected.get(name), within(1e-5)));
            float[][] scores = whole.score(DOCUMENTS);
            float[][] inRanges = ranged.score(DOCUMENTS);
            for (int row = 0; row < scores.length; row++) {
                assertThat(inRanges[row]).containsExactly(scores[row], within(1e-6f));
            }
        }
    }

    private static Map<String, double[]> trainingGradients(Plant plant) {
        ClassificationObjective objective = new ClassificationObjective(
                plant, new Batches(CORPUS, 5, 1000, 1), FineTuning.uniform(1, 0), new NoValidation());
        return gradients(plant, () -> objective.trainingStep(new int[] {0, 1, 2, 3, 4}));
    }

    @Test
    void plantedAttentionIsSavedAndLoaded() {
        Plant.Config config = config(true, true, true, Inattention.NONE, RankModel.Scorer.DOT);
        try (Plant plant = planted(config, Compute.CPU);
                Plant other = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU)) {
            plant.save(directory);
            other.load(directory);
            assertThat(other.score(DOCUMENTS)).isDeepEqualTo(plant.score(DOCUMENTS));
        }
    }

    @Test
    void readingBackwardEqualsReadingTheReversedDocument() {
        Plant.Config forward = config(true, true, true, Inattention.NONE, RankModel.Scorer.DOT);
        Plant.Config backward = Plant.Config.builder(forward.encoder())
                .ranker(forward.ranker())
                .scales(forward.scales())
                .initialDeviation(0.5)
                .initialBias(-1)
                .direction(Direction.BACKWARD)
                .build();
        try (Plant forwardPlant = planted(forward, Compute.CPU);
                Plant backwardPlant = planted(backward, Compute.CPU)) {
            int[] document = {2, 9, 3, 11};
            int[] reversed = {11, 3, 9, 2};
            assertThat(backwardPlant.score(List.of(document))[0])
                    .containsExactly(forwardPlant.score(List.of(reversed))[0]);
            float[] evidence = backwardPlant.evidence(document, new int[] {1})[0];
            float[] other = forwardPlant.evidence(reversed, new int[] {1})[0];
            assertThat(evidence).containsExactly(other[3], other[2], other[1], other[0]);
        }
    }

    @Test
    void lowerLayersHaveLowerRatesAndUnfreezeLater() {
        Plant.Config config = config(true, true, true, Inattention.NONE, RankModel.Scorer.DOT);
        try (PointerScope scope = new PointerScope();
                Plant plant = planted(config, Compute.CPU)) {
            FineTuning tuning = new FineTuning(1, 0, 0.5, 0.25, 0.5, 2);
            assertThat(tuning.parameterGroups(plant.parameters(), plant.encoderLayers(), plant.plantedLayer()))
                    .extracting(group -> group.name() + " " + group.learningRate() + " " + group.unfreezeEpoch())
                    .containsExactly("encoder layer 2 0.5 2", "encoder layer 1 0.25 4", "planted 0.25 0", "rest 1.0 0");
        }
    }
}
