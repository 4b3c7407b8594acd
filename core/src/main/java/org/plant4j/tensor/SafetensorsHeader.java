package org.plant4j.tensor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.plant4j.UserError;
import org.plant4j.support.StrictJson;

/**
 * The header of a safetensors file. The file has an 8-byte header length, a JSON header with the type, shape and data offsets
 * of each tensor, then the data, all little-endian. This class does not use libtorch.
 */
public final class SafetensorsHeader {

    private static final ObjectMapper JSON = StrictJson.builder().build();
    private static final String METADATA = "__metadata__";
    private static final int MAX_LENGTH = 100_000_000; // the limit of the format

    /** Type, shape and position of a tensor; offsets are from the start of the file. */
    public record Entry(String type, List<Long> shape, long start, long end) {

        public Entry {
            shape = List.copyOf(shape);
        }
    }

    /** Type and shape of a tensor to write. */
    public record Layout(String type, List<Long> shape) {

        public Layout {
            shape = List.copyOf(shape);
        }
    }

    private final Map<String, Entry> tensors = new LinkedHashMap<>();
    private final Map<String, String> metadata = new TreeMap<>();
    private final int dataStart;

    private SafetensorsHeader(int dataStart) {
        this.dataStart = dataStart;
    }

    /** The number of bytes before the data of the tensors. */
    int dataStart() {
        return dataStart;
    }

    public Map<String, Entry> tensors() {
        return Collections.unmodifiableMap(tensors);
    }

    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    /** Reads the header at the start of the channel and checks that the positions of all tensors are valid. */
    public static SafetensorsHeader read(FileChannel channel, Path file) throws IOException {
        long size = channel.size();
        long length = size < Long.BYTES ? 0 : readFully(channel, Long.BYTES).getLong();
        if (length < 2 || length > MAX_LENGTH || Long.BYTES + length > size) {
            throw invalid(file, "its header is truncated");
        }
        SafetensorsHeader header = new SafetensorsHeader(Long.BYTES + (int) length);
        try {
            String json = StandardCharsets.UTF_8
                    .decode(readFully(channel, (int) length))
                    .toString();
            if (!(JSON.readTree(json) instanceof ObjectNode object)) {
                throw invalid(file, "its header is not a JSON object");
            }
            for (Map.Entry<String, JsonNode> node : object.properties()) {
                if (node.getKey().equals(METADATA)) {
                    node.getValue()
                            .properties()
                            .forEach(item -> header.metadata.put(
                                    item.getKey(), item.getValue().asText()));
                } else {
                    header.tensors.put(node.getKey(), header.entry(file, node.getKey(), node.getValue(), size));
                }
            }
        } catch (JsonProcessingException e) {
            throw invalid(file, "its header is not JSON");
        }
        return header;
    }

    private static ByteBuffer readFully(FileChannel channel, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // reads until the buffer is full; the caller has checked the size of the file
        }
        return buffer.flip();
    }

    private Entry entry(Path file, String name, JsonNode node, long fileSize) {
        JsonNode offsets = node.path("data_offsets");
        if (offsets.size() != 2
                || !isCounts(offsets)
                || !node.path("shape").isArray()
                || !isCounts(node.path("shape"))) {
            throw invalid(file, "its header has no valid shape and offsets for tensor " + name);
        }
        List<Long> shape = new ArrayList<>();
        node.path("shape").forEach(dimension -> shape.add(dimension.longValue()));
        long start = offsets.path(0).longValue();
        long end = offsets.path(1).longValue();
        Entry entry = new Entry(node.path("dtype").asText(), shape, dataStart + start, dataStart + end);
        long bytes = bytesPerElement(entry.type());
        if (end < start || (bytes > 0 && !isSize(end - start, bytes, shape))) {
            throw invalid(file, "its header has wrong offsets for tensor " + name);
        }
        if (entry.end() > fileSize) {
            throw invalid(file, "it is truncated");
        }
        return entry;
    }

    /** Whether all elements are integers from 0 to the largest file size that can be addressed. */
    private static boolean isCounts(JsonNode numbers) {
        for (JsonNode number : numbers) {
            if (!number.isIntegralNumber()
                    || !number.canConvertToLong()
                    || number.longValue() < 0
                    || number.longValue() > Long.MAX_VALUE / 2) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSize(long size, long bytesPerElement, List<Long> shape) {
        try {
            return Math.multiplyExact(bytesPerElement, elementCount(shape)) == size;
        } catch (ArithmeticException e) {
            return false; // larger than any file
        }
    }

    /** 0 for types that Plant4j does not read. */
    private static int bytesPerElement(String type) {
        return switch (type) {
            case "F32" -> Float.BYTES;
            case "F16", "BF16" -> Short.BYTES;
            case "I8" -> Byte.BYTES;
            default -> 0;
        };
    }

    private static long elementCount(List<Long> shape) {
        return shape.stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
    }

    /** Encodes length and header of tensors that are stored in this order without gaps. */
    public static byte[] encode(Map<String, Layout> tensors, Map<String, String> metadata) {
        ObjectNode header = JSON.createObjectNode();
        ObjectNode metadataNode = header.putObject(METADATA).put("format", "pt");
        new TreeMap<>(metadata).forEach(metadataNode::put);
        long end = 0;
        for (Map.Entry<String, Layout> tensor : tensors.entrySet()) {
            Layout layout = tensor.getValue();
            long start = end;
            end += bytesPerElement(layout.type()) * elementCount(layout.shape());
            ObjectNode node = header.putObject(tensor.getKey()).put("dtype", layout.type());
            layout.shape().forEach(node.putArray("shape")::add);
            node.putArray("data_offsets").add(start).add(end);
        }
        byte[] json = header.toString().getBytes(StandardCharsets.UTF_8);
        int padding = Math.floorMod(-json.length, 8); // aligns the data
        ByteBuffer bytes =
                ByteBuffer.allocate(Long.BYTES + json.length + padding).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(json.length + padding).put(json);
        while (bytes.hasRemaining()) {
            bytes.put((byte) ' ');
        }
        return bytes.array();
    }

    static UserError invalid(Path file, String why) {
        return new UserError(
                "Not a complete safetensors file: " + why, file.toString(), "copy, download or train it again");
    }
}
