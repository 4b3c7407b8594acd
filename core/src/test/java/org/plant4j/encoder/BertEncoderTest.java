package org.plant4j.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;

class BertEncoderTest {

    private static final int BEGIN = 2;
    private static final int END = 3;

    @TempDir
    Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static BertEncoder.Config config(int layers, int positions, int window, int overlap, double dropout) {
        return BertEncoder.Config.builder()
                .layers(layers)
                .hidden(8)
                .heads(2)
                .intermediate(12)
                .positions(positions)
                .begin(BEGIN)
                .end(END)
                .window(window)
                .overlap(overlap)
                .dropout(dropout)
                .build();
    }

    private static BertEncoder encoder(BertEncoder.Config config) {
        return encoder(config, Compute.CPU);
    }

    private static BertEncoder encoder(BertEncoder.Config config, Compute compute) {
        Engine.setSeed(7);
        return new BertEncoder(config, 50, compute);
    }

    private static int[] document(int length, int shift) {
        return IntStream.range(0, length).map(i -> 5 + (i * 7 + shift) % 45).toArray();
    }

    private static double[] states(BertEncoder encoder, int[]... documents) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode()) {
            return Golden.values(encoder.forward(Batch.of(List.of(documents), Compute.CPU)));
        }
    }

    private static void close(double[] found, double[] expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(found[i]).as("[%d]", i).isCloseTo(expected[i], within(1e-5));
        }
    }

    @Test
    void hiddenStatesAndGradientsMatchPyTorch() {
        BertEncoder.Config config = BertEncoder.Config.builder()
                .layers(2)
                .hidden(4)
                .heads(2)
                .intermediate(6)
                .positions(10)
                .positionOffset(2)
                .epsilon(1e-5)
                .begin(BEGIN)
                .end(END)
                .window(6)
                .overlap(2)
                .build();
        try (PointerScope scope = new PointerScope();
                BertEncoder encoder = new BertEncoder(config, 7, Compute.CPU)) {
            Map<String, Tensor> parameters = encoder.parameters();
            Golden.fill(parameters);
            try (NoGradGuard noGrad = new NoGradGuard()) {
                parameters.forEach((name, tensor) -> {
                    if (name.endsWith("LayerNorm.weight")) {
                        tensor.add_(new Scalar(1));
                    }
                });
            }
            Batch batch = Batch.forTraining(Golden.DOCUMENTS, Compute.CPU);
            Tensor states = encoder.forward(batch).mul(batch.mask().unsqueeze(-1));
            Golden golden = Golden.of("bert");
            golden.check("output", states);
            Golden.backward(states);
            golden.checkGradients(parameters);
        }
    }

    @Test
    void paddingAndOtherDocumentsDoNotChangeHiddenStates() {
        try (BertEncoder encoder = encoder(config(2, 40, 20, 4, 0.1))) {
            double[] alone = states(encoder, document(6, 1));
            double[] beside = states(encoder, document(6, 1), document(31, 9));
            close(Arrays.copyOf(beside, alone.length), alone);
        }
    }

    @Test
    void aWindowOverTheWholeDocumentEqualsNoWindow() {
        try (BertEncoder wide = encoder(config(2, 64, 40, 8, 0));
                BertEncoder exact = encoder(config(2, 64, 33, 0, 0))) {
            close(states(exact, document(33, 0)), states(wide, document(33, 0)));
        }
    }

    @Test
    void aTokenTakesItsHiddenStateFromTheWindowWhereItIsFarthestFromACut() {
        // 10 tokens in two windows, 0–5 and 4–9; the first five take their state from the first.
        int[] document = document(10, 3);
        try (BertEncoder encoder = encoder(config(2, 16, 6, 2, 0))) {
            double[] first = states(encoder, Arrays.copyOfRange(document, 0, 6));
            double[] second = states(encoder, Arrays.copyOfRange(document, 4, 10));
            double[] whole = states(encoder, document);
            close(Arrays.copyOfRange(whole, 0, 5 * 8), Arrays.copyOfRange(first, 0, 5 * 8));
            close(Arrays.copyOfRange(whole, 5 * 8, 10 * 8), Arrays.copyOfRange(second, 8, 6 * 8));
        }
    }

    @Test
    void aDocumentOfThreeThousandTokensIsEncoded() {
        try (BertEncoder encoder = encoder(config(1, 66, 64, 16, 0))) {
            double[] states = states(encoder, document(3000, 2), document(3, 1));
            assertThat(states).hasSize(2 * 3000 * 8).doesNotContain(Double.NaN);
        }
    }

    @Test
    void severalPassesWithoutGradientsEqualOnePass() {
        int[] document = document(20_000, 5); // more tokens than fit into one pass
        try (BertEncoder encoder = encoder(config(1, 66, 64, 16, 0));
                PointerScope scope = new PointerScope()) {
            Tensor atOnce = encoder.forward(Batch.of(List.of(document), Compute.CPU));
            close(states(encoder, document), Golden.values(atOnce));
        }
    }

    @Test
    void rowsAreEncodedBetweenSpecialTokens() {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                BertEncoder encoder = encoder(config(1, 16, 10, 0, 0))) {
            BertEncoder.EncodedRows rows = encoder.encodeRows(List.of(document(4, 1), document(2, 5)), false);
            assertThat(rows.hiddenStates().shape()).containsExactly(2, 6, 8);
            assertThat(rows.mask().sum().item_long()).isEqualTo(4 + 2 + 2 + 2);
            BertEncoder.EncodedRows tokens = rows.withoutSpecialTokens();
            assertThat(tokens.hiddenStates().shape()).containsExactly(2, 4, 8);
            assertThat(tokens.mask().select(0, 0).sum().item_long()).isEqualTo(4);
            assertThat(tokens.mask().select(0, 1).sum().item_long()).isEqualTo(2);
            close(Golden.values(tokens.hiddenStates().select(0, 0)), states(encoder, document(4, 1)));
            assertThatThrownBy(() -> encoder.encodeRows(List.of(document(15, 0)), false))
                    .hasMessageContaining("tokens in a row: 15 (expected: <= 14)");
        }
    }

    @Test
    void dropoutAppliesInTrainingOnly() {
        try (PointerScope scope = new PointerScope();
                BertEncoder encoder = encoder(config(2, 40, 20, 4, 0.3))) {
            Batch batch = Batch.forTraining(List.of(document(9, 0)), Compute.CPU);
            assertThat(Golden.values(encoder.forward(batch))).isNotEqualTo(Golden.values(encoder.forward(batch)));
            assertThat(states(encoder, document(9, 0))).isEqualTo(states(encoder, document(9, 0)));
        }
    }

    @Test
    void bfloat16IsCloseToFloat32ForwardAndBackward() {
        Compute half = new Compute(false, Precision.BFLOAT16);
        List<int[]> documents = List.of(document(30, 1), document(12, 1));
        try (PointerScope scope = new PointerScope();
                BertEncoder exact = encoder(config(2, 40, 20, 4, 0));
                BertEncoder near = encoder(config(2, 40, 20, 4, 0), half)) {
            Batch batch = Batch.forTraining(documents, Compute.CPU);
            Tensor expected = Compute.CPU.backward(() -> sum(exact, batch));
            Tensor found = half.backward(() -> sum(near, batch));
            assertThat(found.item_float()).isCloseTo(expected.item_float(), within(0.1f));
            exact.parameters().forEach((name, tensor) -> {
                Tensor gradient = Golden.tensor(near.parameters(), name).grad();
                double size = tensor.grad().norm().item_float();
                assertThat(tensor.grad().sub(gradient).norm().item_float())
                        .as(name)
                        .isLessThan((float) (0.05 * size + 0.05));
            });
        }
    }

    private static Tensor sum(BertEncoder encoder, Batch batch) {
        Tensor states = encoder.forward(batch)
                .to(torch.ScalarType.Float)
                .mul(batch.mask().unsqueeze(-1));
        return states.mul(Golden.wave(3, states.shape())).sum();
    }

    @Test
    void pretrainedWeightsLoadIntoFewerLayersFromTheLowestUp() throws IOException {
        try (PointerScope scope = new PointerScope();
                BertEncoder three = encoder(config(3, 40, 20, 4, 0))) {
            save(three.parameters());
            Engine.setSeed(99);
            try (BertEncoder same = new BertEncoder(config(3, 40, 20, 4, 0), 50, Compute.CPU);
                    BertEncoder two = new BertEncoder(config(2, 40, 20, 4, 0), 50, Compute.CPU)) {
                same.loadPretrained(directory);
                two.loadPretrained(directory);
                assertThat(states(same, document(30, 1))).isEqualTo(states(three, document(30, 1)));
                String name = "encoder.layer.1.output.dense.weight";
                assertThat(Golden.values(two.parameters(), name)).isEqualTo(Golden.values(three.parameters(), name));
                assertThat(two.layers()).hasSize(3);
            }
        }
    }

    @Test
    void thePoolerLoadsIfTheDirectoryHasOne() throws IOException {
        try (PointerScope scope = new PointerScope();
                BertEncoder encoder = encoder(config(1, 40, 20, 4, 0));
                BertPooler pooler = new BertPooler(8, Compute.CPU);
                BertPooler other = new BertPooler(8, Compute.CPU)) {
            save(encoder.parameters());
            double[] drawn = Golden.values(other.parameters(), "dense.weight");
            other.loadPretrained(directory);
            assertThat(Golden.values(other.parameters(), "dense.weight")).isEqualTo(drawn);
            Map<String, Tensor> all = new LinkedHashMap<>(encoder.parameters());
            pooler.parameters().forEach((name, tensor) -> all.put("pooler." + name, tensor));
            save(all);
            other.loadPretrained(directory);
            Tensor states = Golden.wave(1, 3, 5, 8);
            assertThat(Golden.values(other.forward(states))).isEqualTo(Golden.values(pooler.forward(states)));
        }
    }

    @Test
    void anIncompleteDirectoryIsReportedWithARemedy() throws IOException {
        try (PointerScope scope = new PointerScope();
                BertEncoder one = encoder(config(1, 40, 20, 4, 0));
                BertEncoder two = encoder(config(2, 40, 20, 4, 0));
                BertEncoder longer = encoder(config(1, 41, 20, 4, 0))) {
            UserError none = catchThrowableOfType(UserError.class, () -> one.loadPretrained(directory));
            assertThat(none.what()).contains("tokenizer.json is missing");
            assertThat(none.remedy()).contains("plant encoder import");
            save(one.parameters());
            assertThat(catchThrowableOfType(UserError.class, () -> two.loadPretrained(directory))
                            .what())
                    .contains("tensor encoder.layer.1.attention.self.query.weight is missing");
            assertThat(catchThrowableOfType(UserError.class, () -> longer.loadPretrained(directory))
                            .what())
                    .contains("position_embeddings.weight has shape [40, 8], expected [41, 8]");
        }
    }

    private void save(Map<String, Tensor> tensors) throws IOException {
        EncoderDirectory to = new EncoderDirectory(directory);
        Files.writeString(to.tokenizer(), "{}");
        Files.writeString(to.tokensFile(), "[PAD]\n[UNK]\n[CLS]\n");
        Checkpoint.write(to.weights(), tensors);
    }

    @Test
    void aWindowLargerThanThePositionsIsRejected() {
        assertThatThrownBy(() -> config(1, 40, 39, 4, 0)).hasMessageContaining("window: 39 (expected: <= 38");
        assertThatThrownBy(() -> config(1, 40, 20, 4, 0).toBuilder().heads(3).build())
                .hasMessageContaining("heads: 3 (expected: a divisor of hidden, 8)");
    }
}
