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
 * Safetensors files without libtorch: places of tensors are read, and rows are written as they come, so that a model
 * far larger than the heap passes through.
 */
public final class SafetensorsFile {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String METADATA = "__metadata__";
    private static final int LONGEST_HEADER = 100_000_000; // the format's own limit

    private SafetensorsFile() {}

    /** The rows of a stored tensor that are kept, in their new order. */
    public record RowSelection(StoredTensor tensor, List<Integer> rows) {

        public RowSelection {
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

    /** Places of all tensors of the file, by name. */
    static Map<String, StoredTensor> read(Path file) {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            long size = Files.size(file);
            long length = size < 8 ? 0 : Long.reverseBytes(in.readLong());
            if (length < 2 || length > LONGEST_HEADER || length + 8 > size) {
                throw damaged(file, "its header is cut off");
            }
            JsonNode header = JSON.readTree(new String(in.readNBytes((int) length), StandardCharsets.UTF_8));
            Map<String, StoredTensor> tensors = new TreeMap<>();
            for (Map.Entry<String, JsonNode> entry : header.properties()) {
                String type = entry.getValue().path("dtype").asText();
                if (!entry.getKey().equals(METADATA) && !type.startsWith("I")) { // position numbers need no place
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
        node.path("shape").forEach(side -> shape.add(side.asInt()));
        long from = node.path("data_offsets").path(0).asLong(-1);
        long to = node.path("data_offsets").path(1).asLong(-1);
        StoredTensor tensor = new StoredTensor(file, start + from, type, shape, false);
        if (from < 0 || to - from != tensor.elementCount() * type.bytes) {
            throw damaged(file, "its header misplaces tensor " + name);
        }
        if (tensor.endOffset() > size) {
            throw damaged(file, "it ends too early");
        }
        return tensor;
    }

    /** Writes tensors in the map's order. */
    static void write(Path file, Map<String, RowSelection> tensors, Precision precision) {
        int width = precision == Precision.BFLOAT16 ? Short.BYTES : Float.BYTES;
        ObjectNode header = JSON.createObjectNode();
        header.putObject(METADATA).put("format", "pt");
        long end = 0;
        for (Map.Entry<String, RowSelection> entry : tensors.entrySet()) {
            long bytes = entry.getValue().elementCount() * width;
            ObjectNode node = header.putObject(entry.getKey());
            node.put("dtype", precision == Precision.BFLOAT16 ? "BF16" : "F32");
            entry.getValue().shape().forEach(node.putArray("shape")::add);
            node.putArray("data_offsets").add(end).add(end + bytes);
            end += bytes;
        }
        AtomicFile.write(file, draft -> {
            byte[] json = JSON.writeValueAsBytes(header);
            byte[] padding = " ".repeat(Math.floorMod(-json.length, 8)).getBytes(StandardCharsets.UTF_8);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draft), 1 << 20)) {
                out.write(ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(json.length + padding.length)
                        .array());
                out.write(json);
                out.write(padding);
                for (RowSelection selection : tensors.values()) {
                    selection.tensor().rows(selection.rows(), row -> out.write(bytes(row, width)));
                }
            }
        });
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

    /** Rounds to the nearest, and between two to the even one; weights are never NaN. */
    private static short bfloat16(float number) {
        int bits = Float.floatToRawIntBits(number);
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }

    private static UserError damaged(Path file, String how) {
        return new UserError(
                "This is not a whole safetensors file: " + how, file.toString(), "copy or download it again");
    }
}
