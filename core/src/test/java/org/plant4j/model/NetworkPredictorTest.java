package org.plant4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.LabelBias;
import org.plant4j.model.output.Prediction;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;

public class NetworkPredictorTest {

    private static final int LABELS = 9;
    private static final int[] DOCUMENT = {2, 3, 1};
    private static final int[] CHOSEN = {8, 0, 3, 5, 1};

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    /**
     * The evidence weight of a token for a label is the product of their ids, and a logit is the sum of the weights minus
     * the label's id squared. Records how often documents are encoded and for how many labels evidence is computed.
     */
    private static final class Products extends LabelNetwork<EncodedDocuments> {

        private final int segmentLength;
        private final List<Long> evidenceLabels = new ArrayList<>();
        private final List<Integer> decodedWidths = new ArrayList<>();
        private int encodedSegments;

        Products(Compute compute, int segmentLength) {
            super(LABELS, compute);
            this.segmentLength = segmentLength;
        }

        @Override
        public EncodedDocuments encode(Batch segment, EncoderState before) {
            encodedSegments++;
            return new EncodedDocuments(segment.tokens());
        }

        private static Tensor ids() {
            return Tensor.create(IntStream.range(0, LABELS).asLongStream().toArray());
        }

        private static Tensor products(EncodedDocuments encoding, Tensor ids) {
            return encoding.hiddenStates().unsqueeze(-1).mul(ids).to(torch.ScalarType.Float); // (B, T, L)
        }

        @Override
        public Tensor evidenceWeights(Batch segment, EncodedDocuments encoding, LabelSelection labels) {
            Tensor ids = labels.select(ids());
            evidenceLabels.add(ids.numel());
            return products(encoding, ids);
        }

        @Override
        public Tensor decode(Batch segment, EncodedDocuments encoding, LabelSelection labels) {
            decodedWidths.add(segment.width());
            return products(encoding, labels.select(ids())).sum(1L);
        }

        @Override
        public LabelBias bias() {
            return new LabelBias() {
                @Override
                public Tensor bias(LabelSelection labels) {
                    return labels.select(ids().square().neg().to(torch.ScalarType.Float));
                }

                @Override
                public void initializeBias(float[] bias) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void initializeZeroShotBias(float bias) {
                    throw new UnsupportedOperationException();
                }
            };
        }

        @Override
        protected boolean encodesTokens() {
            return true;
        }

        @Override
        public int segmentLength() {
            return segmentLength;
        }

        @Override
        public Embedding embedding() {
            throw new UnsupportedOperationException();
        }
    }

    private static void assertNormalizedWeights(float[][] evidence, int[] document, int[] labels) {
        assertThat(evidence.length).isEqualTo(labels.length);
        float sum = Arrays.stream(document).sum();
        for (int i = 0; i < labels.length; i++) {
            for (int t = 0; t < document.length; t++) {
                float expected = labels[i] == 0 ? 0 : document[t] / sum;
                assertThat(evidence[i][t]).isEqualTo(expected, within(1e-6f));
            }
        }
    }

    @Test
    void evidenceIsComputedInLabelChunksThatFitIntoMemory() {
        Compute narrow = Compute.CPU.withLabelMemory(16L * 3 * 2); // two labels for three tokens
        try (Products network = new Products(narrow, Integer.MAX_VALUE)) {
            assertNormalizedWeights(network.evidence(DOCUMENT, CHOSEN), DOCUMENT, CHOSEN);
            assertThat(network.evidenceLabels).containsExactly(2L, 2L, 1L);
        }
        try (Products network = new Products(Compute.CPU, Integer.MAX_VALUE)) {
            assertNormalizedWeights(network.evidence(DOCUMENT, CHOSEN), DOCUMENT, CHOSEN);
            assertThat(network.evidenceLabels).containsExactly(5L);
        }
    }

    @Test
    void documentsOfABatchShareTheLabelChunks() {
        Compute narrow = Compute.CPU.withLabelMemory(16L * 6 * 4); // four labels for two documents of three tokens
        int[] other = {4};
        int[] otherChosen = {7, 8};
        try (Products network = new Products(narrow, Integer.MAX_VALUE)) {
            List<Prediction> predictions =
                    network.predict(List.of(DOCUMENT, other), PredictionRequest.evidence(List.of(CHOSEN, otherChosen)));
            assertNormalizedWeights(predictions.get(0).evidence(), DOCUMENT, CHOSEN);
            assertNormalizedWeights(predictions.get(1).evidence(), other, otherChosen);
            assertThat(network.evidenceLabels).containsExactly(4L, 2L); // six different labels
        }
    }

