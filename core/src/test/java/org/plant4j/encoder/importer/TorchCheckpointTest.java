package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
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

    /** In order: {@code l = []; l.append(l); {l: None}}, the memo of a mark, and {@code l = []; l.append([l])} as the root. */
    @Test
    void valuesThatContainThemselvesAreUserErrors() throws IOException {
        assertThatThrownBy(() -> unpickle("}]q\0h\0aNs.")).hasMessageContaining("the key of a dictionary");
        assertThatThrownBy(() -> unpickle("(q\0h\0.")).hasMessageContaining("a value is missing");
        assertThat(unpickle("]q\0]h\0aa.")).isInstanceOf(List.class);
        byte[] zip = Files.readAllBytes(file("new.bin"));
        byte[] root = "\u0080\u0002]q\0h\0a.".getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(root, 0, zip, indexOf(zip, "\u0080\u0002ccollections"), root.length);
        assertThatThrownBy(() -> TorchCheckpoint.read(Files.write(directory.resolve("self.bin"), zip)))
                .hasMessageContaining("it contains no tensors");
    }

    @Test
    void numbersThatDoNotFitAreNotCut() throws IOException {
        assertThat(unpickle("\u008a\0.")).isEqualTo(0L);
        assertThat(unpickle("\u008a\u0002\0\u00ff.")).isEqualTo(-256L);
        assertThat(unpickle("\u008a\u0009\u0001\0\0\0\0\0\0\0\u0001."))
                .isEqualTo(BigInteger.TWO.pow(64).add(BigInteger.ONE));
    }

    /** The pickle claims 2 · 100 numbers of tensor a; the storage in the zip file has six. */
    @Test
    void aTensorDoesNotEndAfterItsStorageNorAStorageAfterTheFile() throws IOException {
        byte[] zip = Files.readAllBytes(file("new.bin"));
        replace(zip, "K\u0006tq\u0008", "K\u00c8tq\u0008");
        replace(zip, "K\u0002K\u0003\u0086q\t", "K\u0002Kd\u0086q\t");
        replace(zip, "K\u0003K\u0001\u0086q\n", "KdK\u0001\u0086q\n");
        assertThatThrownBy(() -> TorchCheckpoint.read(Files.write(directory.resolve("long.bin"), zip)))
                .hasMessageContaining("the numbers of tensor a are missing");

        byte[] legacy = Files.readAllBytes(file("old.bin"));
        legacy[legacy.length - 31] = 1; // the last storage has 6 + 256 numbers
        assertThatThrownBy(() -> TorchCheckpoint.read(Files.write(directory.resolve("old-long.bin"), legacy)))
                .hasMessageContaining("ends after the file");
    }

    private static Object unpickle(String bytes) throws IOException {
        return new PickleReader(new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)), "test").read();
    }

    private static void replace(byte[] bytes, String from, String to) {
        byte[] replacement = to.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(replacement, 0, bytes, indexOf(bytes, from), replacement.length);
    }

    private static int indexOf(byte[] bytes, String part) {
        int index = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(part);
        assertThat(index).as(part).isNotNegative();
        return index;
    }

    /** 3.0 is 0x40400000; the flipped bit makes it 2.0. */
    @Test
    void aFlippedBitWithinANumberIsAnError() throws IOException {
        byte[] zip = Files.readAllBytes(file("learner.pth"));
        replace(zip, "\0\0@@", "\0\0\0@");
        assertThatThrownBy(() -> TorchCheckpoint.read(Files.write(directory.resolve("flipped.pth"), zip)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("does not match its checksum")
                .hasMessageContaining("flipped.pth!");
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
                    TorchCheckpoint.read(file); // in old files, a flipped bit within a number is not noticed
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
