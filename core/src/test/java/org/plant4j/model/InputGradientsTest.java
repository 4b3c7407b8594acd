package org.plant4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelBias;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.model.plant.Direction;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankModel;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;

class InputGradientsTest {

    private static final int[] DOCUMENT = {3, 5, 3, 7, 2, 9, 1, 5, 4, 11}; // 1 is the unknown token

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    /** Logit = Σ_t e_t · w_l, squared if the network is not linear. */
    private static final class SumNetwork extends LabelNetwork<EncodedDocuments> {

        private final boolean squared;
        private final Embedding embedding;
        private final LabelHead head;

        SumNetwork(boolean squared) {
            super(2, Compute.CPU);
            this.squared = squared;
            embedding = submodule("embedding", new Embedding(5, 2, Compute.CPU));
            head = submodule("head", new LabelHead(2, 2, 1, 0, Compute.CPU));
            set("embedding.weight", new float[] {0, 0, 9, 9, 1, 2, 3, -1, 0.5f, 4}, 5);
            set("head.weight", new float[] {1, 2, -1, 1}, 2);
        }

        private void set(String name, float[] values, int rows) {
            try (PointerScope scope = new PointerScope();
                    NoGradGuard noGrad = new NoGradGuard()) {
                Objects.requireNonNull(parameters().get(name)).copy_(Tensor.create(values, rows, 2));
            }
        }

        @Override
        public EncodedDocuments encode(Batch batch, EncoderState before) {
            return new EncodedDocuments(embedding.forward(batch.tokens()));
        }

        @Override
        public Tensor decode(Batch batch, EncodedDocuments encoding, LabelSelection labels) {
            Tensor sum = evidenceWeights(batch, encoding, labels).sum(1L);
            return squared ? sum.square() : sum;
        }

        @Override
        public Tensor evidenceWeights(Batch batch, EncodedDocuments encoding, LabelSelection labels) {
            return head.tokenLogits(encoding.hiddenStates(), labels);
        }

        @Override
        public Embedding embedding() {
            return embedding;
        }

        @Override
        public LabelBias bias() {
            return head;
        }
    }

    /** Token vectors (1, 2), (3, −1), (0.5, 4) with label weights (1, 2) and (−1, 1): contributions by hand. */
    @Test
    void inALinearNetworkGradientTimesInputIsTheExactContribution() {
        try (SumNetwork network = new SumNetwork(false)) {
            InputGradients<EncodedDocuments> gradients = new InputGradients<>(network);
            double[][] expected = {{5, 1, 8.5, 5}, {1, -4, 3.5, 1}};
            int[] document = {2, 3, 4, 2};
            assertThat(gradients.atInput(document, new int[] {0, 1})).isDeepEqualTo(expected);
            assertThat(gradients.integrated(document, new int[] {0, 1})).isDeepEqualTo(expected);
            // Negative contributions are no evidence; the rest sums to 1.
            float[][] weights = network.predict(
                            List.of(document),
                            PredictionRequest.evidence(1).withEvidenceMethod(EvidenceMethod.GRADIENT_INPUT))
                    .get(0)
                    .evidence();
            assertThat(weights[0]).containsExactly(new float[] {1 / 5.5f, 0, 3.5f / 5.5f, 1 / 5.5f}, within(1e-6f));
        }
    }

    /** y = s² with s = 5 + 1: the gradient at the input is 2 s, and its mean on the line from 0 is s. */
    @Test
    void integratedGradientsOfASquareAreHalfOfThoseAtTheInput() {
        try (SumNetwork network = new SumNetwork(true)) {
            InputGradients<EncodedDocuments> gradients = new InputGradients<>(network);
            int[] document = {2, 3};
            assertThat(gradients.atInput(document, new int[] {0})[0]).containsExactly(60, 12);
            assertThat(gradients.integrated(document, new int[] {0})[0])
                    .containsExactly(new double[] {30, 6}, within(1e-4));
        }
    }

