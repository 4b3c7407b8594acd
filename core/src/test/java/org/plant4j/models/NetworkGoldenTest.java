package org.plant4j.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Engine;
import org.plant4j.nn.Golden;
import org.plant4j.nn.LabelScores;
import org.plant4j.nn.SomeLabels;

/** Whole networks against the same in PyTorch, there and back; golden.py holds their few lines. */
class NetworkGoldenTest {

    private static final int VOCABULARY = 7;
    private static final int LABELS = 5;

    static Stream<Arguments> networks() {
        return Stream.of(
                Arguments.of("laat", new Laat.Config(3, 2, 3, 0, 0.03, 0)),
                Arguments.of("caml", new Caml.Config(3, 4, 4, 0, 0)));
    }

    @BeforeAll
    static void oneThread() {
        Engine.threads(1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("networks")
    void logitsAttentionAndGradientsArePyTorchs(String name, NetworkConfig config) {
        Golden golden = Golden.of(name);
        try (PointerScope scope = new PointerScope();
                LabelNetwork network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            Map<String, Tensor> parameters = network.parameters();
            Golden.fill(parameters);
            List<int[]> unlabelled =
                    Golden.DOCUMENTS.stream().map(d -> new int[0]).toList();
            LabelScores scores =
                    network.forward(Batch.of(Golden.DOCUMENTS, unlabelled, LABELS, Compute.CPU), SomeLabels.ALL);
            golden.check("attention", scores.attention());
            golden.check("output", scores.logits());
            Golden.backward(scores.logits());
            golden.checkGradients(parameters);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("networks")
    void newParametersArePlacedAndNamedAsInPyTorch(String name, NetworkConfig config) {
        Engine.seed(1);
        try (LabelNetwork network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            double[] words = Golden.values(network.parameters(), "embedding.weight");
            assertThat(words).startsWith(0, 0, 0); // padding
            assertThat(words[3]).isNotZero();
            assertThat(network.parameters()).containsKeys("attention.weight", "head.weight", "head.bias");
        }
    }
}
