package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Precision;
import org.plant4j.UserError;

/**
 * The files were written by PyTorch:
 *
 * <pre>
 * a = torch.arange(6, dtype=torch.float32).reshape(2, 3)
 * sd = OrderedDict([("a", a), ("t", a.t()), ("h", torch.tensor([0.5, -2.0]).half()), ("b", torch.tensor([1.5]).bfloat16()),
 *     ("ids", torch.arange(4)), ("view", torch.arange(10.)[4:6])])
 * torch.save(sd, "new.bin"); torch.save(sd, "old.bin", _use_new_zipfile_serialization=False)
 * torch.save({"model": {"w": torch.nn.Parameter(torch.tensor([3.0]))}, "opt": {"lr": 0.1}}, "learner.pth")
 * class Evil:
 *     def __reduce__(self): return (os.system, ("touch …",))
 * torch.save({"a": Evil()}, "evil.bin"); pickle.dump(Evil(), open("evil.pkl", "wb"), protocol=2)
 * pickle.dump(["xxunk", "xxpad", "the", "ñandú"], open("itos.pkl", "wb"), protocol=2)
 * </pre>
 */
class TorchCheckpointTest {

    @TempDir
    private Path directory;

    @Test
    void tensorsOfZipFilesAndOfOlderFilesAreRead() throws IOException {
        for (String name : List.of("new.bin", "old.bin")) {
            Map<String, StoredTensor> tensors = TorchCheckpoint.read(file(name));
            assertThat(tensors).containsOnlyKeys("a", "t", "h", "b", "view");
            assertThat(numbers(tensors, "a")).containsExactly(0f, 1f, 2f, 3f, 4f, 5f);
            assertThat(Objects.requireNonNull(tensors.get("t")).shape()).containsExactly(3, 2);
            assertThat(numbers(tensors, "t")).containsExactly(0f, 3f, 1f, 4f, 2f, 5f);
            assertThat(numbers(tensors, "h")).containsExactly(0.5f, -2f);
            assertThat(numbers(tensors, "b")).containsExactly(1.5f);
            assertThat(numbers(tensors, "view")).containsExactly(4f, 5f);
        }
    }

    @Test
    void theWeightsOfALearnerAreRead() throws IOException {
        assertThat(numbers(TorchCheckpoint.read(file("learner.pth")), "w")).containsExactly(3f);
    }

    @Test
    void aPickleThatCallsAFunctionIsRefused() throws IOException {
        assertThatThrownBy(() -> TorchCheckpoint.read(file("evil.bin")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("system")
                .hasMessageContaining("refused");
        try (InputStream in = Files.newInputStream(file("evil.pkl"))) {
            assertThatThrownBy(() -> new PickleReader(in, "evil.pkl").read()).hasMessageContaining("refused");
        }
    }

    @Test
    void damagedFilesAreUserErrors() throws IOException {
        Random random = new Random(5);
        for (String name : List.of("new.bin", "old.bin")) {
            byte[] whole = Files.readAllBytes(file(name));
            for (int i = 0; i < 300; i++) {
                byte[] damaged =
                        random.nextBoolean() ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
                for (int flip = 0; flip < 3 && damaged.length > 0; flip++) {
                    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                }
                Path file = directory.resolve("damaged.bin");
                Files.write(file, damaged);
                try {
                    TorchCheckpoint.read(file); // a flipped bit within a number is not noticed
                } catch (UserError expected) {
                    assertThat(expected.where()).contains("damaged.bin");
                }
            }
        }
    }

    @Test
    void aLanguageModelIsImportedWithItsVocabulary() throws IOException {
        file("itos.pkl");
        LanguageModelImporter.ImportResult imported =
                LanguageModelImporter.run(file("learner.pth"), directory.resolve("wiki"), Precision.FLOAT32);
        assertThat(imported).isEqualTo(new LanguageModelImporter.ImportResult(1, 4));
        assertThat(directory.resolve("wiki/words.txt")).hasContent("xxunk\nxxpad\nthe\nñandú");
        Map<String, StoredTensor> written = SafetensorsFile.read(directory.resolve("wiki/weights.safetensors"));
        assertThat(numbers(written, "w")).containsExactly(3f);
    }

    private Path file(String name) throws IOException {
        Path copy = directory.resolve(name);
        if (!Files.exists(copy)) {
            try (InputStream in = TorchCheckpointTest.class.getResourceAsStream(name)) {
                Files.copy(in, copy);
            }
        }
        return copy;
    }

    private static List<Float> numbers(Map<String, StoredTensor> tensors, String name) throws IOException {
        return numbers(Objects.requireNonNull(tensors.get(name)));
    }

    private static List<Float> numbers(StoredTensor tensor) throws IOException {
        List<Float> numbers = new ArrayList<>();
        tensor.readRows(IntStream.range(0, tensor.rows()).boxed().toList(), row -> {
            for (float number : row) {
                numbers.add(number);
            }
        });
        return numbers;
    }
}
