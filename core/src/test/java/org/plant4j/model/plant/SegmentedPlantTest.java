package org.plant4j.model.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.NoValidation;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.rank.RankModel;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.train.FineTuning;

/** PLANT with documents encoded in segments, over the state of an AWD-LSTM. */
class SegmentedPlantTest {

    private static final String TOKEN_EMBEDDING = "encoder.encoder.weight";
    private static final String RANKER_EMBEDDING = "ranker.tokens.weight";
    private static final int[] ALL_LABELS =
            IntStream.range(0, TinyCorpus.LABELS).toArray();

    /** 9, 2, 4, 0, 1 and 5 tokens; those of the first document are distinct. */
    private static final List<int[]> DOCUMENTS = List.of(
            new int[] {2, 9, 3, 11, 4, 12, 5, 13, 6},
            new int[] {7, 2},
            new int[] {20, 3, 20, 8},
            new int[0],
            new int[] {6},
            new int[] {25, 5, 7, 7, 28});

    private static final List<int[]> GOLD =
            List.of(new int[] {0, 1, 2}, new int[] {5}, new int[] {1}, new int[0], new int[] {4}, new int[] {3, 5});

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static Plant planted(int segment, int window, Inattention inattention, Direction direction) {
        return planted(segment, window, inattention, direction, Compute.CPU);
    }

    private static Plant planted(
            int segment, int window, Inattention inattention, Direction direction, Compute compute) {
        return PlantTest.planted(
                Plant.Config.builder(new EncoderConfig.Awd(new AwdLstm.Config(5, 4, 2, 0, 0, 0, 0, 1)))
                        .ranker(new RankModel.Config(RankModel.Scorer.DOT, 3, 1))
                        .scales(List.of(1.0, 0.7, 1.3))
                        .inattention(inattention)
                        .keep(2)
                        .initialDeviation(0.5)
                        .initialBias(-1)
                        .direction(direction)
                        .segment(segment)
                        .window(window)
                        .build(),
                compute);
    }

    private static Plant planted(int segment, int window) {
        return planted(segment, window, Inattention.NONE, Direction.FORWARD);
    }

    /** The loss and the gradient of each parameter after a step. */
    private static Map<String, double[]> trainingGradients(Plant plant, int... documents) {
        plant.parameters()
                .values()
                .forEach(parameter -> parameter.mutable_grad().reset());
        Batches batches = new Batches(new TinyCorpus(DOCUMENTS, GOLD), 10, 1000, 1);
        Tensor loss = new ClassificationObjective(plant, batches, FineTuning.uniform(1, 0), new NoValidation())
                .trainingStep(documents);
        return lossAndGradients(plant, loss);
    }

    private static Map<String, double[]> lossAndGradients(Plant plant, Tensor loss) {
        Map<String, double[]> result = new TreeMap<>();
        result.put("loss", Golden.values(loss));
        plant.parameters().forEach((name, parameter) -> result.put(name, Golden.values(parameter.grad())));
        return result;
    }

    private static void assertNear(Map<String, double[]> found, Map<String, double[]> expected) {
        assertThat(found).containsOnlyKeys(expected.keySet());
        expected.forEach((name, values) -> assertThat(found.get(name)).as(name).containsExactly(values, within(1e-5)));
    }

    private static void assertNear(float[][] found, float[][] expected) {
        assertThat(found.length).isEqualTo(expected.length);
        for (int row = 0; row < expected.length; row++) {
            assertThat(found[row]).containsExactly(expected[row], within(1e-6f));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 10, 1000})
    void oneSegmentEqualsTheUnsegmentedModel(int segment) {
        try (PointerScope scope = new PointerScope();
                Plant whole = planted(0, 0);
                Plant segmented = planted(segment, segment)) {
            assertThat(segmented.score(DOCUMENTS)).isDeepEqualTo(whole.score(DOCUMENTS));
            assertNear(trainingGradients(segmented, 0, 1, 2, 3, 4, 5), trainingGradients(whole, 0, 1, 2, 3, 4, 5));
            assertThat(segmented.evidence(DOCUMENTS.get(0), ALL_LABELS))
                    .isDeepEqualTo(whole.evidence(DOCUMENTS.get(0), ALL_LABELS));
        }
    }

