package org.plant4j.encoder.importer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Precision;

/**
 * Reads the positions of tensors in a safetensors file and writes one row by row, without libtorch, so that models larger
 * than the heap can be copied.
 */
final class SafetensorsFile {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String METADATA = "__metadata__";
    private static final int MAX_HEADER = 100_000_000; // the limit of the format

    private SafetensorsFile() {}

    /** Rows of a stored tensor, in their new order. */
    record RowSelection(StoredTensor tensor, List<Integer> rows) {

        RowSelection {
            rows = List.copyOf(rows);
        }

        List<Integer> shape() {
            List<Integer> shape = new ArrayList<>(tensor.shape());
            if (!shape.isEmpty()) {
                shape.set(0, rows.size());
            }
            return shape;
        }

        long elementCount() {
            return StoredTensor.elementCount(shape());
        }
    }

    /** Reads the positions of all tensors, by name. */
    static Map<String, StoredTensor> read(Path file) {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            long size = Files.size(file);
            long length = size < 8 ? 0 : Long.reverseBytes(in.readLong());
            if (length < 2 || length > MAX_HEADER || length + 8 > size) {
                throw damaged(file, "its header is truncated");
            }
            JsonNode header = JSON.readTree(new String(in.readNBytes((int) length), StandardCharsets.UTF_8));
            Map<String, StoredTensor> tensors = new TreeMap<>();
            for (Map.Entry<String, JsonNode> entry : header.properties()) {
                String type = entry.getValue().path("dtype").asText();
                if (!entry.getKey().equals(METADATA)
                        && !type.startsWith("I")) { // integer tensors hold position ids, which are not needed
                    tensors.put(entry.getKey(), tensor(file, entry.getKey(), entry.getValue(), 8 + length, size));
                }
            }
            return tensors;
        } catch (JsonProcessingException e) {
            throw damaged(file, "its header is not JSON");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static StoredTensor tensor(Path file, String name, JsonNode node, long start, long size) {
        StoredTensor.DataType type = switch (node.path("dtype").asText()) {
            case "F32" -> StoredTensor.DataType.F32;
            case "F16" -> StoredTensor.DataType.F16;
            case "BF16" -> StoredTensor.DataType.BF16;
            default -> throw StoredTensor.unsupported(name, node.path("dtype").asText(), file);
        };
        List<Integer> shape = new ArrayList<>();
        node.path("shape").forEach(dimension -> shape.add(dimension.asInt()));
        long from = node.path("data_offsets").path(0).asLong(-1);
        long to = node.path("data_offsets").path(1).asLong(-1);
        StoredTensor tensor = new StoredTensor(file, start + from, type, shape, false);
        if (from < 0 || to - from != tensor.elementCount() * type.bytes) {
            throw damaged(file, "its header has wrong offsets for tensor " + name);
        }
        if (tensor.endOffset() > size) {
            throw damaged(file, "it is truncated");
        }
        return tensor;
    }

    /** Writes tensors in the order of the map. */
    static void write(Path file, Map<String, RowSelection> tensors, Precision precision) {
        int width = precision == Precision.BFLOAT16 ? Short.BYTES : Float.BYTES;
        byte[] header = header(tensors, precision == Precision.BFLOAT16 ? "BF16" : "F32", width);
        AtomicFile.write(file, temporary -> {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 20)) {
                out.write(ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(header.length)
                        .array());
                out.write(header);
                for (RowSelection selection : tensors.values()) {
                    selection.tensor().readRows(selection.rows(), row -> out.write(bytes(row, width)));
                }
            }
        });
    }

    /** The JSON header, padded with spaces so that the data is aligned. */
    private static byte[] header(Map<String, RowSelection> tensors, String type, int width) {
        ObjectNode header = JSON.createObjectNode();
        header.putObject(METADATA).put("format", "pt");
        long end = 0;
        for (Map.Entry<String, RowSelection> entry : tensors.entrySet()) {
            long bytes = entry.getValue().elementCount() * width;
            ObjectNode node = header.putObject(entry.getKey());
            node.put("dtype", type);
            entry.getValue().shape().forEach(node.putArray("shape")::add);
            node.putArray("data_offsets").add(end).add(end + bytes);
            end += bytes;
        }
        String json = header.toString();
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        return (json + " ".repeat(Math.floorMod(-length, 8))).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(float[] row, int width) {
        ByteBuffer bytes = ByteBuffer.allocate(row.length * width).order(ByteOrder.LITTLE_ENDIAN);
        if (width == Float.BYTES) {
            bytes.asFloatBuffer().put(row);
        } else {
            for (float number : row) {
                bytes.putShort(bfloat16(number));
            }
        }
        return bytes.array();
    }

    /** Rounds to nearest, ties to even; weights are never NaN. */
    private static short bfloat16(float number) {
        int bits = Float.floatToRawIntBits(number);
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }

    private static UserError damaged(Path file, String why) {
        return new UserError("Not a complete safetensors file: " + why, file.toString(), "copy or download it again");
    }
}
