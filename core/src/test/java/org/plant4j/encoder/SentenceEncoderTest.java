package org.plant4j.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.experiment.TinyEncoder;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;

class SentenceEncoderTest {

    private static final BertEncoder.Config CONFIG = BertEncoder.Config.builder()
            .layers(2)
            .hidden(16)
            .heads(2)
            .intermediate(32)
            .positions(16)
            .window(14)
            .build();

    @TempDir
    Path directory;

    private EncoderDirectory pretrained;
    private SentenceEncoder encoder;

    @BeforeEach
    void open() {
        Engine.setThreads(1);
        pretrained = TinyEncoder.write(directory.resolve("encoder"));
        encoder = SentenceEncoder.open(pretrained, CONFIG);
    }

    @AfterEach
    void close() {
        encoder.close();
    }

    /** The mean of the hidden states of all tokens, with begin and end, divided by its length. */
    private float[] expected(int... tokens) {
        double[] states;
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                BertEncoder bert = new BertEncoder(CONFIG, pretrained.tokens().size(), Compute.CPU)) {
            bert.loadPretrained(pretrained.path());
            states = Golden.values(bert.encodeRows(List.of(tokens), false).hiddenStates());
        }
        double[] sum = new double[16];
        for (int i = 0; i < states.length; i++) {
            sum[i % 16] += states[i];
        }
        double norm = Math.sqrt(Arrays.stream(sum).map(value -> value * value).sum());
        float[] unit = new float[16];
        for (int i = 0; i < unit.length; i++) {
            unit[i] = (float) (sum[i] / norm);
        }
        return unit;
    }

    @Test
    void theVectorIsTheNormalizedMeanOfTheHiddenStates() {
        float[][] vectors = encoder.embed(List.of(new int[] {5, 6, 7, 8}, new int[] {9}, new int[] {10, 11}));
        assertThat(vectors[0]).containsExactly(expected(5, 6, 7, 8), within(1e-5f));
        assertThat(vectors[1]).containsExactly(expected(9), within(1e-5f));
        assertThat(vectors[2]).containsExactly(expected(10, 11), within(1e-5f));
    }

    @Test
    void emptyTextsAreZeroAndLongOnesAreCut() {
        int[] text = IntStream.range(0, 20).map(i -> 5 + i).toArray();
        float[][] vectors = encoder.embed(List.of(text, new int[0], Arrays.copyOf(text, 14)));
        assertThat(vectors[1]).isEqualTo(new float[16]);
        assertThat(vectors[0]).containsExactly(vectors[2], within(1e-6f));
        assertThat(encoder.embed(List.of())).isEmpty();
    }

    /** More texts than fit into one batch. */
    @Test
    void textsKeepTheirOrderInSeveralBatches() {
        List<int[]> texts = IntStream.range(0, 900)
                .mapToObj(i -> IntStream.range(0, 1 + i % 13)
                        .map(t -> 5 + (i + t) % 20)
                        .toArray())
                .toList();
        float[][] vectors = encoder.embed(texts);
        for (int i : new int[] {0, 12, 450, 899}) {
            assertThat(vectors[i]).containsExactly(expected(texts.get(i)), within(1e-5f));
        }
    }

    @Test
    void weightsAreStored() throws IOException {
        Path file = directory.resolve("stored.safetensors");
        encoder.save(file);
        List<int[]> texts = List.of(new int[] {5, 6});
        try (SentenceEncoder loaded = SentenceEncoder.load(file, CONFIG, encoder.vocabularySize())) {
            assertThat(loaded.embed(texts)[0]).isEqualTo(encoder.embed(texts)[0]);
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> SentenceEncoder.load(file, CONFIG, encoder.vocabularySize()))
                .isInstanceOf(UserError.class);
    }
}
