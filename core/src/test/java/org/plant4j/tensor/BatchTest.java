package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.plant4j.tensor.Golden.values;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.plant4j.layer.BiLstm;
import org.plant4j.text.Dataset;

class BatchTest {

    private static double[] numbers(Tensor tensor) {
        return values(tensor.to(torch.ScalarType.Float));
    }

    @Test
    void documentsArePaddedAtTheEndAndMasked() {
        try (PointerScope scope = new PointerScope()) {
            Batch batch = Batch.of(List.of(new int[] {5, 6, 7}, new int[] {8}), Compute.CPU);
            assertThat(numbers(batch.tokens())).containsExactly(5, 6, 7, 8, 0, 0);
            assertThat(numbers(batch.mask())).containsExactly(1, 1, 1, 1, 0, 0);
            assertThat(batch.training()).isFalse();
        }
    }

    @Test
    void aDocumentOfABatchHasNoPadding() {
        try (PointerScope scope = new PointerScope()) {
            Batch batch = Batch.of(List.of(new int[] {5, 6, 7}, new int[] {8}, new int[] {9, 3}), Compute.CPU);
            Batch document = batch.document(2);
            assertThat(numbers(document.tokens())).containsExactly(9, 3);
            assertThat(numbers(document.mask())).containsExactly(1, 1);
            assertThat(document.ids()).containsExactly(9, 3);
            assertThat(document.lengths()).containsExactly(2);
        }
    }

    @Test
    void anEmptyDocumentBecomesOneUnknownToken() {
        try (PointerScope scope = new PointerScope()) {
            Batch batch = Batch.of(List.of(new int[0], new int[0]), Compute.CPU);
            assertThat(batch.tokens().shape()).containsExactly(2, 1);
            assertThat(numbers(batch.tokens())).containsExactly(1, 1);
            assertThat(numbers(batch.mask())).containsExactly(1, 1);
        }
    }

    @Test
    void hiddenStatesOfUnknownTokensBecomeZero() {
        try (PointerScope scope = new PointerScope()) {
            Batch batch = Batch.of(List.of(new int[] {5, 1}, new int[] {1}), Compute.CPU);
            Tensor states = Tensor.create(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2);
            assertThat(numbers(batch.withoutUnknown(states))).containsExactly(1, 2, 0, 0, 0, 0, 7, 8);
        }
    }

    @Test
    void labelsWithoutTrainingDocumentsHaveNoTarget() {
        try (PointerScope scope = new PointerScope()) {
            Batches batches = new Batches(coded(new int[] {0, 7}, new int[0], new int[] {2}), 8, 100, 1);
            assertThat(numbers(batches.targets(new int[] {0, 2}, 3, Compute.CPU)))
                    .containsExactly(1, 0, 0, 0, 0, 1);
        }
    }

    @Test
    void packedSequencesInterleaveDocumentsLongestFirst() {
        try (PointerScope scope = new PointerScope()) {
            Batch batch = Batch.of(List.of(new int[] {5}, new int[] {6, 7, 8}, new int[] {9, 10}), Compute.CPU);
            PackedSequence packing = batch.packedSequence(Compute.CPU);
            Tensor states = Tensor.create(new float[] {1, 0, 0, 2, 3, 4, 5, 6, 0}, 3, 3, 1);
            Tensor packed = packing.pack(states);
            assertThat(values(packed)).containsExactly(2, 5, 1, 3, 6, 4);
            assertThat(numbers(packing.batchSizes())).containsExactly(3, 2, 1);
            assertThat(values(packing.unpack(packed, 3, 3))).containsExactly(values(states));
        }
    }

    @Test
    void reversalLeavesPaddingInPlaceAndIsItsOwnInverse() {
        try (PointerScope scope = new PointerScope()) {
            Batch batch = Batch.of(List.of(new int[] {5, 6, 7}, new int[] {8, 9}), Compute.CPU);
            Tensor states = Tensor.create(new float[] {1, 2, 3, 4, 5, 6}, 2, 3, 1);
            Tensor reversal = batch.reversalIndex(Compute.CPU);
            Tensor turned = BiLstm.reverse(states, reversal);
            assertThat(values(turned)).containsExactly(3, 2, 1, 5, 4, 6);
            assertThat(values(BiLstm.reverse(turned, reversal))).containsExactly(values(states));
        }
    }

    private static Dataset coded(int[]... labels) {
        return new Dataset() {
            @Override
            public int size() {
                return labels.length;
            }

            @Override
            public int[] tokens(int document) {
                return new int[] {2};
            }

            @Override
            public int[] labels(int document) {
                return labels[document];
            }
        };
    }

    /** Document i has i + 1 tokens. */
    private static Dataset growing(int documents) {
        return new Dataset() {
            @Override
            public int size() {
                return documents;
            }

            @Override
            public int[] tokens(int document) {
                return IntStream.rangeClosed(0, document).map(i -> 2).toArray();
            }

            @Override
            public int[] labels(int document) {
                return new int[] {0};
            }
        };
    }

    @Test
    void eachEpochHasEveryDocumentOnceWithinBothLimits() {
        Batches batches = new Batches(growing(100), 8, 120, 1);
        for (int epoch = 0; epoch < 3; epoch++) {
            Set<Integer> met = new HashSet<>();
            for (int[] batch : batches.epoch(epoch)) {
                int longest = Arrays.stream(batch).max().orElseThrow() + 1;
                assertThat(batch.length).isBetween(1, 8);
                assertThat(batch.length == 1 || batch.length * longest <= 120).isTrue();
                Arrays.stream(batch)
                        .forEach(document -> assertThat(met.add(document)).isTrue());
            }
            assertThat(met).hasSize(100);
        }
    }

    @Test
    void orderDependsOnSeedAndEpochOnly() {
        Batches one = new Batches(growing(50), 4, 1000, 1);
        Batches same = new Batches(growing(50), 4, 1000, 1);
        Batches other = new Batches(growing(50), 4, 1000, 2);
        same.epoch(0);
        assertThat(order(same, 3))
                .isEqualTo(order(one, 3))
                .isNotEqualTo(order(one, 4))
                .isNotEqualTo(order(other, 3));
    }

    private static List<Integer> order(Batches batches, int epoch) {
        return batches.epoch(epoch).stream()
                .flatMapToInt(Arrays::stream)
                .boxed()
                .toList();
    }

    @Test
    void batchesHaveLittlePadding() {
        Batches batches = new Batches(growing(200), 8, 100_000, 1);
        long real = IntStream.rangeClosed(1, 200).sum();
        long padded = batches.epoch(0).stream()
                .mapToLong(batch ->
                        (long) batch.length * (Arrays.stream(batch).max().orElseThrow() + 1))
                .sum();
        assertThat((double) real / padded).isGreaterThan(0.9);
    }

    @Test
    void limitsBelowOneAreRejected() {
        assertThatThrownBy(() -> new Batches(growing(1), 0, 1, 1)).hasMessage("maxDocuments: 0 (expected: >= 1)");
        assertThatThrownBy(() -> new Batches(growing(1), 1, 0, 1)).hasMessage("maxTokens: 0 (expected: >= 1)");
    }
}
