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
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;

public class AttentionEvidenceTest {

    private static final int LABELS = 9;
    private static final int[] DOCUMENT = {2, 3, 1};
    private static final int[] SOME = {8, 0, 3, 5, 1};

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    /** A token says as much for a label as the product of its id and the label's; counts the labels it is asked for. */
    private static final class Products extends LabelNetwork {

        private final List<Long> counts = new ArrayList<>();

        Products(Compute compute) {
            super(LABELS, compute);
        }

        @Override
        public EncodedDocuments encode(Batch segment, EncoderState before) {
            return EncodedDocuments.of(segment.tokens());
        }

        @Override
        public Tensor evidenceWeights(Batch segment, EncodedDocuments encoding, LabelSelection some) {
            Tensor ids = some.select(
                    Tensor.create(IntStream.range(0, LABELS).asLongStream().toArray()));
            counts.add(ids.numel());
            return encoding.tensor(0).unsqueeze(-1).mul(ids).to(torch.ScalarType.Float);
        }

        @Override
        public Tensor decode(Batch segment, EncodedDocuments encoding, LabelSelection some) {
            throw new UnsupportedOperationException("nothing is scored here");
        }

        @Override
        public LabelBias bias() {
            throw new UnsupportedOperationException("nothing is scored here");
        }

        @Override
        public Embedding embedding() {
            throw new UnsupportedOperationException("there are no words here");
        }
    }

    private static void assertShares(float[][] evidence, int[] document, int[] labels) {
        assertThat(evidence.length).isEqualTo(labels.length);
        float sum = Arrays.stream(document).sum();
        for (int i = 0; i < labels.length; i++) {
            for (int t = 0; t < document.length; t++) {
                float share = labels[i] == 0 ? 0 : document[t] / sum;
                assertThat(evidence[i][t]).isEqualTo(share, within(1e-6f));
            }
        }
    }

    @Test
    void asManyLabelsAreLookedAtTogetherAsFitIntoMemory() {
        Compute narrow = Compute.CPU.withLabelMemory(16L * 3 * 2); // of three tokens two labels
        try (Products network = new Products(narrow)) {
            assertShares(network.evidence(DOCUMENT, SOME), DOCUMENT, SOME);
            assertThat(network.counts).containsExactly(2L, 2L, 1L);
        }
        try (Products network = new Products(Compute.CPU)) {
            assertShares(network.evidence(DOCUMENT, SOME), DOCUMENT, SOME);
            assertThat(network.counts).containsExactly(5L);
        }
    }

    @Test
    void soTheyAreInSeveralDocumentsThatAreReadTogether() {
        Compute narrow = Compute.CPU.withLabelMemory(16L * 6 * 4); // of two documents of three tokens four labels
        int[] other = {4};
        int[] others = {7, 8};
        try (Products network = new Products(narrow)) {
            List<float[][]> evidence = network.evidence(List.of(DOCUMENT, other), List.of(SOME, others));
            assertShares(evidence.get(0), DOCUMENT, SOME);
            assertShares(evidence.get(1), other, others);
            assertThat(network.counts).containsExactly(4L, 2L); // six different labels
        }
    }
}