    /** Hidden states of one pass over the whole document, decoded segment by segment. */
    private static List<Tensor> decodeSegments(Plant plant, int[] document, int segment, boolean evidence) {
        Plant.Encoded whole = plant.encode(Batch.of(List.of(document), Compute.CPU), EncoderState.EMPTY);
        List<Tensor> segments = new ArrayList<>();
        for (int start = 0; start < Math.max(1, document.length); start += segment) {
            int from = start;
            int size = Math.min(segment, Math.max(1, document.length) - from);
            Plant.Encoded encoding = whole.map(tensor -> tensor.narrow(1, from, size));
            int[] tokens = IntStream.range(from, Math.min(document.length, from + size))
                    .map(i -> document[i])
                    .toArray();
            Batch batch = Batch.of(List.of(tokens), Compute.CPU);
            segments.add(
                    evidence
                            ? plant.evidenceWeights(batch, encoding, LabelSelection.ALL)
                                    .transpose(1, 2)
                            : plant.decode(batch, encoding, LabelSelection.ALL)); // without bias
        }
        return segments;
    }

    private static Tensor logits(Plant plant, int[] document, int segment) {
        Tensor sum = plant.bias().bias(LabelSelection.ALL);
        for (Tensor segmentOutput : decodeSegments(plant, document, segment, false)) {
            sum = sum.add(segmentOutput);
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource
    void logitsAreTheSumOverSegmentsPlusTheBias(Inattention inattention) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard();
                Plant plant = planted(4, 4, inattention, Direction.FORWARD)) {
            float[][] scores = plant.score(DOCUMENTS);
            for (int i = 0; i < DOCUMENTS.size(); i++) {
                double[] expected = Golden.values(torch.sigmoid(logits(plant, DOCUMENTS.get(i), 4)));
                for (int label = 0; label < TinyCorpus.LABELS; label++) {
                    assertThat((double) scores[i][label]).isCloseTo(expected[label], within(1e-6));
                }
            }
        }
    }

    @Test
    void gradientsEqualOnePassOverWholeDocuments() {
        try (PointerScope scope = new PointerScope();
                Plant plant = planted(2, 0)) {
            Map<String, double[]> found = trainingGradients(plant, 0, 1, 2, 3, 4, 5);
            plant.parameters()
                    .values()
                    .forEach(parameter -> parameter.mutable_grad().reset());
            Tensor loss = torch.zeros(1).squeeze();
            for (int i = 0; i < DOCUMENTS.size(); i++) {
                float[] targets = new float[TinyCorpus.LABELS];
                for (int label : GOLD.get(i)) {
                    targets[label] = 1;
                }
                loss = loss.add(torch.binary_cross_entropy_with_logits(
                                logits(plant, DOCUMENTS.get(i), 2),
                                Tensor.create(targets, 1, targets.length),
                                new TensorOptional(),
                                new TensorOptional(),
                                2) // summed
                        .div(new Scalar((double) DOCUMENTS.size())));
            }
            loss.backward();
            assertNear(found, lossAndGradients(plant, loss));
        }
    }

    @Test
    void otherDocumentsOfTheBatchChangeNothing() {
        try (PointerScope scope = new PointerScope();
                Plant plant = planted(2, 0)) {
            float[][] together = plant.score(DOCUMENTS);
            Map<String, double[]> sums = new TreeMap<>();
            for (int i = 0; i < DOCUMENTS.size(); i++) {
                assertNear(new float[][] {together[i]}, plant.score(List.of(DOCUMENTS.get(i))));
                trainingGradients(plant, i).forEach((name, values) -> {
                    double[] sum = sums.computeIfAbsent(name, any -> new double[values.length]);
                    for (int j = 0; j < sum.length; j++) {
                        sum[j] += values[j] / DOCUMENTS.size();
                    }
                });
            }
            assertNear(trainingGradients(plant, 0, 1, 2, 3, 4, 5), sums);
        }
    }

    @Test
    void labelRangesDoNotChangeGradientsOrScores() {
        try (PointerScope scope = new PointerScope();
                Plant all = planted(2, 3);
                Plant ranged = planted(2, 3, Inattention.NONE, Direction.FORWARD, Compute.CPU.withLabelMemory(1))) {
            assertNear(trainingGradients(ranged, 0, 1, 2, 3, 4, 5), trainingGradients(all, 0, 1, 2, 3, 4, 5));
            assertNear(ranged.score(DOCUMENTS), all.score(DOCUMENTS));
        }
    }

