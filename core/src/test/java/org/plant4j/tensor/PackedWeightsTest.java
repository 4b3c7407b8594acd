package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.plant4j.tensor.Golden.values;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;

class PackedWeightsTest {

    @TempDir
    Path directory;

    private PointerScope scope;

    @BeforeEach
    void openScope() {
        scope = new PointerScope();
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    /** Row scales 2.54 / 127 = 0.02 and 1 / 127: 0.031 is 1.55 scales, rounded to 2. The third row is zero. */
    private Path packed() {
        return packed(PackedWeights.BITS);
    }

    private Path packed(int bits) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        tensors.put("matrix", Tensor.create(new float[] {2.54f, -1.274f, 0.031f, -1, 0.4985f, 0, 0, 0, 0}, 3, 3));
        tensors.put("bias", Tensor.create(0.1f, -300f));
        Path file = directory.resolve("weights.safetensors");
        Checkpoint.write(file, tensors);
        PackedWeights.pack(file, bits);
        return file;
    }

    @Test
    void rowsAreRestoredWithinHalfAScaleAndVectorsExactly() {
        Map<String, Tensor> read = Map.of("matrix", torch.zeros(3, 3), "bias", torch.zeros(2));
        Checkpoint.read(packed(), read);
        assertThat(values(read, "matrix"))
                .containsExactly(new double[] {2.54, -1.28, 0.04, -1, 63 / 127.0, 0, 0, 0, 0}, within(1e-6));
        assertThat(values(read, "bias")).containsExactly(0.1f, -300);
        assertThat(values(Checkpoint.readMatching(packed(), name -> true), "matrix"))
                .containsExactly(values(read, "matrix"));
    }

    /** Row scales 2.54 / 7 and 1 / 7: -1.274 is -3.51 scales. */
    @Test
    void fewerBitsMakeLargerSteps() {
        assertThat(values(Checkpoint.readMatching(packed(4), name -> true), "matrix"))
                .containsExactly(new double[] {2.54, -4 * 2.54 / 7, 0, -1, 3 / 7.0, 0, 0, 0, 0}, within(1e-6));
        assertThatThrownBy(() -> packed(3)).hasMessage("bits: 3 (expected: 4 to 8)");
    }

    /** 9 bytes of int8, 3 scales, 2 floats. */
    @Test
    void aMatrixTakesOneBytePerWeight() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(packed())).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(bytes.remaining() - Long.BYTES - bytes.getLong()).isEqualTo(9 + 3 * 4 + 2 * 4);
    }

    @Test
    void aMatrixWithoutAScaleForEachRowIsAUserError() throws IOException {
        String header = "{\"a\":{\"dtype\":\"I8\",\"shape\":[2,2],\"data_offsets\":[0,4]},"
                + "\"a@scales\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}";
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(8 + json.length + 8).order(ByteOrder.LITTLE_ENDIAN);
        Path file = Files.write(
                directory.resolve("damaged.safetensors"),
                bytes.putLong(json.length).put(json).array());
        assertThatThrownBy(() -> Checkpoint.read(file, Map.of("a", torch.zeros(2, 2))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("tensor a has no scale for each row");
    }
}
