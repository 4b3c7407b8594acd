package org.plant4j.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.tensor;
import static org.plant4j.tensor.Golden.values;
import static org.plant4j.tensor.Golden.wave;

import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.Precision;
import org.plant4j.layer.Layer;
import org.plant4j.layer.LstmState;
import org.plant4j.layer.VariationalDropout;
import org.plant4j.pretrain.LanguageModel;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.DispatcherCall;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.Segments;

class AwdLstmTest {

    private static final AwdLstm.Config PLAIN = new AwdLstm.Config(3, 4, 3, 0, 0, 0, 0, 1);

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

    /** Seven tokens, with parameters filled as in golden.py. */
    private static AwdLstm filled(AwdLstm.Config config, Compute compute) {
        AwdLstm lstm = new AwdLstm(config, 7, compute);
        Golden.fill(lstm.parameters());
        try (NoGradGuard noGrad = new NoGradGuard()) {
            tensor(lstm.parameters(), "encoder.weight").select(0, 0).zero_();
        }
        return lstm;
    }

    private static Batch training(List<int[]> documents) {
        return Batch.forTraining(documents, Compute.CPU);
    }

    @Test
    void hiddenStatesAndGradientsOfPaddedDocumentsMatchPyTorch() {
        Golden golden = Golden.of(LanguageModel.class, "padded");
        try (AwdLstm lstm = filled(PLAIN, Compute.CPU)) {
            Batch batch = training(Golden.DOCUMENTS);
            Tensor states = lstm.forward(batch).mul(batch.mask().unsqueeze(-1));
            golden.check("output", states);
            Golden.backward(states);
            golden.checkGradients(lstm.parameters());
        }
    }

    @Test
    void carriedStateMatchesPyTorch() {
        Golden golden = Golden.of(LanguageModel.class, "carried");
        try (AwdLstm lstm = filled(PLAIN, Compute.CPU)) {
            Batch batch = training(List.of(new int[] {2, 3, 4, 5}, new int[] {6, 2, 2, 3}));
            EncoderState before = new EncoderState(List.of(
                    new LstmState(wave(60, 2, 4), wave(61, 2, 4)),
                    new LstmState(wave(62, 2, 4), wave(63, 2, 4)),
                    new LstmState(wave(64, 2, 3), wave(65, 2, 3))));
            Encoder.Output encoded = lstm.forward(batch, before);
            TensorVector all = new TensorVector(encoded.hiddenStates().flatten());
            encoded.state().tensors().forEach(each -> all.push_back(each.flatten()));
            Tensor output = torch.cat(all);
            golden.check("output", output);
            Golden.backward(output);
            golden.checkGradients(lstm.parameters());
        }
    }

    @Test
    void parametersAreNamedAsInFastai() {
        try (AwdLstm lstm = new AwdLstm(PLAIN, 7, Compute.CPU)) {
            assertThat(lstm.parameters().keySet())
                    .startsWith(
                            "encoder.weight",
                            "rnns.0.weight_hh_l0_raw",
                            "rnns.0.module.weight_ih_l0",
                            "rnns.0.module.bias_ih_l0",
                            "rnns.0.module.bias_hh_l0")
                    .hasSize(13);
            assertThat(lstm.hiddenSize()).isEqualTo(3);
            assertThat(lstm.layers().stream().mapToLong(Layer::parameterCount)).containsExactly(21L, 144L, 160L, 108L);
        }
    }

    @Test
    void segmentsWithCarriedStateEqualTheWholeDocument() {
        try (AwdLstm lstm = filled(PLAIN, Compute.CPU);
                NoGradGuard noGrad = new NoGradGuard()) {
            double[] whole = values(lstm.forward(Batch.of(Golden.DOCUMENTS, Compute.CPU)));
            // 5, 2 and 3 tokens: the second document starts in a later segment.
            Segments segments = new Segments(Golden.DOCUMENTS, 2, false, Compute.CPU);
            EncoderState state = EncoderState.EMPTY;
            double[][] found = new double[3][0];
            for (int i = 0; i < segments.count(); i++) {
                Batch segment = segments.get(i);
                Encoder.Output encoded = lstm.forward(segment, state);
                state = encoded.state();
                for (int row = 0; row < 3; row++) {
                    double[] states =
                            values(encoded.hiddenStates().select(0, row).narrow(0, 0, segment.lengths()[row]));
                    int before = found[row].length;
                    found[row] = Arrays.copyOf(found[row], before + states.length);
                    System.arraycopy(states, 0, found[row], before, states.length);
                    boolean started = segment.lengths()[row] > 0;
                    for (Tensor tensor : state.tensors().toList()) {
                        double[] carried = values(tensor.select(0, row));
                        assertThat(Arrays.stream(carried).anyMatch(x -> x != 0)).isEqualTo(started);
                    }
                }
            }
            assertThat(found[0]).containsExactly(Arrays.copyOfRange(whole, 0, 15), within(1e-6));
            assertThat(found[1]).containsExactly(Arrays.copyOfRange(whole, 15, 21), within(1e-6));
            assertThat(found[2]).containsExactly(Arrays.copyOfRange(whole, 30, 39), within(1e-6));
        }
    }

