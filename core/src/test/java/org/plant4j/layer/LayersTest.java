package org.plant4j.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.fill;
import static org.plant4j.tensor.Golden.tensor;
import static org.plant4j.tensor.Golden.values;
import static org.plant4j.tensor.Golden.wave;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;

class LayersTest {

    private PointerScope scope;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    @BeforeEach
    void openScope() {
        scope = new PointerScope();
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private static Tensor leaf(int number, long... shape) {
        Tensor leaf = wave(number, shape);
        leaf.set_requires_grad(true);
        return leaf;
    }

    /** The CPU path and the GPU path, both of which run on the CPU. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bidirectionalLstmMatchesPyTorchOnPackedSequences(boolean packed) {
        Golden golden = Golden.of("bilstm");
        try (BiLstm lstm = new BiLstm(3, 2, Compute.CPU)) {
            fill(lstm.parameters());
            Batch batch = Batch.of(Golden.DOCUMENTS, Compute.CPU);
            Tensor x = leaf(50, 3, 5, 3);
            // Packed sequences have no hidden states at padding; reversed ones have some that are not used.
            Tensor all = packed ? lstm.forwardPacked(x, batch) : lstm.forwardReversed(x, batch);
            Tensor states = all.mul(batch.mask().unsqueeze(-1));
            golden.check("output", states);
            Golden.backward(states);
            golden.checkGradients(lstm.parameters());
            golden.check("x", x.grad());
        }
    }

    @Test
    void allLstmPathsAgreeWithoutPadding() {
        try (BiLstm lstm = new BiLstm(3, 2, Compute.CPU)) {
            fill(lstm.parameters());
            Batch batch = Batch.of(List.of(new int[] {2, 3, 4}, new int[] {5, 6, 7}), Compute.CPU);
            assertThat(batch.isPadded()).isFalse();
            Tensor x = wave(50, 2, 3, 3);
            double[] turned = values(lstm.forwardReversed(x, batch));
            assertThat(values(lstm.forwardPacked(x, batch))).containsExactly(turned, within(1e-6));
            assertThat(values(lstm.forwardUnpadded(x, batch))).containsExactly(turned, within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 3})
    void convolutionMatchesPyTorchWithSamePadding(int kernel) {
        Golden golden = Golden.of("convolution" + kernel);
        try (Convolution convolution = new Convolution(2, 3, kernel, Compute.CPU)) {
            fill(convolution.parameters());
            Tensor x = leaf(50, 2, 6, 2);
            Tensor output = convolution.forward(x);
            golden.check("output", output);
            Golden.backward(output);
            golden.checkGradients(convolution.parameters());
            golden.check("x", x.grad());
        }
    }

    @Test
    void bothFormsOfTheLabelHeadMatchPyTorch() {
        Golden golden = Golden.of("attention");
        try (LabelAttention attention = new LabelAttention(4, 3, 1, Compute.CPU);
                LabelHead head = new LabelHead(4, 3, 1, 0, Compute.CPU)) {
            Tensor queries = tensor(attention.parameters(), "weight");
            Tensor weight = tensor(head.parameters(), "weight");
            Tensor bias = tensor(head.parameters(), "bias");
            fill(queries, 0);
            fill(weight, 1);
            fill(bias, 2);
            Batch batch = Batch.of(Golden.DOCUMENTS, Compute.CPU);
            for (boolean byToken : new boolean[] {true, false}) {
                Tensor states = leaf(50, 3, 5, 3);
                Tensor weights = attention.forward(states, batch.mask(), LabelSelection.ALL);
                Tensor logits = (byToken
                                ? LabelHead.logitsByToken(states, weights, weight)
                                : LabelHead.logitsByLabel(states, weights, weight))
                        .add(bias);
                golden.check("attention", weights.transpose(1, 2));
                golden.check("output", logits);
                Golden.backward(logits);
                golden.checkGradients(Map.of("queries", queries, "weight", weight, "bias", bias, "states", states));
                List.of(queries, weight, bias)
                        .forEach(parameter -> parameter.mutable_grad().reset());
            }
        }
    }

    @Test
    void nullTokensTakeTheirShareOfTheSoftmax() {
        try (PointerScope scope = new PointerScope()) {
            Tensor mask = Batch.of(List.of(new int[] {2, 3}, new int[] {2}), Compute.CPU)
                    .mask();
            float log3 = (float) Math.log(3);
            Tensor scores = Tensor.create(new float[] {0, log3, 0, 5}, 2, 2, 1); // the last token is padding
            assertThat(values(LabelAttention.maskedSoftmax(scores, mask, 4)))
                    .containsExactly(new double[] {1 / 8.0, 3 / 8.0, 1 / 5.0, 0}, within(1e-6));
        }
    }

    @Test
    void aLabelSelectionGivesTheSameValuesAsAllLabels() {
        try (LabelAttention attention = new LabelAttention(4, 3, 1, Compute.CPU);
                LabelHead head = new LabelHead(4, 3, 1, 0.5, Compute.CPU);
                NoGradGuard noGrad = new NoGradGuard()) {
            Batch batch = Batch.of(Golden.DOCUMENTS, Compute.CPU);
            Tensor states = wave(50, 3, 5, 3);
            Tensor ids = Tensor.create(3L, 1L);
            LabelSelection asked = new LabelSelection.Ids(ids);
            Tensor all = attention.forward(states, batch.mask(), LabelSelection.ALL);
            Tensor some = attention.forward(states, batch.mask(), asked);
            assertThat(values(some)).containsExactly(values(all.index_select(2, ids)), within(1e-6));
            assertThat(values(head.forward(states, some, asked)))
                    .containsExactly(
                            values(head.forward(states, all, LabelSelection.ALL).index_select(1, ids)), within(1e-6));
        }
    }

    @Test
    void wordVectorsReplaceAllButPaddingAndUnknownRows() {
        try (Embedding embedding = new Embedding(4, 2, Compute.CPU)) {
            double[] drawn = values(embedding.parameters(), "weight");
            embedding.setVectors(new float[][] {{9, 9}, {1, 2}, {0, 0}, {3, 4}});
            assertThat(values(embedding.parameters(), "weight")).containsExactly(0, 0, 1, 2, drawn[4], drawn[5], 3, 4);
            assertThatThrownBy(() -> embedding.setVectors(new float[3][2]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("(3, 2)")
                    .hasMessageContaining("(4, 2)");
        }
    }

    @Test
    void dropoutKeepsTheMeanInTrainingAndIsTheIdentityOtherwise() {
        Tensor ones = wave(0, 100, 100).fill_(new Scalar(1));
        List<int[]> documents = List.of(new int[] {2});
        Batch training = Batch.forTraining(documents, Compute.CPU);
        Engine.setSeed(1);
        double[] dropped = values(new Dropout(0.4).forward(ones, training));
        assertThat(Arrays.stream(dropped)).allMatch(x -> x == 0 || Math.abs(x - 1 / 0.6) < 1e-6);
        assertThat(Arrays.stream(dropped).average().orElseThrow()).isCloseTo(1, within(0.05));
        assertThat(values(new Dropout(0.4).forward(ones, Batch.of(documents, Compute.CPU))))
                .containsOnly(1);
        assertThatThrownBy(() -> new Dropout(1)).hasMessageContaining("dropout: 1.0");
    }

    @Test
    void aLayerCreatedInsideAScopeOutlivesIt() {
        Linear linear;
        try (PointerScope inner = new PointerScope()) {
            linear = new Linear(2, 3, true, Compute.CPU);
        }
        fill(linear.parameters());
        // weight (3, 2) = 0.3 sin 0..5, bias (3) = 0.3 sin 10..12
        Tensor y = linear.forward(Tensor.create(new float[] {1, 1}, 1, 2));
        assertThat(values(y))
                .containsExactly(
                        new double[] {
                            0.3 * (Math.sin(0) + Math.sin(1) + Math.sin(10)),
                            0.3 * (Math.sin(2) + Math.sin(3) + Math.sin(11)),
                            0.3 * (Math.sin(4) + Math.sin(5) + Math.sin(12))
                        },
                        within(1e-6));
        assertThat(linear.parameterCount()).isEqualTo(9);
        linear.close();
    }
}
