package org.plant4j.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.fill;
import static org.plant4j.tensor.Golden.tensor;
import static org.plant4j.tensor.Golden.values;
import static org.plant4j.tensor.Golden.wave;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.Precision;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;

class LstmWindowsTest {

    private static final long SEED = 20261119;

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

    @Test
    void documentsNotLongerThanAWindowAreReadWhole() {
        assertThat(LstmWindows.of(new int[] {LstmWindows.MAX_LENGTH, 1, 0}, LstmWindows.MAX_LENGTH))
                .isEmpty();
        assertThat(LstmWindows.of(new int[] {LstmWindows.MAX_LENGTH + 1}, LstmWindows.MAX_LENGTH + 1))
                .isPresent();
    }

    /** Nine tokens in windows of five with two for warm-up: 0 to 4, 3 to 7, 6 to 8. A window of 0 is padding. */
    @Test
    void windowsOverlapByTheirWarmUp() {
        LstmWindows windows = LstmWindows.of(new int[] {9}, 9, 5, 2).orElseThrow();
        Tensor x = Tensor.create(new float[] {0, 1, 2, 3, 4, 5, 6, 7, 8}, 1, 9, 1);
        Tensor states = windows.apply(x, windowed -> {
            assertThat(values(windowed)).containsExactly(0, 1, 2, 3, 4, 3, 4, 5, 6, 7, 6, 7, 8, 0, 0);
            return Tensor.create(new float[] {10, 11, 12, 13, 14, -1, -1, 25, 26, 27, -1, -1, 38, -1, -1}, 3, 5, 1);
        });
        assertThat(values(states)).containsExactly(10, 11, 12, 13, 14, 25, 26, 27, 38);
    }

    @Test
    void everyTokenIsReturnedToItsPlace() {
        Random random = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            int warmUp = random.nextInt(5);
            int maxLength = warmUp + 1 + random.nextInt(8);
            int[] lengths = random.ints(1 + random.nextInt(4), 0, 40).toArray();
            int width = Math.max(1, Arrays.stream(lengths).max().orElseThrow());
            Tensor x = wave(round, lengths.length, width, 2);
            LstmWindows.of(lengths, width, maxLength, warmUp).ifPresent(windows -> {
                double[] expected = values(x);
                double[] actual = values(windows.apply(x, UnaryOperator.identity()));
                for (int row = 0; row < lengths.length; row++) {
                    int start = row * width * 2;
                    int end = start + lengths[row] * 2;
                    assertThat(Arrays.copyOfRange(actual, start, end))
                            .as("row %d of %s, seed %d", row, Arrays.toString(lengths), SEED)
                            .containsExactly(Arrays.copyOfRange(expected, start, end));
                }
            });
        }
    }

    private static int[] document(int tokens) {
        return IntStream.range(0, tokens).map(i -> 2 + i * 7 % 11).toArray();
    }

    private static double[] predict(Batch batch, Precision precision, boolean reversed) {
        return predict(batch, precision, reversed, 0);
    }

    /** The hidden states of one direction for the first document. */
    private static double[] predict(Batch batch, Precision precision, boolean reversed, double forgetBias) {
        Compute compute = new Compute(false, precision);
        try (BiLstm lstm = new BiLstm(3, 4, compute);
                InferenceMode inference = new InferenceMode()) {
            fill(lstm.parameters());
            if (forgetBias != 0) {
                tensor(lstm.parameters(), "bias_hh_l0").narrow(0, 4, 4).fill_(new Scalar(forgetBias));
            }
            Tensor x = wave(50, 20, 3).index_select(0, batch.tokens().flatten()).view(-1, batch.width(), 3);
            Tensor states = lstm.forward(x, batch);
            return values(states.narrow(0, 0, 1).narrow(2, reversed ? 4 : 0, 4));
        }
    }

    /** Without autocast, so that nothing but the windows differs. */
    @Test
    void hiddenStatesAreNearlyThoseOfTheWholeDocument() {
        Batch batch = Batch.of(List.of(document(1500)), Compute.CPU);
        for (boolean reversed : new boolean[] {false, true}) {
            double[] whole = predict(batch, Precision.FLOAT32, reversed);
            double[] windowed = predict(batch, Precision.BFLOAT16, reversed);
            assertThat(windowed).containsExactly(whole, within(1e-5));
        }
    }

    /** A forget gate of 1 keeps everything, so that windows differ, but not before the second one. */
    @Test
    void onlyBfloat16ReadsWindows() {
        Batch batch = Batch.of(List.of(document(1500)), Compute.CPU);
        double[] whole = predict(batch, Precision.FLOAT32, false, 100);
        double[] windowed = predict(batch, Precision.BFLOAT16, false, 100);
        int first = LstmWindows.MAX_LENGTH / 2 * 4;
        assertThat(Arrays.copyOf(windowed, first)).containsExactly(Arrays.copyOf(whole, first), within(1e-6));
        assertThat(windowed).isNotEqualTo(whole);
        assertThat(predict(batch, Precision.INT8, false, 100)).containsExactly(whole);
    }

    @Test
    void hiddenStatesDoNotDependOnTheBatch() {
        int[] document = document(1000);
        Batch alone = Batch.of(List.of(document), Compute.CPU);
        Batch batch = Batch.of(List.of(document, document(1300), document(3)), Compute.CPU);
        for (boolean reversed : new boolean[] {false, true}) {
            double[] expected = predict(alone, Precision.BFLOAT16, reversed);
            double[] actual = Arrays.copyOf(predict(batch, Precision.BFLOAT16, reversed), expected.length);
            assertThat(actual).containsExactly(expected, within(1e-6));
        }
    }

    @Test
    void trainingReadsDocumentsWhole() {
        Compute compute = new Compute(false, Precision.BFLOAT16);
        Batch batch = Batch.forTraining(List.of(document(1000)), Compute.CPU);
        try (BiLstm lstm = new BiLstm(3, 4, compute);
                BiLstm exact = new BiLstm(3, 4, Compute.CPU)) {
            fill(lstm.parameters());
            fill(exact.parameters());
            Tensor x = wave(50, 1, 1000, 3);
            assertThat(values(lstm.forward(x, batch))).containsExactly(values(exact.forward(x, batch)));
        }
    }
}
