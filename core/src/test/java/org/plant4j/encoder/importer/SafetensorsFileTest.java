package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.encoder.importer.SafetensorsFile.RowSelection;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Golden;

class SafetensorsFileTest {

    @TempDir
    Path directory;

    private Path file(String type, int rows, int columns, byte[] data) throws IOException {
        String header = "{\"w\":{\"dtype\":\"" + type + "\",\"shape\":[" + rows + "," + columns
                + "],\"data_offsets\":[0," + data.length + "]}}";
        return TinyBert.file(directory.resolve("model.safetensors"), header, data);
    }

    private static StoredTensor tensor(Path file) {
        return Objects.requireNonNull(SafetensorsFile.read(file).get("w"));
    }

    private static List<Float> numbers(StoredTensor tensor, List<Integer> rows) throws IOException {
        List<Float> numbers = new ArrayList<>();
        tensor.readRows(rows, row -> {
            for (float number : row) {
                numbers.add(number);
            }
        });
        return numbers;
    }

    @Test
    void halfPrecisionIsConverted() throws IOException {
        // 1.5, the smallest positive number, −2, infinity: struct.unpack('<4e', bytes)
        byte[] data = {0, 0x3e, 1, 0, 0, (byte) 0xc0, 0, 0x7c};
        assertThat(numbers(tensor(file("F16", 2, 2, data)), List.of(0, 1)))
                .containsExactly(1.5f, 0x1p-24f, -2f, Float.POSITIVE_INFINITY);
    }

    @Test
    void bfloat16IsConverted() throws IOException {
        byte[] data = {(byte) 0xc0, 0x3f, (byte) 0x80, (byte) 0xbf};
        assertThat(numbers(tensor(file("BF16", 1, 2, data)), List.of(0))).containsExactly(1.5f, -1f);
    }

    @Test
    void aTransposedMatrixIsReadByColumns() throws IOException {
        Path file = file("F32", 2, 3, ProtoBytes.floats(List.of(1f, 2f, 3f, 4f, 5f, 6f)));
        StoredTensor transposed = tensor(file).transpose();
        assertThat(transposed.shape()).containsExactly(3, 2);
        assertThat(numbers(transposed, List.of(2, 0))).containsExactly(3f, 6f, 1f, 4f);
    }

    @Test
    void selectedRowsAreWrittenInOrderAndReadByLibtorch() throws IOException {
        Path file = file("F32", 3, 2, ProtoBytes.floats(List.of(1f, 2f, 3f, 4f, 5f, 6f)));
        Path written = directory.resolve("weights.safetensors");
        SafetensorsFile.write(written, Map.of("w", new RowSelection(tensor(file), List.of(2, 0))), Precision.FLOAT32);
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> read = Checkpoint.readMatching(written, name -> true);
            assertThat(Golden.tensor(read, "w").shape()).containsExactly(2, 2);
            assertThat(Golden.values(read, "w")).containsExactly(5, 6, 1, 2);
        }
    }

    @Test
    void bfloat16RoundsToNearestEven() throws IOException {
        float below = Float.intBitsToFloat(0x3f808000); // between 3f80 and 3f81
        float above = Float.intBitsToFloat(0x3f818000); // between 3f81 and 3f82
        float nearly = Float.intBitsToFloat(0x3f808001);
        Path file = file("F32", 1, 4, ProtoBytes.floats(List.of(below, above, nearly, -below)));
        Path written = directory.resolve("weights.safetensors");
        SafetensorsFile.write(written, Map.of("w", new RowSelection(tensor(file), List.of(0))), Precision.BFLOAT16);
        assertThat(numbers(tensor(written), List.of(0)))
                .containsExactly(1f, Float.intBitsToFloat(0x3f820000), Float.intBitsToFloat(0x3f810000), -1f);
    }

    @Test
    void aTruncatedFileIsAUserError() throws IOException {
        Path file = file("F32", 3, 2, ProtoBytes.floats(List.of(1f, 2f, 3f, 4f, 5f, 6f)));
        byte[] whole = Files.readAllBytes(file);
        for (int length : List.of(0, 4, 30, whole.length - 1)) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> SafetensorsFile.read(file))
                    .as("%d bytes", length)
                    .isInstanceOf(UserError.class);
        }
    }

    @Test
    void aQuantizedTensorIsNamed() throws IOException {
        Path file = file("U8", 1, 2, new byte[2]);
        assertThatThrownBy(() -> SafetensorsFile.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Tensor w has unsupported type U8");
    }
}
