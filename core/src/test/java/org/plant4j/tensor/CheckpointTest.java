package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.plant4j.tensor.Golden.values;
import static org.plant4j.tensor.Golden.wave;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;

class CheckpointTest {

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

    private static Map<String, Tensor> tensors(long columns) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        tensors.put("encoder.weight", wave(1, 3, columns));
        tensors.put("scalar", Tensor.create(2.5f).reshape());
        tensors.put("bias", wave(2, 5));
        return tensors;
    }

    private static Map<String, Tensor> blanks() {
        Map<String, Tensor> blanks = new LinkedHashMap<>();
        tensors(4).forEach((name, tensor) -> blanks.put(name, torch.zeros_like(tensor)));
        return blanks;
    }

    private Path written() {
        Path file = directory.resolve("weights.safetensors");
        Checkpoint.write(file, tensors(4), Map.of("history", "{\"é\":1}"));
        return file;
    }

    @Test
    void tensorsRoundTripExactly() {
        Map<String, Tensor> read = blanks();
        Map<String, String> metadata = Checkpoint.read(written(), read);
        tensors(4)
                .forEach((name, tensor) ->
                        assertThat(values(read, name)).as(name).containsExactly(values(tensor)));
        assertThat(metadata).isEqualTo(Map.of("format", "pt", "history", "{\"é\":1}"));
        assertThat(directory).isDirectoryContaining("glob:**.safetensors").isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void aStridedTensorIsWrittenRowByRow() {
        Path file = directory.resolve("t.safetensors");
        Checkpoint.write(
                file,
                Map.of("t", Tensor.create(new float[] {1, 2, 3, 4, 5, 6}, 2, 3).t()));
        Map<String, Tensor> read = Map.of("t", torch.zeros(3, 2));
        Checkpoint.read(file, read);
        assertThat(values(read, "t")).containsExactly(1, 4, 2, 5, 3, 6);
    }

    /** A tensor of slightly more than 64 MiB is copied in two chunks. */
    @Test
    void aTensorLargerThanAChunkRoundTripsExactly() {
        Tensor large = torch.arange(new Scalar((1 << 24) + 5)).to(torch.ScalarType.Float);
        Path file = directory.resolve("large.safetensors");
        Checkpoint.write(file, Map.of("large", large));
        Tensor read = torch.zeros_like(large);
        Checkpoint.read(file, Map.of("large", read));
        assertThat(read.equal(large)).isTrue();
    }

    /** The format: u64 length, JSON with dtype, shape and data_offsets, then little-endian data without gaps. */
    @Test
    void bytesFollowTheSafetensorsFormat() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(written())).order(ByteOrder.LITTLE_ENDIAN);
        int length = (int) bytes.getLong();
        assertThat(length % 8).isZero();
        byte[] json = new byte[length];
        bytes.get(json);
        assertThat(json[0]).isEqualTo((byte) '{');
        JsonNode header = new ObjectMapper().readTree(new String(json, StandardCharsets.UTF_8));
        assertThat(header.get("__metadata__").get("format").asText()).isEqualTo("pt");
        assertThat(header.get("encoder.weight"))
                .hasToString("{\"dtype\":\"F32\",\"shape\":[3,4],\"data_offsets\":[0,48]}");
        assertThat(header.get("scalar")).hasToString("{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[48,52]}");
        assertThat(header.get("bias")).hasToString("{\"dtype\":\"F32\",\"shape\":[5],\"data_offsets\":[52,72]}");
        assertThat(bytes.remaining()).isEqualTo(72);
        assertThat(bytes.getFloat()).isEqualTo((float) (0.3 * Math.sin(10)));
        assertThat(bytes.position(8 + length + 48).getFloat()).isEqualTo(2.5f);
    }

    /** As Python's safetensors may write it: keys in another order, no metadata, header without padding. */
    @Test
    void filesOfOtherWritersAreRead() throws IOException {
        String header = "{\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]},"
                + "\"a\":{\"shape\":[2],\"data_offsets\":[0,8],\"dtype\":\"F32\"}}";
        Path file = safetensors(header, 1, 2, 3);
        Map<String, Tensor> read = Map.of("a", torch.zeros(2), "b", torch.zeros(1));
        assertThat(Checkpoint.read(file, read)).isEmpty();
        assertThat(values(read, "a")).containsExactly(1, 2);
        assertThat(values(read, "b")).containsExactly(3);
    }

    private Path safetensors(String header, float... data) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes =
                ByteBuffer.allocate(8 + json.length + 4 * data.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(json.length).put(json);
        for (float value : data) {
            bytes.putFloat(value);
        }
        return Files.write(directory.resolve("foreign.safetensors"), bytes.array());
    }

    /** Truncated in the length, in the header, at the end of the header, in the data, and by one byte. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 8, 100, 336, 400})
    void aTruncatedFileIsAUserErrorAndChangesNoWeight(int kept) throws IOException {
        byte[] whole = Files.readAllBytes(written());
        Path cut = directory.resolve("cut.safetensors");
        Files.write(cut, Arrays.copyOf(whole, Math.min(kept, whole.length - 1)));
        Map<String, Tensor> into = blanks();
        assertUserError(cut, () -> Checkpoint.read(cut, into)).hasMessageContaining("Not a complete safetensors file");
        into.forEach((name, tensor) -> assertThat(values(tensor)).as(name).containsOnly(0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"PK\u0003\u0004 a zip archive of another program", "12345678", "id,text,codes\n1,a,b\n", ""})
    void aFileOfAnotherFormatIsAUserError(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("foreign.bin"), content);
        assertUserError(file, () -> Checkpoint.read(file, blanks()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1,2]",
                "17",
                "{\"a\":1}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-8,0]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[800,808]}}",
                "{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}}",
                "{\"a\":"
            })
    void anInvalidHeaderIsAUserError(String header) throws IOException {
        Path file = safetensors(header, 1, 2);
        assertUserError(file, () -> Checkpoint.read(file, Map.of("a", torch.zeros(2))));
    }

    @Test
    void otherShapesAreAUserErrorWithBothShapes() {
        Path file = directory.resolve("wide.safetensors");
        Checkpoint.write(file, tensors(7));
        assertUserError(file, () -> Checkpoint.read(file, blanks()))
                .hasMessageContaining("encoder.weight")
                .hasMessageContaining("[3, 7]")
                .hasMessageContaining("[3, 4]");
    }

    @Test
    void missingAndSurplusNamesAreAUserError() {
        Path file = written();
        Map<String, Tensor> fewer = blanks();
        fewer.remove("bias");
        assertUserError(file, () -> Checkpoint.read(file, fewer)).hasMessageContaining("bias");
        Map<String, Tensor> more = blanks();
        more.put("head.bias", torch.zeros(1));
        assertUserError(file, () -> Checkpoint.read(file, more)).hasMessageContaining("head.bias");
    }

    @Test
    void aMissingFileIsAUserError() {
        Path file = directory.resolve("none.safetensors");
        assertUserError(file, () -> Checkpoint.read(file, blanks())).hasMessageContaining("weights are missing");
    }

    @Test
    void aFailedWriteLeavesTheOldFile() throws IOException {
        Path file = written();
        byte[] before = Files.readAllBytes(file);
        Files.createDirectory(directory.resolve("weights.safetensors.tmp")); // where the temporary file would be
        assertThatThrownBy(() -> Checkpoint.write(file, tensors(7))).isInstanceOf(UncheckedIOException.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertUserError(Path file, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        UserError.class, error -> assertThat(error.where()).isEqualTo(file.toString()));
    }

    @Test
    void equalTensorsGiveEqualBytes() throws IOException {
        byte[] first = Files.readAllBytes(written());
        assertThat(List.of(Files.readAllBytes(written()))).containsExactly(first);
    }
}
