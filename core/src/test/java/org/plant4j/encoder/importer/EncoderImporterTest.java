package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.encoder.AnswerHead;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.LongformerEncoder;
import org.plant4j.encoder.importer.EncoderImporter.ImportResult;
import org.plant4j.encoder.importer.EncoderImporter.Options;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Golden;

class EncoderImporterTest {

    private static final Options PLAIN = new Options(Precision.FLOAT32, OptionalInt.empty(), Optional.empty());

    @TempDir
    Path temporary;

    private Path source;
    private EncoderDirectory made;

    @BeforeEach
    void name() {
        source = temporary.resolve("source");
        made = new EncoderDirectory(temporary.resolve("encoders").resolve("tiny"));
    }

    private ImportResult run(Path from, Options options) {
        return EncoderImporter.run(from, made.path(), options);
    }

    @Test
    void aDamagedFileOfAnEncoderIsNamed() throws IOException {
        run(TinyBert.huggingFace(source, name -> name), PLAIN);
        made.verify();
        for (Path file : List.of(made.tokenizer(), made.tokensFile(), made.weights())) {
            byte[] intact = Files.readAllBytes(file);
            byte[] damaged = intact.clone();
            damaged[damaged.length / 2] ^= 1;
            Files.write(file, damaged);
            assertThatThrownBy(made::verify)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(file.getFileName() + " does not match its checksum")
                    .hasMessageContaining("plant encoder import");
            Files.write(file, intact);
        }
        Files.writeString(made.path().resolve("checksums.json"), "{");
        assertThatThrownBy(made::verify).isInstanceOf(UserError.class).hasMessageContaining("checksums.json");
    }