    @Test
    void everyOutputComesFromOneEncoding() {
        try (Products network = new Products(Compute.CPU, Integer.MAX_VALUE)) {
            Prediction prediction = network.predict(
                            List.of(DOCUMENT),
                            PredictionRequest.evidenceFor(scores -> CHOSEN)
                                    .withDescriptionEvidence()
                                    .withSharedViews())
                    .get(0);
            assertThat(network.encodedSegments).isEqualTo(1);
            assertNormalizedWeights(prediction.evidence(), DOCUMENT, CHOSEN);
            assertThat(prediction.scores()).containsExactly(network.score(List.of(DOCUMENT))[0]);
            assertThat(prediction.descriptionEvidence()).hasSameSizeAs(CHOSEN).allMatch(weights -> weights.length == 0);
            assertThat(prediction.sharedViews()).isEmpty();
        }
    }

    @Test
    void labelsAreChosenFromTheScoresOfEachDocument() {
        // Logits are sum * label - label², highest at half the sum of the tokens: labels 3 and 2.
        try (Products network = new Products(Compute.CPU, Integer.MAX_VALUE)) {
            List<Prediction> predictions = network.predict(
                    List.of(DOCUMENT, new int[] {4}), PredictionRequest.evidenceFor(scores -> new int[] {
                        IntStream.range(0, LABELS)
                                .reduce((a, b) -> scores[b] > scores[a] ? b : a)
                                .getAsInt()
                    }));
            assertThat(predictions.get(0).labels()).containsExactly(3);
            assertThat(predictions.get(1).labels()).containsExactly(2);
            assertThat(network.encodedSegments).isEqualTo(1);
        }
    }

    @Test
    void eachSegmentIsEncodedOnceAndEvidenceCoversTheWholeDocument() {
        int[] longer = {1, 2, 3, 4, 5, 6, 7, 8};
        try (Products network = new Products(Compute.CPU, 3)) {
            List<Prediction> predictions = network.predict(
                    List.of(longer, DOCUMENT, new int[0]), PredictionRequest.evidenceFor(scores -> CHOSEN));
            assertThat(network.encodedSegments).isEqualTo(3);
            assertNormalizedWeights(predictions.get(0).evidence(), longer, CHOSEN);
            assertNormalizedWeights(predictions.get(1).evidence(), DOCUMENT, CHOSEN);
            assertThat(predictions.get(2).evidence()).hasDimensions(CHOSEN.length, 0);
            for (int i = 0; i < 2; i++) {
                assertThat(predictions.get(i).scores())
                        .containsExactly(network.score(List.of(i == 0 ? longer : DOCUMENT))[0]);
            }
        }
    }

    @Test
    void scoresAreComputedWithoutEvidence() {
        try (Products network = new Products(Compute.CPU, Integer.MAX_VALUE)) {
            Prediction scores = network.predict(List.of(DOCUMENT), PredictionRequest.scores())
                    .get(0);
            assertThat(scores.evidence()).isEmpty();
            assertThat(network.evidenceLabels).isEmpty();
            Prediction evidence = network.predict(List.of(DOCUMENT), PredictionRequest.evidence(CHOSEN))
                    .get(0);
            assertThat(evidence.scores()).isEmpty();
            assertThat(network.predict(List.of(), PredictionRequest.scores())).isEmpty();
        }
    }

    /** {@link #DOCUMENT} with zeros between its tokens, which change neither logits nor weights. */
    private static int[] spread(int length) {
        int[] document = new int[length];
        for (int i = 0; i < DOCUMENT.length; i++) {
            document[i * (length - 1) / (DOCUMENT.length - 1)] = DOCUMENT[i];
        }
        return document;
    }

    @Test
    void longDocumentsAreDecodedOneByOneWithoutPadding() {
        int[] other = {4};
        List<int[]> documents = List.of(spread(8000), spread(7500));
        try (Products network = new Products(Compute.CPU, Integer.MAX_VALUE)) {
            float[] expected = network.score(List.of(DOCUMENT))[0];
            List<int[]> chosen = List.of(CHOSEN, other);
            network.decodedWidths.clear();
            network.evidenceLabels.clear();
            List<Prediction> predictions = network.predict(
                    documents, PredictionRequest.evidence(chosen).withScores());
            assertThat(network.encodedSegments).isEqualTo(2);
            assertThat(network.decodedWidths).containsExactly(7500, 8000);
            assertThat(network.evidenceLabels).containsExactly(1L, 5L); // no labels of the other document
            for (int i = 0; i < documents.size(); i++) {
                assertThat(predictions.get(i).scores()).containsExactly(expected);
                assertNormalizedWeights(predictions.get(i).evidence(), documents.get(i), chosen.get(i));
            }
        }
    }

    @Test
    void documentsWithoutTokensInASegmentAreNotDecodedInIt() {
        try (Products network = new Products(Compute.CPU, 8000)) {
            float[] expected = network.score(List.of(DOCUMENT))[0];
            network.decodedWidths.clear();
            float[][] scores = network.score(List.of(spread(15_500), spread(7600)));
            assertThat(scores[0]).containsExactly(expected);
            assertThat(scores[1]).containsExactly(expected);
            assertThat(network.decodedWidths).containsExactly(8000, 7600, 7500);
        }
    }
}