    @Test
    void nothingIsDroppedAtPrediction() {
        AwdLstm.Config dropping = new AwdLstm.Config(3, 4, 3, 0.5, 0.5, 0.5, 0.5, 1);
        try (AwdLstm plain = filled(PLAIN, Compute.CPU);
                AwdLstm lstm = filled(dropping, Compute.CPU);
                NoGradGuard noGrad = new NoGradGuard()) {
            Batch batch = Batch.of(Golden.DOCUMENTS, Compute.CPU);
            assertThat(values(lstm.forward(batch))).containsExactly(values(plain.forward(batch)));
            assertThat(values(lstm.forward(training(Golden.DOCUMENTS)))).isNotEqualTo(values(plain.forward(batch)));
        }
    }

    @Test
    void recurrentWeightsAreDroppedAtTheRateAndTheRestIsTrained() {
        // The multiplier halves the rate: 0.6 becomes 0.3.
        try (AwdLstm lstm = new AwdLstm(new AwdLstm.Config(16, 32, 2, 0, 0, 0, 0.6, 0.5), 7, Compute.CPU)) {
            Engine.setSeed(1);
            double[] first = recurrentGradient(lstm);
            double dropped = Arrays.stream(first).filter(x -> x == 0).count() / (double) first.length;
            assertThat(dropped).isCloseTo(0.3, within(0.03)); // 4096 weights, standard deviation 0.007
            double[] second = recurrentGradient(lstm);
            int both = 0;
            for (int i = 0; i < first.length; i++) {
                both += first[i] == 0 && second[i] == 0 ? 1 : 0;
            }
            assertThat(both / (double) first.length).isCloseTo(0.09, within(0.03)); // a fresh mask each pass
        }
    }

    private static double[] recurrentGradient(AwdLstm lstm) {
        Tensor raw = tensor(lstm.parameters(), "rnns.0.weight_hh_l0_raw");
        raw.mutable_grad().reset();
        Golden.backward(lstm.forward(training(Golden.DOCUMENTS)));
        return values(raw.grad());
    }

    @Test
    void droppedTokensAreDroppedAtAllPositionsAndTheRestScaledUp() {
        try (AwdLstm lstm = new AwdLstm(new AwdLstm.Config(3, 4, 1, 0.4, 0, 0, 0, 1), 2002, Compute.CPU);
                NoGradGuard noGrad = new NoGradGuard()) {
            int[] twice = new int[4000];
            Arrays.setAll(twice, i -> 2 + i % 2000);
            Engine.setSeed(1);
            Tensor tokens = Batch.of(List.of(twice), Compute.CPU).tokens();
            double[] ratio = values(lstm.embed(tokens, true)
                    .div(lstm.embedding().forward(tokens))
                    .select(2, 0)
                    .flatten());
            assertThat(Arrays.stream(ratio)).allMatch(x -> x == 0 || Math.abs(x - 1 / 0.6) < 1e-5);
            assertThat(Arrays.copyOf(ratio, 2000)).containsExactly(Arrays.copyOfRange(ratio, 2000, 4000));
            assertThat(Arrays.stream(ratio).filter(x -> x == 0).count() / 4000.0)
                    .isCloseTo(0.4, within(0.04));
        }
    }

    @Test
    void theSameFeaturesAreDroppedAtEveryToken() {
        Engine.setSeed(1);
        Tensor ones = torch.ones(20, 30, 50);
        Tensor dropped = new VariationalDropout(0.25).forward(ones, true);
        double[] first = values(dropped.select(1, 0));
        assertThat(values(dropped.select(1, 29))).containsExactly(first);
        assertThat(Arrays.stream(first)).allMatch(x -> x == 0 || Math.abs(x - 1 / 0.75) < 1e-6);
        assertThat(Arrays.stream(first).filter(x -> x == 0).count() / 1000.0).isCloseTo(0.25, within(0.05));
        assertThat(new VariationalDropout(0.25).forward(ones, false)).isSameAs(ones);
    }

    @Test
    void bfloat16IsCloseToFloat32AndCarriesFloat32State() {
        Compute half = new Compute(false, Precision.BFLOAT16);
        try (AwdLstm lstm = filled(new AwdLstm.Config(3, 4, 3, 0, 0, 0, 0, 1), half)) {
            Batch batch = training(List.of(new int[] {2, 3, 4, 5}, new int[] {6, 2, 2, 3}));
            double[] expected = values(lstm.forward(batch));
            Encoder.Output second;
            try (Compute.Autocast autocast = half.autocast()) {
                Encoder.Output first = lstm.forward(batch, EncoderState.EMPTY);
                assertThat(values(first.hiddenStates().to(torch.ScalarType.Float)))
                        .containsExactly(expected, within(0.02));
                second = lstm.forward(batch, first.state());
            }
            assertThat(second.state().tensors())
                    .allMatch(tensor -> tensor.scalar_type().intern() == torch.ScalarType.Float);
            Golden.backward(second.hiddenStates().to(torch.ScalarType.Float));
            Tensor gradient =
                    tensor(lstm.parameters(), "rnns.0.weight_hh_l0_raw").grad();
            assertThat(Arrays.stream(values(gradient))).anyMatch(x -> x != 0);
        }
    }

    /** The argument that the GPU path passes to cuDNN; the rest of that path needs a GPU. */
    @Test
    void anEmptyIntListIsAnIntList() {
        assertThat(DispatcherCall.emptyIntList().isIntList()).isTrue();
        assertThat(new IValue().isNone()).isTrue();
    }

    @Test
    void dropoutRatesOfOneAreRejected() {
        assertThatThrownBy(() -> new AwdLstm.Config(3, 4, 3, 0, 0, 0, 0.5, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weight_dropout: 0.5");
        assertThatThrownBy(() -> new AwdLstm.Config(3, 4, 0, 0, 0, 0, 0, 1)).hasMessageContaining("layers: 0");
    }
}
