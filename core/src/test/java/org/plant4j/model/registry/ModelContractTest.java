package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.Precision;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.LongformerEncoder;
import org.plant4j.metric.TopK;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.ModelRegistry;
import org.plant4j.model.SingleDocuments;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.baseline.Msmn;
import org.plant4j.model.baseline.PlmIcd;
import org.plant4j.model.baseline.PooledBert;
import org.plant4j.model.description.DescriptionAttention;
import org.plant4j.model.isd.Isd;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.Prediction;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.model.plant.Direction;
import org.plant4j.model.plant.Inattention;
import org.plant4j.model.plant.Plant;
import org.plant4j.model.plant.PlantedConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;

/**
 * The contract of every model. Each registered model is tested with its example configuration; the variants below it cover
 * other settings.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("models")
public class ModelContractTest {

    private static final int EPOCHS = 40;
    private static final double LEARNING_RATE = 0.03;
    private static final int[] ALL_LABELS =
            IntStream.range(0, TinyCorpus.LABELS).toArray();

    /** A model under test. */
    public record Subject(String name, ModelConfig config, double learningRate) {

        Subject(String name, ModelConfig config) {
            this(name, config, LEARNING_RATE);
        }

        /** The frequency prior gives every document the same scores. */
        boolean readsTokens() {
            return !name.equals("prior");
        }

        TinyTraining train(TinyCorpus corpus, long seed, int epochs, Path directory) {
            return TinyTraining.of(config, learningRate, corpus, seed, epochs, directory);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Subject> models() {
        return Stream.concat(registered(), variants());
    }

    private static Stream<Subject> registered() {
        return ModelRegistry.types().stream()
                .filter(type -> type.example().isPresent())
                .map(type -> new Subject(
                        type.name(), type.example().get().get(), type.name().equals("kept") ? 0.01 : LEARNING_RATE));
    }

    private static Stream<Subject> variants() {
        return Stream.of(
                new Subject("plant, unplanted", plant(BILSTM, false, Direction.FORWARD, 0, 0)),
                new Subject("plant, backward", plant(BILSTM, true, Direction.BACKWARD, 0, 0)),
                new Subject("plant, in segments", plant(AWD, true, Direction.FORWARD, 4, 8)),
                new Subject("plant, in segments backward", plant(AWD, true, Direction.BACKWARD, 4, 8)),
                new Subject("plant, by shortlist", byShortlist(Precision.FLOAT32)),
                new Subject("plant, by shortlist, labels in bfloat16", byShortlist(Precision.BFLOAT16)),
                new Subject("plant over convolutions", plant(CONVOLUTIONS, true, Direction.FORWARD, 0, 0)),
                new Subject("plant over bert", plant(BERT, true, Direction.FORWARD, 0, 0)),
                new Subject("plant over bert, unplanted", plant(BERT, false, Direction.FORWARD, 0, 0)),
                new Subject(
                        "description attention, trained for zero-shot labels",
                        DescriptionAttention.Config.builder(BILSTM)
                                .projection(8)
                                .dropout(0.1)
                                .windows(6, 2)
                                .labelTokens(4)
                                .zeroShotRate(0.2)
                                .build()),
                new Subject(
                        "description attention, descriptions alone, gradient checkpointing",
                        DescriptionAttention.Config.builder(BILSTM)
                                .projection(8)
                                .labelAttention(false)
                                .dropout(0.1)
                                .windows(6, 2)
                                .labelTokens(4)
                                .checkpointTokens(8)
                                .build()),
                new Subject(
                        "description attention, planted",
                        DescriptionAttention.Config.builder(BILSTM)
                                .projection(8)
                                .dropout(0.1)
                                .windows(6, 2)
                                .labelTokens(4)
                                .checkpointTokens(64)
                                .planted(PLANTED)
                                .build()),
                new Subject(
                        "description attention over bert",
                        DescriptionAttention.Config.builder(BERT)
                                .projection(8)
                                .lexical(false)
                                .windows(6, 2)
                                .labelTokens(4)
                                .checkpointTokens(64)
                                .build()),
                new Subject(
                        "msmn, R-Drop, gradient checkpointing", new Msmn.Config(12, 8, 1, 12, 2, 4, 0.1, 0.1, 8, -1)),
                new Subject("plm-icd over longformer", new PlmIcd.Config(LONGFORMER, 8, 0.1, 0.03, -1), 0.01),
                new Subject("plm-icd over bert", new PlmIcd.Config(BERT, 8, 0.1, 0.03, -1)),
                new Subject("pooled bert over bert", new PooledBert.Config(POOLED, 0, 0.1, -1, 8, 2, true, 4096)),
                new Subject(
                        "pooled bert, gradient checkpointing",
                        new PooledBert.Config(BILSTM, 0.1, 0.1, -1, 6, 2, true, 8)),
                new Subject("isd with a decoder", isd(true, 2), 0.01),
                new Subject("isd, per-label attention", isd(false, 0)));
    }

    private static final EncoderConfig BILSTM = new EncoderConfig.BiLstm(12, 8, 0.1);
    private static final EncoderConfig POOLED = new EncoderConfig.Bert(BertEncoder.Config.builder()
            .layers(1)
            .hidden(32)
            .heads(4)
            .intermediate(64)
            .positions(12)
            .types(1)
            .epsilon(1e-6)
            .begin(27)
            .end(28)
            .mask(29)
            .window(8)
            .overlap(2)
            .build()); // wide: one vector per window
    private static final EncoderConfig AWD = new EncoderConfig.Awd(new AwdLstm.Config(12, 8, 2, 0, 0.1, 0.1, 0.1, 1));

    private static final EncoderConfig BERT = new EncoderConfig.Bert(BertEncoder.Config.builder()
            .layers(2)
            .hidden(12)
            .heads(2)
            .intermediate(24)
            .positions(16)
            .window(6)
            .overlap(2)
            .dropout(0.1)
            .build());
    private static final EncoderConfig.Longformer LONGFORMER = new EncoderConfig.Longformer(
            new LongformerEncoder.Config(1, 16, 2, 32, 64, 2, 1, 1e-5, 27, 28, 29, 4, 0.1));
    private static final EncoderConfig CONVOLUTIONS = new EncoderConfig.Convolutions(12, 6, List.of(1, 3, 4), 0.1);

    private static final PlantedConfig PLANTED = new PlantedConfig(
            new RankModel.Config(RankModel.Scorer.DOT, 6, 1),
            true,
            true,
            StaticAttention.Weights.NORMALIZED,
            true,
            List.of(1.0, 1.0, 1.0),
            Inattention.NONE,
            0,
            0);

    private static Isd.Config isd(boolean shared, int layers) {
        Isd.LossWeights weights = new Isd.LossWeights(0.5, 0.01, 0.01, 0.5, 0.01);
        return Isd.Config.builder(CONVOLUTIONS)
                .dropout(0.1)
                .shared(shared)
                .layers(layers)
                .decoderDropout(0.1)
                .weights(weights)
                .initialBias(-1)
                .build();
    }

    private static Plant.Config plant(
            EncoderConfig encoder, boolean planted, Direction direction, int segment, int window) {
        return Plant.Config.builder(encoder)
                .dropout(0.1)
                .fixed(planted)
                .differentiable(planted)
                .initialBias(-1)
                .direction(direction)
                .segment(segment)
                .window(window)
                .build();
    }

    private static Plant.Config byShortlist(Precision labelPrecision) {
        return Plant.Config.builder(BILSTM)
                .dropout(0.1)
                .initialBias(-1)
                .shortlist(5)
                .labelPrecision(labelPrecision)
                .build();
    }

    private static final Map<Subject, TinyTraining> TRAINED = new HashMap<>();
    private static final Map<Subject, Model> LOADED = new HashMap<>();

    @TempDir
    static Path workDirectory;

    private final TinyCorpus corpus = TinyCorpus.of(60, 1);
    private final Subject subject;
    private final TinyTraining training;
    private final Model model;

    ModelContractTest(Subject subject) {
        Engine.setThreads(1);
        this.subject = subject;
        // Trained once for all methods: nothing in the contract may change a model.
        training =
                TRAINED.computeIfAbsent(subject, it -> it.train(corpus, 1, EPOCHS, workDirectory.resolve(it.name())));
        model = LOADED.computeIfAbsent(subject, it -> training.load(training.directory(), Compute.CPU));
    }

    @AfterAll
    static void close() {
        LOADED.values().forEach(Model::close);
        LOADED.clear();
        TRAINED.clear();
    }

    private static int[] tokens(int count, long seed) {
        return new Random(seed).ints(count, 1, TinyCorpus.VOCABULARY).toArray();
    }

    private float[] score(int[] document) {
        return model.score(List.of(document))[0];
    }

    private static void assertScores(float[][] scores, int documents) {
        assertThat(scores.length).isEqualTo(documents);
        for (float[] row : scores) {
            assertThat(row).hasSize(TinyCorpus.LABELS);
            for (float score : row) {
                assertThat(score).isBetween(0f, 1f);
            }
        }
    }

    @Test
    void everyLabelOfEveryDocumentHasAScoreBetween0And1() {
        assertThat(model.labels()).isEqualTo(TinyCorpus.LABELS);
        assertScores(model.score(corpus.documents()), corpus.size());
        assertThat(model.score(List.of())).isEmpty();
    }

    @Test
    void emptyOneTokenAndVeryLongDocumentsAreScored() {
        // More padded tokens than are scored at once, in one document and in many.
        List<int[]> documents = new ArrayList<>(List.of(new int[0], tokens(1, 1), tokens(20_000, 2)));
        IntStream.range(0, 40).forEach(i -> documents.add(tokens(600, i)));
        assertScores(model.score(documents), documents.size());
        assertScores(model.score(List.of(new int[0])), 1);
    }

    @Test
    void paddingAndOtherDocumentsChangeNothing() {
        List<int[]> documents = new ArrayList<>(corpus.documents().subList(0, 20));
        documents.add(tokens(100, 3));
        documents.add(new int[0]);
        Collections.shuffle(documents, new Random(1));
        float[][] together = model.score(documents);
        for (int i = 0; i < documents.size(); i++) {
            assertThat(together[i]).containsExactly(score(documents.get(i)), within(1e-5f));
        }
    }

    @Test
    void evidenceIsADistributionOverTheTokensOrZero() {
        for (int[] document : List.of(tokens(1, 4), tokens(7, 5), tokens(300, 6))) {
            float[][] evidence = model.evidence(document, ALL_LABELS);
            assertThat(evidence.length).isEqualTo(TinyCorpus.LABELS);
            for (float[] weights : evidence) {
                assertThat(weights).hasSize(document.length);
                assertDistributionOrNothing(weights, 1e-4);
            }
        }
        for (float[] weights : model.evidence(new int[0], ALL_LABELS)) {
            assertThat(weights).isEmpty();
        }
        assertThat(model.evidence(tokens(3, 7), new int[0])).isEmpty();
    }

    private float[][] evidence(int[] document, EvidenceMethod method, int... labels) {
        return model.predict(
                        List.of(document), PredictionRequest.evidence(labels).withEvidenceMethod(method))
                .get(0)
                .evidence();
    }

    @Test
    void everyEvidenceMethodGivesADistributionThatDependsOnNothingElse() {
        assertThat(model.evidenceMethods()).doesNotHaveDuplicates();
        if (model.evidenceMethods().contains(EvidenceMethod.ATTENTION)) {
            assertThat(model.evidenceMethods().get(0)).isEqualTo(EvidenceMethod.ATTENTION_PHRASE);
        }
        for (EvidenceMethod method : model.evidenceMethods()) {
            for (int[] document : List.of(new int[0], tokens(1, 4), tokens(40, 5))) {
                float[][] all = evidence(document, method, ALL_LABELS);
                for (int label : ALL_LABELS) {
                    assertThat(all[label]).hasSize(document.length);
                    assertDistributionOrNothing(all[label], 1e-4);
                }
                float[][] selected = evidence(document, method, 4, 1);
                assertThat(selected[0]).containsExactly(all[4], within(1e-4f));
                assertThat(selected[1]).containsExactly(all[1], within(1e-4f));
            }
        }
        int[] document = tokens(12, 6);
        assertThat(model.evidence(document, ALL_LABELS))
                .isDeepEqualTo(evidence(document, model.evidenceMethods().get(0), ALL_LABELS));
    }

    @Test
    void anEvidenceMethodThatTheModelDoesNotSupportIsRefused() {
        for (EvidenceMethod method : EvidenceMethod.values()) {
            if (subject.readsTokens() && !model.evidenceMethods().contains(method)) {
                assertThatThrownBy(() -> evidence(tokens(3, 1), method, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(model.evidenceMethods().get(0).id());
            }
        }
    }

    /** All weights are 0 if no token contributes to the label. */
    private static void assertDistributionOrNothing(float[] weights, double tolerance) {
        double sum = 0;
        for (float weight : weights) {
            assertThat(weight).isNotNegative();
            sum += weight;
        }
        assertThat(sum == 0 || Math.abs(sum - 1) < tolerance).as("sum %s", sum).isTrue();
    }

    @Test
    void evidenceOfALabelDoesNotDependOnTheOthersAsked() {
        int[] document = tokens(9, 8);
        float[][] all = model.evidence(document, ALL_LABELS);
        float[][] selected = model.evidence(document, new int[] {4, 1});
        assertThat(selected[0]).containsExactly(all[4], within(1e-6f));
        assertThat(selected[1]).containsExactly(all[1], within(1e-6f));
    }

    @Test
    void evidenceOfSeveralDocumentsIsThatOfEach() {
        List<int[]> documents = List.of(tokens(7, 3), tokens(30, 4), new int[0], tokens(1, 5));
        List<int[]> chosen = List.of(new int[] {1, 0}, ALL_LABELS, ALL_LABELS, new int[0]);
        List<float[][]> together = model.predict(documents, PredictionRequest.evidence(chosen)).stream()
                .map(Prediction::evidence)
                .toList();
        assertThat(together).hasSize(4);
        for (int i = 0; i < 4; i++) {
            float[][] alone = model.evidence(documents.get(i), chosen.get(i));
            assertThat(together.get(i).length).isEqualTo(alone.length);
            for (int label = 0; label < alone.length; label++) {
                assertThat(together.get(i)[label]).containsExactly(alone[label], within(1e-5f));
            }
        }
    }

    @Test
    void documentsDecodedOneAfterTheOtherHaveTheSamePredictions() {
        List<int[]> documents = List.of(tokens(7, 3), tokens(300, 4), new int[0], tokens(1, 5), tokens(40, 6));
        PredictionRequest request = PredictionRequest.evidenceFor(ModelContractTest::bestTwo);
        List<Prediction> together = model.predict(documents, request);
        try (Model other = training.load(training.directory(), Compute.CPU)) {
            assumeThat(SingleDocuments.decodedBy(other)).isTrue();
            List<Prediction> separate = other.predict(documents, request);
            for (int i = 0; i < documents.size(); i++) {
                assertThat(separate.get(i).scores())
                        .containsExactly(together.get(i).scores(), within(1e-5f));
                for (int label = 0; label < 2; label++) {
                    assertThat(separate.get(i).evidence()[label])
                            .containsExactly(together.get(i).evidence()[label], within(1e-5f));
                }
            }
        }
    }

    @Test
    void onePredictionEqualsSeparateCalls() {
        List<int[]> documents = new ArrayList<>(corpus.documents().subList(0, 8));
        documents.add(tokens(100, 3));
        documents.add(new int[0]);
        List<Prediction> predictions = model.predict(
                documents,
                PredictionRequest.evidenceFor(ModelContractTest::bestTwo)
                        .withDescriptionEvidence()
                        .withSharedViews());
        for (int i = 0; i < documents.size(); i++) {
            Prediction prediction = predictions.get(i);
            float[] scores = score(documents.get(i));
            assertThat(prediction.scores()).containsExactly(scores, within(1e-5f));
            assertThat(prediction.labels()).isEqualTo(bestTwo(prediction.scores()));
            float[][] evidence = model.evidence(documents.get(i), prediction.labels());
            for (int label = 0; label < 2; label++) {
                assertThat(prediction.evidence()[label]).containsExactly(evidence[label], within(1e-5f));
            }
            Prediction separate = model.predict(
                            List.of(documents.get(i)),
                            PredictionRequest.evidence(prediction.labels())
                                    .withDescriptionEvidence()
                                    .withSharedViews())
                    .get(0);
            for (int label = 0; label < 2; label++) {
                assertThat(prediction.descriptionEvidence().get(label))
                        .containsExactly(separate.descriptionEvidence().get(label), within(1e-5f));
            }
            if (documents.get(i).length > 0) { // without tokens all views are equal, and rounding chooses one
                assertThat(prediction.sharedViews().map(views -> views.chosen()))
                        .usingRecursiveComparison()
                        .isEqualTo(separate.sharedViews().map(views -> views.chosen()));
            }
        }
    }

    /** The ids of the two labels with the highest scores. */
    private static int[] bestTwo(float[] scores) {
        return TopK.indices(scores, 2);
    }

    @Test
    void aTinyCorpusCanBeOverfitted() {
        assumeThat(subject.readsTokens()).isTrue();
        assertThat(corpus.microF1(model.score(corpus.documents()))).isGreaterThan(0.95);
        List<Double> losses = training.losses();
        if (!losses.isEmpty()) {
            assertThat(losses.get(losses.size() - 1)).isLessThan(0.5).isLessThan(losses.get(0) / 5);
        }
    }

    /** Training scores all labels, a prediction by shortlist some of them and the others 0. */
    private void assertScoresOfTraining(float[][] scores) {
        ModelConfig config = subject.config();
        if (config.withShortlist(0).orElse(config).equals(config)) {
            assertThat(scores).isDeepEqualTo(training.scores());
            return;
        }
        for (int row = 0; row < scores.length; row++) {
            for (int label = 0; label < scores[row].length; label++) {
                if (scores[row][label] != 0) {
                    assertThat(scores[row][label]).isCloseTo(training.scores()[row][label], within(1e-5f));
                }
            }
        }
    }

    @Test
    void aLoadedModelEqualsTheSavedOne(@TempDir Path directory) throws IOException {
        assertScoresOfTraining(model.score(corpus.documents()));
        Path first = Files.createDirectory(directory.resolve("first"));
        model.save(first);
        try (Model loaded = training.load(first, Compute.CPU)) {
            assertThat(loaded.labels()).isEqualTo(model.labels());
            assertThat(loaded.score(corpus.documents())).isDeepEqualTo(model.score(corpus.documents()));
            int[] document = corpus.tokens(0);
            assertThat(loaded.evidence(document, ALL_LABELS)).isDeepEqualTo(model.evidence(document, ALL_LABELS));
            Path second = Files.createDirectory(directory.resolve("second"));
            loaded.save(second);
            assertThat(content(second)).isNotEmpty().isEqualTo(content(first));
        }
    }

    @Test
    void fourThreadsGiveTheSameResultAsOne() throws Exception {
        List<int[]> documents = corpus.documents();
        float[][] expected = model.score(documents);
        float[][] evidence = model.evidence(documents.get(0), ALL_LABELS);
        EvidenceMethod last =
                model.evidenceMethods().get(model.evidenceMethods().size() - 1);
        float[][] other = evidence(documents.get(1), last, ALL_LABELS);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<float[][]>> scores = new ArrayList<>();
            List<Future<float[][]>> weights = new ArrayList<>();
            List<Future<float[][]>> others = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                others.add(threads.submit(() -> evidence(documents.get(1), last, ALL_LABELS)));
                scores.add(threads.submit(() -> model.score(documents)));
                weights.add(threads.submit(() -> model.evidence(documents.get(0), ALL_LABELS)));
            }
            for (int i = 0; i < 40; i++) {
                assertThat(scores.get(i).get()).isDeepEqualTo(expected);
                assertThat(weights.get(i).get()).isDeepEqualTo(evidence);
                assertThat(others.get(i).get()).isDeepEqualTo(other);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void equalSeedsGiveEqualLossesAndBytes(@TempDir Path directory) throws IOException {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        TinyTraining first = subject.train(corpus, 3, 2, one);
        TinyTraining second = subject.train(corpus, 3, 2, two);
        assertThat(second.losses()).isEqualTo(first.losses());
        assertThat(content(two)).isEqualTo(content(one)).isNotEmpty();
    }

    @Test
    void bfloat16ScoresAreCloseToFloat(@TempDir Path directory) {
        assumeThat(subject.config().network()).isPresent();
        assertThat(Arrays.deepEquals(assertCloseToFloat(Precision.BFLOAT16, directory), scores()))
                .isFalse();
    }

    /** Layers as small as these may stay in float32. */
    @Test
    void int8ScoresAreCloseToFloat(@TempDir Path directory) {
        assumeThat(subject.config().network()).isPresent();
        assertCloseToFloat(Precision.INT8, directory);
    }

    private float[][] assertCloseToFloat(Precision precision, Path directory) {
        model.save(directory);
        float[][] near;
        try (Model rough = training.load(directory, new Compute(false, precision))) {
            near = rough.score(corpus.documents());
            float[][] exact = scores();
            for (int i = 0; i < exact.length; i++) {
                assertThat(near[i]).containsExactly(exact[i], within(0.05f));
            }
            assertThat(corpus.microF1(near)).isCloseTo(corpus.microF1(exact), within(0.02));
            for (float[] weights : rough.evidence(corpus.tokens(0), ALL_LABELS)) {
                assertDistributionOrNothing(weights, 0.01);
            }
        }
        // Autocast is off again on this thread.
        assertThat(score(corpus.tokens(0)))
                .containsExactly(model.score(corpus.documents().subList(0, 1))[0]);
        return near;
    }

    private float[][] scores() {
        return model.score(corpus.documents());
    }

    /** The files of a directory by name, their bytes in hexadecimal. */
    private static Map<String, String> content(Path directory) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(
                        directory.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return content;
    }
}