    @Test
    void evidenceIsOneDistributionOverAllSegments() {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard();
                Plant plant = planted(2, 2)) {
            int[] document = DOCUMENTS.get(0);
            float[][] evidence = plant.predict(
                            List.of(document),
                            PredictionRequest.evidence(ALL_LABELS).withEvidenceMethod(EvidenceMethod.ATTENTION_VALUE))
                    .get(0)
                    .evidence();
            List<Tensor> segments = decodeSegments(plant, document, 2, true);
            for (int label : ALL_LABELS) {
                List<Double> weights = new ArrayList<>();
                for (Tensor segmentOutput : segments) {
                    for (double value : Golden.values(segmentOutput.select(0, 0).select(0, label))) {
                        weights.add(value);
                    }
                }
                double sum = weights.stream().mapToDouble(value -> value).sum();
                assertThat(evidence[label]).hasSize(document.length);
                for (int i = 0; i < document.length; i++) {
                    assertThat((double) evidence[label][i])
                            .isCloseTo(sum == 0 ? 0 : weights.get(i) / sum, within(1e-5));
                }
            }
        }
    }

    /** Segments of the first document: 2 9, 3 11, 4 12, 5 13, 6. Its last three tokens start in the fourth. */
    @Test
    void onlyTheWindowIsTrained() {
        try (PointerScope scope = new PointerScope();
                Plant window = planted(2, 3);
                Plant everything = planted(2, 0)) {
            Map<String, double[]> found = trainingGradients(window, 0);
            Map<String, double[]> unbounded = trainingGradients(everything, 0);
            assertThat(found.get("loss")).containsExactly(unbounded.get("loss"), within(1e-6));
            for (String rows : List.of(TOKEN_EMBEDDING, RANKER_EMBEDDING)) {
                for (int token : new int[] {2, 9, 3, 11, 4, 12}) {
                    assertThat(norm(found, rows, token))
                            .as("%s of %d", rows, token)
                            .isZero();
                    assertThat(norm(unbounded, rows, token)).isPositive();
                }
                for (int token : new int[] {5, 13}) {
                    assertThat(norm(found, rows, token))
                            .as("%s of %d", rows, token)
                            .isPositive();
                }
            }
            // The last token is alone in its segment, so its weight is 1 for any ranker.
            assertThat(norm(found, TOKEN_EMBEDDING, 6)).isPositive();
            assertThat(norm(found, RANKER_EMBEDDING, 6)).isCloseTo(0, within(1e-8));
        }
    }

    private static double norm(Map<String, double[]> gradients, String name, int row) {
        double[] table = Objects.requireNonNull(gradients.get(name));
        int width = table.length / TinyCorpus.VOCABULARY;
        double sum = 0;
        for (int i = row * width; i < (row + 1) * width; i++) {
            sum += table[i] * table[i];
        }
        return Math.sqrt(sum);
    }

    /** The logits before the window and its initial state are constants. */
    @Test
    void gradientsWithinTheWindowEqualASeparatePass() {
        try (PointerScope scope = new PointerScope();
                Plant plant = planted(2, 3)) {
            Map<String, double[]> found = trainingGradients(plant, 0);
            plant.parameters()
                    .values()
                    .forEach(parameter -> parameter.mutable_grad().reset());
            Segments segments = new Segments(DOCUMENTS.subList(0, 1), 2, true, Compute.CPU);
            Tensor logits = plant.bias().bias(LabelSelection.ALL);
            EncoderState state = EncoderState.EMPTY;
            for (int i = 0; i < segments.count(); i++) {
                Plant.Encoded encoding = plant.encode(segments.get(i), state);
                Tensor here = plant.decode(segments.get(i), encoding, LabelSelection.ALL);
                logits = logits.add(i < 3 ? here.detach() : here);
                state = i < 3 ? encoding.nextState().detached() : encoding.nextState();
            }
            Tensor loss = torch.binary_cross_entropy_with_logits(
                    logits,
                    Tensor.create(new float[] {1, 1, 1, 0, 0, 0}, 1, 6),
                    new TensorOptional(),
                    new TensorOptional(),
                    2);
            loss.backward();
            assertNear(found, lossAndGradients(plant, loss));
        }
    }

    @Test
    void readingBackwardEqualsReadingTheReversedDocument() {
        try (PointerScope scope = new PointerScope();
                Plant forward = planted(2, 3);
                Plant backward = planted(2, 3, Inattention.NONE, Direction.BACKWARD)) {
            int[] document = DOCUMENTS.get(0);
            int[] reversed = IntStream.range(0, 9).map(i -> document[8 - i]).toArray();
            assertThat(backward.score(List.of(document))).isDeepEqualTo(forward.score(List.of(reversed)));
            float[] evidence = backward.evidence(document, new int[] {1})[0];
            float[] other = forward.evidence(reversed, new int[] {1})[0];
            for (int i = 0; i < 9; i++) {
                assertThat(evidence[i]).isEqualTo(other[8 - i]);
            }
            // The first tokens are read last: the window is 3 9 2.
            Map<String, double[]> gradients = trainingGradients(backward, 0);
            assertThat(norm(gradients, TOKEN_EMBEDDING, 2)).isPositive();
            assertThat(norm(gradients, TOKEN_EMBEDDING, 3)).isPositive();
            assertThat(norm(gradients, TOKEN_EMBEDDING, 11)).isZero();
            assertThat(norm(gradients, TOKEN_EMBEDDING, 6)).isZero();
        }
    }
}