    static Stream<Plant.Config> networks() {
        EncoderConfig bert = new EncoderConfig.Bert(BertEncoder.Config.builder()
                .layers(2)
                .hidden(12)
                .heads(2)
                .intermediate(24)
                .positions(16)
                .window(6)
                .overlap(2)
                .build());
        EncoderConfig awd = new EncoderConfig.Awd(new AwdLstm.Config(12, 8, 2, 0, 0.1, 0.1, 0.1, 1));
        return Stream.of(
                Plant.Config.builder(new EncoderConfig.BiLstm(12, 8, 0.1)).build(),
                Plant.Config.builder(new EncoderConfig.BiLstm(12, 8, 0.1))
                        .direction(Direction.BACKWARD)
                        .fixed(false)
                        .differentiable(false)
                        .build(),
                Plant.Config.builder(new EncoderConfig.Convolutions(12, 6, List.of(1, 3), 0.1))
                        .build(),
                Plant.Config.builder(awd).build(),
                Plant.Config.builder(awd).segment(4).build(),
                Plant.Config.builder(bert).build());
    }

    private static Plant build(Plant.Config config) {
        Engine.setSeed(5);
        Plant plant = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU);
        if (config.hasPlantedSources()) {
            try (RankModel ranker =
                    new RankModel(config.ranker(), TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU)) {
                plant.plant(
                        new MutualInformation(MutualInformation.Kind.GAIN, 5)
                                .compute(TinyCorpus.of(40, 1), TinyCorpus.VOCABULARY, TinyCorpus.LABELS),
                        Optional.of(ranker));
            }
        }
        // Larger weights than at the start of training, so that the network is far from linear.
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            plant.parameters().values().forEach(parameter -> parameter.mul_(new Scalar(2)));
        }
        return plant;
    }

    /** The logit without bias of a document whose embeddings are multiplied by a scale. */
    private static double logit(LabelNetwork<Plant.Encoded> plant, int label, float scale) {
        try (PointerScope scope = new PointerScope();
                TokenOccurrences occurrences =
                        new TokenOccurrences(List.of(DOCUMENT), new float[] {scale}, Compute.CPU)) {
            Segments segments = new Segments(
                    occurrences.documents().stream().map(plant::inReadingOrder).toList(),
                    plant.segmentLength(),
                    false,
                    Compute.CPU);
            Tensor logits = torch.zeros(1, TinyCorpus.LABELS);
            EncoderState state = EncoderState.EMPTY;
            for (int i = 0; i < segments.count(); i++) {
                Batch segment = segments.get(i);
                Plant.Encoded encoding = plant.encode(segment, state);
                logits = logits.add(plant.decode(segment, encoding, LabelSelection.ALL));
                state = encoding.nextState();
            }
            return logits.select(1, label).item_float();
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void integratedGradientsSumToTheDifferenceFromTheBaseline(Plant.Config config) {
        try (Plant plant = build(config)) {
            int[] labels = {0, 2, 3};
            double[][] attributions = new InputGradients<>(plant).integrated(DOCUMENT, labels, 256);
            for (int i = 0; i < labels.length; i++) {
                double difference = logit(plant, labels[i], 1) - logit(plant, labels[i], 0);
                assertThat(DoubleStream.of(attributions[i]).sum())
                        .isCloseTo(difference, within(0.01 + 0.02 * Math.abs(difference)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void theGradientIsTheSlopeOfTheLogit(Plant.Config config) {
        try (Plant plant = build(config)) {
            double slope = (logit(plant, 1, 1.01f) - logit(plant, 1, 0.99f)) / 0.02;
            double[] gradients = new InputGradients<>(plant).atInput(DOCUMENT, new int[] {1})[0];
            assertThat(DoubleStream.of(gradients).sum()).isCloseTo(slope, within(0.01 + 0.02 * Math.abs(slope)));
        }
    }

    @Test
    void parametersKeepTheirGradientsAndLaterPredictionsAreTheSame() {
        try (Plant plant = build(networks().findFirst().orElseThrow())) {
            float[][] before = plant.score(List.of(DOCUMENT));
            new InputGradients<>(plant).atInput(DOCUMENT, new int[] {1});
            assertThat(plant.parameters().values())
                    .noneMatch(parameter -> parameter.grad().defined());
            assertThat(plant.score(List.of(DOCUMENT))).isDeepEqualTo(before);
            assertThat(TokenOccurrences.isOpen()).isFalse();
        }
    }

    @Test
    void documentsWithMoreTokensThanABatchAreExplainedRowByRow() {
        try (SumNetwork network = new SumNetwork(false)) {
            int[] document = new int[5000];
            Arrays.fill(document, 2);
            double[][] gradients = new InputGradients<>(network).atInput(document, new int[] {0, 1, 0});
            assertThat(gradients[0][4999]).isEqualTo(5);
            assertThat(gradients[1][4999]).isEqualTo(1);
            assertThat(gradients[2]).isEqualTo(gradients[0]);
        }
    }
}