    private void assertAllTensorsImported() {
        List<Integer> order = List.of(0, 2, 1, 3, 4, 5, 6, 7, 8);
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> read = Checkpoint.readMatching(made.weights(), name -> true);
            assertThat(read.keySet())
                    .containsExactlyInAnyOrderElementsOf(TinyBert.tensors().keySet());
            TinyBert.tensors().forEach((name, values) -> {
                boolean byPiece = values.shape().get(0) == TinyBert.PIECES.size();
                int width = values.numbers().size() / values.shape().get(0);
                double[] found = Golden.values(read, name);
                for (int i = 0; i < found.length; i++) {
                    int from = byPiece ? order.get(i / width) * width + i % width : i;
                    assertThat(found[i]).as("%s[%d]", name, i).isEqualTo((double)
                            values.numbers().get(from));
                }
            });
        }
    }

    @Test
    void paddingAndUnknownComeFirstAndTheOthersKeepTheirOrder() throws IOException {
        ImportResult imported = run(TinyBert.huggingFace(source, name -> name), PLAIN);
        assertThat(made.tokens())
                .containsExactly("[PAD]", "[UNK]", "fiebre", "[CLS]", "[SEP]", "[MASK]", "##s", "tos", "a");
        assertThat(imported).isEqualTo(new ImportResult("Hugging Face", 9, 9, true));
        assertAllTensorsImported();
    }

    /** A Longformer whose global projections are those of BERT's next ones, with RoBERTa's names of the head. */
    private void longformer() throws IOException {
        TinyBert.huggingFace(source, name -> name);
        Files.writeString(
                source.resolve("config.json"),
                "{\"model_type\": \"longformer\", \"num_attention_heads\": 2, \"layer_norm_eps\": 1e-5, \"hidden_act\": \"gelu\","
                        + " \"attention_window\": [4]}");
        Map<String, TinyBert.Values> tensors = new LinkedHashMap<>();
        TinyBert.tensors().forEach((name, values) -> {
            String renamed = name.replace("cls.predictions.transform.dense", "lm_head.dense")
                    .replace("cls.predictions.transform.LayerNorm", "lm_head.layer_norm")
                    .replace("cls.predictions.", "lm_head.");
            tensors.put(renamed.startsWith("lm_head.") ? renamed : "longformer." + renamed, values);
            if (name.contains("attention.self.")) {
                String other = name.replace("query.", "value_global.")
                        .replace("key.", "query_global.")
                        .replace("value.", "key_global.");
                tensors.put("longformer." + other, values);
            }
        });
        TinyBert.safetensors(source.resolve("model.safetensors"), tensors);
    }

    private static LongformerEncoder tinyLongformer() {
        return new LongformerEncoder(
                new LongformerEncoder.Config(1, 4, 2, 6, 12, 0, 2, 1e-5, 3, 4, 5, 4, 0), 9, Compute.CPU);
    }

    private static final String SELF = "encoder.layer.0.attention.self.";

    @Test
    void aLongformerIsImportedWithItsGlobalProjections() throws IOException {
        longformer();
        run(source, PLAIN);
        assertThat(made.configFile()).content().contains("type: longformer", "attention_window: 4");
        assertThat(EncoderInfo.of(made).config().heads()).isEqualTo(2);
        try (PointerScope scope = new PointerScope();
                LongformerEncoder encoder = tinyLongformer();
                AnswerHead head = new AnswerHead(4, 1e-5, Compute.CPU)) {
            encoder.loadPretrained(made.path());
            Map<String, Tensor> loaded = encoder.parameters();
            assertThat(Golden.values(loaded, SELF + "query_global.weight"))
                    .isEqualTo(Golden.values(loaded, SELF + "key.weight"));
            head.loadPretrained(made.path(), encoder.embedding(), "tos", "fiebre");
            Map<String, Tensor> stored = Checkpoint.readMatching(made.weights(), name -> true);
            assertThat(Golden.values(head.parameters(), "transform.dense.weight"))
                    .isEqualTo(Golden.values(stored, "cls.predictions.transform.dense.weight"));
            double[] embedding = Golden.values(stored, "embeddings.word_embeddings.weight");
            assertThat(Golden.values(head.parameters(), "answers"))
                    .startsWith(Arrays.copyOfRange(embedding, 4 * 7, 4 * 8)) // tos
                    .endsWith(Arrays.copyOfRange(embedding, 4 * 2, 4 * 3)); // fiebre
            assertThatThrownBy(() -> head.loadPretrained(made.path(), encoder.embedding(), "yes", "no"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("no token 'yes'");
        }
    }

    @Test
    void aLongformerCanStartFromBert() throws IOException {
        run(TinyBert.huggingFace(source, name -> name), PLAIN);
        try (PointerScope scope = new PointerScope();
                LongformerEncoder encoder = tinyLongformer()) {
            encoder.loadPretrained(made.path());
            Map<String, Tensor> loaded = encoder.parameters();
            for (String projection : List.of("query", "key", "value")) {
                assertThat(Golden.values(loaded, SELF + projection + "_global.weight"))
                        .isEqualTo(Golden.values(loaded, SELF + projection + ".weight"));
            }
        }
    }

    @Test
    void differentAttentionWindowsOfALongformerAreRefused() throws IOException {
        longformer();
        Files.writeString(
                source.resolve("config.json"), "{\"model_type\": \"longformer\", \"attention_window\": [4, 8]}");
        assertThatThrownBy(() -> run(source, PLAIN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("attention_window is [4,8]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bert.", "roberta.", "xlm_roberta.model."})
    void tensorNamesMayHaveThePrefixOfAModel(String prefix) throws IOException {
        run(TinyBert.huggingFace(source, name -> name.startsWith("cls.") ? name : prefix + name), PLAIN);
        assertAllTensorsImported();
    }

    @Test
    void oldLayerNormNamesAndRobertasHeadAreSupported() throws IOException {
        run(
                TinyBert.huggingFace(
                        source,
                        name -> name.replace("cls.predictions.transform.LayerNorm", "lm_head.layer_norm")
                                .replace("cls.predictions.transform", "lm_head")
                                .replace("cls.predictions", "lm_head")
                                .replace("LayerNorm.weight", "LayerNorm.gamma")
                                .replace("LayerNorm.bias", "LayerNorm.beta")),
                PLAIN);
        assertAllTensorsImported();
    }

    @ParameterizedTest
    @CsvSource({"bert, 0", "roberta, 1", "xlm-roberta, 1"})
    void theModelTypeDeterminesThePositionOffset(String model, int offset) throws IOException {
        TinyBert.huggingFace(source, name -> name);
        Path config = source.resolve("config.json");
        Files.writeString(config, Files.readString(config).replace("\"bert\"", "\"" + model + "\""));
        run(source, PLAIN);
        assertThat(EncoderInfo.of(made).config().positionOffset()).isEqualTo(offset);
    }

    @Test
    void aTensorFlowCheckpointGivesTheSameEncoder() throws IOException {
        // The number of heads is not stated, and a head is smaller than in Google's models.
        Options heads = new Options(Precision.FLOAT32, OptionalInt.of(2), Optional.empty());
        assertThat(run(TinyBert.tensorFlow(source), heads).format()).isEqualTo("TensorFlow");
        assertAllTensorsImported();
        assertThat(EncoderInfo.of(made).config().heads()).isEqualTo(2);
    }

    @Test
    void anOnnxGraphGivesTheSameEncoderAndItsHeads() throws IOException {
        assertThat(run(TinyBert.onnx(source).resolve("model.onnx"), PLAIN).format())
                .isEqualTo("ONNX");
        assertAllTensorsImported();
        BertEncoder.Config sizes = EncoderInfo.of(made).config();
        assertThat(sizes.heads()).isEqualTo(2);
        assertThat(sizes.epsilon()).isEqualTo(1e-12);
    }

    @Test
    void encoderInfoDescribesTheEncoder() throws IOException {
        run(TinyBert.huggingFace(source, name -> name), PLAIN);
        EncoderInfo info = EncoderInfo.of(made);
        assertThat(info.config())
                .isEqualTo(BertEncoder.Config.builder()
                        .layers(1)
                        .hidden(4)
                        .heads(2)
                        .intermediate(6)
                        .positions(12)
                        .begin(3)
                        .end(4)
                        .mask(5)
                        .window(10)
                        .build());
        assertThat(info.specialTokens()).containsExactly("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]");
        assertThat(info.hasLanguageModelHead()).isTrue();
        assertThat(info.parameters())
                .isEqualTo(TinyBert.tensors().values().stream()
                        .mapToLong(values -> values.numbers().size())
                        .sum());
    }

    @ParameterizedTest
    @CsvSource({"heads: 2, heads: 3", "layers: 1, ''", "encoder:, encoders:"})
    void invalidSizesAreAUserError(String written, String instead) throws IOException {
        run(TinyBert.huggingFace(source, name -> name), PLAIN);
        Files.writeString(made.configFile(), Files.readString(made.configFile()).replace(written, instead));
        assertThatThrownBy(() -> EncoderInfo.of(made))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("sizes of the encoder");
    }

    @Test
    void aNestedJarIsExtractedAndDeletedAfterwards() throws IOException {
        TinyBert.tensorFlow(source);
        Path inner = zip(temporary.resolve("model"), source, "");
        Path jar = zip(temporary.resolve("model.jar"), inner, "com/example/");
        run(jar, new Options(Precision.FLOAT32, OptionalInt.of(2), Optional.empty()));
        assertAllTensorsImported();
        try (Stream<Path> beside = Files.list(temporary.resolve("encoders"))) {
            assertThat(beside).containsExactly(made.path());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0x.json", "a/x.json"})
    void aJarWithInvalidOrRepeatedNamesIsDamaged(String name) throws IOException {
        Path jar = temporary.resolve("model.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("x.json"));
            zip.putNextEntry(new ZipEntry(name));
        }
        assertThatThrownBy(() -> run(jar, new Options(Precision.FLOAT32, OptionalInt.of(2), Optional.empty())))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("The jar is damaged");
    }

    @Test
    void zeroBytesInAConfigAreReported() throws IOException {
        TinyBert.huggingFace(source, name -> name);
        Files.write(source.resolve("tokenizer_config.json"), new byte[] {0, 0, 0, 0, 0, 'w', 'o', 'k'});
        assertThatThrownBy(() -> run(source, new Options(Precision.FLOAT32, OptionalInt.of(2), Optional.empty())))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Not valid JSON");
    }

    private static Path zip(Path archive, Path from, String prefix) throws IOException {
        try (OutputStream out = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name =
                        file.equals(from) ? "inner" : from.relativize(file).toString();
                zip.putNextEntry(new ZipEntry(prefix + name));
                Files.copy(file, zip);
            }
        }
        return archive;
    }

    @Test
    void onlyObservedSpecialAndSingleCharacterTokensAreKeptOnRequest() throws IOException {
        Function<Path, Set<String>> observed = tokenizer -> {
            assertThat(tokenizer).isRegularFile();
            return Set.of("tos", "elsewhere");
        };
        ImportResult imported = run(
                TinyBert.huggingFace(source, name -> name),
                new Options(Precision.BFLOAT16, OptionalInt.empty(), Optional.of(observed)));
        assertThat(made.tokens()).containsExactly("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##s", "tos", "a");
        assertThat(imported.keptTokens()).isEqualTo(8);
        EncoderInfo info = EncoderInfo.of(made);
        assertThat(info.dataType()).isEqualTo("BF16");
        assertThat(info.config().begin()).isEqualTo(2);
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> read =
                    Checkpoint.readMatching(made.weights(), name -> name.endsWith("predictions.bias"));
            float first = Objects.requireNonNull(TinyBert.tensors().get("cls.predictions.bias"))
                    .numbers()
                    .get(0);
            double[] found = Golden.values(read, "cls.predictions.bias");
            assertThat(found).hasSize(8);
            assertThat(found[7] - first).isCloseTo(8 / 64.0, org.assertj.core.api.Assertions.within(0.1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bert, t5, model_type is t5",
        "gelu, relu, hidden_act is relu",
        "num_attention_heads\": 2, num_attention_heads\": 3, is not divisible by 3 heads"
    })
    void unsupportedArchitecturesAreReported(String was, String is, String message) throws IOException {
        TinyBert.huggingFace(source, name -> name);
        Path config = source.resolve("config.json");
        Files.writeString(config, Files.readString(config).replace(was, is));
        assertThatThrownBy(() -> run(source, PLAIN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message);
        assertThat(made.path()).doesNotExist();
    }

    @Test
    void aMissingTensorIsNamed() throws IOException {
        TinyBert.huggingFace(source, name -> name.replace("self.key", "self.clave"));
        assertThatThrownBy(() -> run(source, PLAIN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("it lacks encoder.layer.0.attention.self.key.weight");
    }

    @Test
    void aTokenizerLargerThanTheModelIsRejected() throws IOException {
        TinyBert.huggingFace(source, name -> name);
        Files.writeString(source.resolve("vocab.txt"), String.join("\n", TinyBert.PIECES) + "\nmás\n");
        assertThatThrownBy(() -> run(source, PLAIN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("10 tokens, but the model only 9");
    }

    @Test
    void aFileThatTorchDidNotSaveIsAUserError() throws IOException {
        TinyBert.huggingFace(source, name -> name);
        Files.move(source.resolve("model.safetensors"), source.resolve("pytorch_model.bin"));
        assertThatThrownBy(() -> run(source, PLAIN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("pytorch_model.bin");
    }

    @Test
    void truncatedFilesAreAUserError() throws IOException {
        Path onnx = TinyBert.onnx(source).resolve("model.onnx");
        Files.write(onnx, Arrays.copyOf(Files.readAllBytes(onnx), 500));
        assertThatThrownBy(() -> run(onnx, PLAIN)).isInstanceOf(UserError.class);
        Path saved = TinyBert.tensorFlow(temporary.resolve("saved"));
        Path data = saved.resolve("variables").resolve("variables.data-00000-of-00001");
        Files.write(data, Arrays.copyOf(Files.readAllBytes(data), 500));
        assertThatThrownBy(() -> run(saved, PLAIN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is missing");
    }

    @Test
    void aQuantizedGraphIsRejected() throws IOException {
        Path file = TinyBert.vocabulary(source, true).resolve("model.onnx");
        ProtoBytes graph = new ProtoBytes().message(1, TinyBert.node("MatMulInteger", List.of("x", "y"), "z"));
        Files.write(file, new ProtoBytes().message(7, graph).toBytes());
        assertThatThrownBy(() -> run(file, PLAIN)).isInstanceOf(UserError.class).hasMessageContaining("quantized");
    }

    @Test
    void anExistingDirectoryIsNotOverwritten() throws IOException {
        Files.createDirectories(made.path());
        assertThatThrownBy(() -> run(TinyBert.huggingFace(source, name -> name), PLAIN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("already exists");
    }

    @Test
    void aMissingSourceIsReported() {
        assertThatThrownBy(() -> run(source, PLAIN))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("The model does not exist");
    }
}
