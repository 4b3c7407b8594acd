package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.plant4j.tensor.Golden.tensor;
import static org.plant4j.tensor.Golden.values;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.text.Vocabulary;

class PretrainedLanguageModelTest {

    private static final LanguageModelConfig SMALL = config(3, 4, 3);

    @TempDir
    Path directory;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    private static LanguageModelConfig config(int embedding, int hidden, int layers) {
        return LanguageModelConfig.builder()
                .embedding(embedding)
                .hidden(hidden)
                .layers(layers)
                .bptt(4)
                .batchSize(2)
                .build();
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private Vocabulary vocabulary(String... file) throws IOException {
        StringBuilder table = new StringBuilder("token\tcount\n<pad>\t0\n<unk>\t0\n");
        for (String word : file) {
            table.append(word).append("\t1\n");
        }
        return Vocabulary.read(file("ours.tsv", table.toString()));
    }

    private static Path fastai() {
        try {
            return Path.of(Objects.requireNonNull(PretrainedLanguageModelTest.class.getResource("fastai.safetensors"))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"itos.txt", "itos.json"})
    void tokensOfAFastaiModelKeepTheirVectorsAndNewOnesGetTheMean(String file) throws IOException {
        String lines = "xxunk\nfiebre\nxxbos\ndolor\nel\nla\ntac\n";
        Path itos =
                file(file, file.endsWith("txt") ? lines : "[\"" + lines.strip().replace("\n", "\",\"") + "\"]");
        Golden golden = Golden.of(PretrainedLanguageModelTest.class, "fastai");
        try (PointerScope scope = new PointerScope();
                LanguageModel model = new LanguageModel(SMALL, 7, Compute.CPU);
                NoGradGuard noGrad = new NoGradGuard()) {
            int known = model.loadPretrained(
                    new LanguageModelConfig.PretrainedWeights(fastai().toString(), itos.toString()),
                    vocabulary("dolor", "fiebre", "disnea", "TAC", "la"));
            assertThat(known).isEqualTo(5); // all but padding and disnea
            golden.check("words", tensor(model.parameters(), "0.encoder.weight"));
            golden.check("bias", tensor(model.parameters(), "1.decoder.bias"));
            Batch batch = Batch.of(List.of(new int[] {2, 3, 4, 5}, new int[] {6, 2, 2, 3}), Compute.CPU);
            golden.check("states", model.encoder().forward(batch));
        }
    }

    @Test
    void aSavedModelInitializesOneOverAnotherVocabulary() throws IOException {
        Vocabulary first = vocabulary("a", "b", "c");
        first.write(directory.resolve("first.tsv"));
        try (PointerScope scope = new PointerScope();
                LanguageModel old = new LanguageModel(SMALL, 5, Compute.CPU);
                LanguageModel model = new LanguageModel(SMALL, 4, Compute.CPU)) {
            old.save(directory.resolve("old"));
            LanguageModelConfig.PretrainedWeights start = new LanguageModelConfig.PretrainedWeights(
                    directory.resolve("old").toString(),
                    directory.resolve("first.tsv").toString());
            assertThat(model.loadPretrained(start, vocabulary("c", "a"))).isEqualTo(3);
            double[] before = values(old.parameters(), "0.encoder.weight");
            double[] after = values(model.parameters(), "0.encoder.weight");
            int[] from = {0, 1, 4, 2};
            for (int i = 0; i < after.length; i++) {
                assertThat(after[i]).isEqualTo(before[3 * from[i / 3] + i % 3]);
            }
            String layer = "0.rnns.2.weight_hh_l0_raw";
            assertThat(values(model.parameters(), layer)).containsExactly(values(old.parameters(), layer));
        }
    }

    @Test
    void anEncoderLoadsTheWeightsOfALanguageModel() {
        AwdLstm.Config config = new AwdLstm.Config(3, 4, 3, 0, 0, 0, 0.5, 1);
        try (LanguageModel model = new LanguageModel(SMALL, 5, Compute.CPU);
                AwdLstm encoder = new AwdLstm(config, 5, Compute.CPU);
                AwdLstm other = new AwdLstm(config, 6, Compute.CPU)) {
            model.save(directory.resolve("lm"));
            encoder.loadPretrained(directory.resolve("lm"));
            model.encoder()
                    .parameters()
                    .forEach((name, weights) ->
                            assertThat(values(encoder.parameters(), name)).containsExactly(values(weights)));
            assertThatThrownBy(() -> other.loadPretrained(directory.resolve("lm")))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("encoder.weight");
        }
    }

    @Test
    void modelsOfAnotherSizeAreRejectedWithTheTensor() throws IOException {
        Path seven = file("seven.txt", "1\n2\n3\n4\n5\n6\n7\n");
        assertRejected(config(3, 5, 3), seven, "rnns.0.weight_hh_l0_raw has shape [16, 4], expected [20, 5]");
        assertRejected(config(2, 4, 3), seven, "encoder.weight has shape [7, 3], expected [7, 2]");
        assertRejected(config(3, 4, 4), seven, "rnns.2");
        assertRejected(config(3, 4, 2), seven, "rnns.1");
        assertRejected(SMALL, file("six.txt", "1\n2\n3\n4\n5\n6\n"), "6 tokens, but the weights have 7");
        assertRejected(SMALL, file("none.json", "{}"), "not a JSON list");
        assertRejected(SMALL, directory.resolve("missing.txt"), "Cannot read");
    }

    private void assertRejected(LanguageModelConfig config, Path file, String message) throws IOException {
        Vocabulary ours = vocabulary("a");
        try (LanguageModel model = new LanguageModel(config, 3, Compute.CPU)) {
            LanguageModelConfig.PretrainedWeights start =
                    new LanguageModelConfig.PretrainedWeights(fastai().toString(), file.toString());
            assertThatThrownBy(() -> model.loadPretrained(start, ours))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(message);
        }
    }
}
