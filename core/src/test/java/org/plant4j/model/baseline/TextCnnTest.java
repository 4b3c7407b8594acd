package org.plant4j.model.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.model.LogitsWithAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;

class TextCnnTest {

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    /** The lines are {@code text_cnn} of golden.py. */
    @Test
    void logitsEvidenceAndGradientsEqualPyTorch() {
        TextCnn.Config config = config(3, 2, List.of(2, 3), 0);
        try (PointerScope scope = new PointerScope();
                TextCnn network = config.build(7, 5, Compute.CPU)) {
            Golden golden = Golden.of("textCnn");
            Map<String, Tensor> parameters = network.parameters();
            Golden.fill(parameters);
            LogitsWithAttention output =
                    network.forward(Batch.forTraining(Golden.DOCUMENTS, Compute.CPU), LabelSelection.ALL);
            golden.check("attention", output.attention());
            golden.check("output", output.logits());
            Golden.backward(output.logits());
            golden.checkGradients(parameters);
        }
    }

    /**
     * One filter of width 1 that copies the embedding: tokens 2 and 3 have the values 1 and 5. The maximum is 5, the logit
     * 2 · 5 - 7 = 3, and all evidence lies on the token with the value 5.
     */
    @Test
    void theLargestActivationDecidesAndIsTheEvidence() {
        TextCnn.Config config = config(1, 1, List.of(1), -7);
        try (TextCnn network = config.build(4, 1, Compute.CPU)) {
            set(network, "embedding.weight", 0, -9, 1, 5);
            set(network, "convolutions.0.weight", 1);
            set(network, "convolutions.0.bias", 0);
            set(network, "head.weight", 2);
            int[] document = {2, 3, 2, 1};
            assertThat(network.score(List.of(document))[0][0])
                    .isCloseTo((float) (1 / (1 + Math.exp(-3))), within(1e-6f));
            assertThat(network.evidence(document, new int[] {0})[0]).containsExactly(0, 1, 0, 0);
        }
    }

    private static void set(TextCnn network, String name, float... values) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor parameter = Objects.requireNonNull(network.parameters().get(name));
            parameter.copy_(Tensor.create(values).view_as(parameter));
        }
    }

    /** With tanh the feature of the only token is tanh(-0.5), the logit 2 · tanh(-0.5); padding would have 0. */
    @Test
    void tanhKeepsNegativeFeatures() {
        TextCnn.Config config = new TextCnn.Config(1, 1, List.of(1), TextCnn.Activation.TANH, 0, 0, 0);
        try (TextCnn network = config.build(4, 1, Compute.CPU)) {
            set(network, "embedding.weight", 0, 0, -0.5f, 0);
            set(network, "convolutions.0.weight", 1);
            set(network, "convolutions.0.bias", 0);
            set(network, "head.weight", 2);
            float[][] scores = network.score(List.of(new int[] {2}, new int[] {2, 2, 2}));
            assertThat(scores[0][0]).isCloseTo((float) (1 / (1 + Math.exp(-2 * Math.tanh(-0.5)))), within(1e-6f));
            assertThat(scores[0][0]).isEqualTo(scores[1][0]);
        }
    }

    private static TextCnn.Config config(int embedding, int filters, List<Integer> kernels, double initialBias) {
        return new TextCnn.Config(embedding, filters, kernels, TextCnn.Activation.RELU, 0, 0, initialBias);
    }

    @Test
    void widthsMustBePositive() {
        assertThatThrownBy(() -> config(3, 2, List.of(), 0)).hasMessageContaining("kernels: []");
        assertThatThrownBy(() -> config(3, 2, List.of(3, 0), 0)).hasMessageContaining("kernels: 0");
    }
}
