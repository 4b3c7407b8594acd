package org.plant4j.tensor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.UserError;

/**
 * Reads and writes named float32 tensors as a safetensors file: an 8-byte header length, a JSON header with the type, shape
 * and offsets of each tensor, then the little-endian data.
 */
public final class Checkpoint {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String METADATA = "__metadata__";
    private static final int CHUNK = 1 << 26; // bytes copied at a time
    private static final int MAX_HEADER = 100_000_000; // the limit of the format

    private Checkpoint() {}

    public static void write(Path file, Map<String, Tensor> tensors) {
        write(file, tensors, Map.of());
    }

    /** Writes tensors and text metadata. */
    public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) {
        ObjectNode header = JSON.createObjectNode();
        ObjectNode metadataNode = header.putObject(METADATA).put("format", "pt");
        new TreeMap<>(metadata).forEach(metadataNode::put);
        long end = 0;
        for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
            long bytes = entry.getValue().numel() * Float.BYTES;
            ObjectNode node = header.putObject(entry.getKey());
            node.put("dtype", "F32");
            Arrays.stream(entry.getValue().shape()).forEach(node.putArray("shape")::add);
            node.putArray("data_offsets").add(end).add(end + bytes);
            end += bytes;
        }
        AtomicFile.write(file, draft -> {
            byte[] json = JSON.writeValueAsBytes(header);
            int padding = Math.floorMod(-json.length, 8); // aligns the data
            try (FileChannel channel = FileChannel.open(
                    draft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer head = ByteBuffer.allocate(8 + json.length + padding).order(ByteOrder.LITTLE_ENDIAN);
                head.putLong(json.length + padding).put(json);
                while (head.hasRemaining()) {
                    head.put((byte) ' ');
                }
                write(channel, head.flip());
                for (Tensor tensor : tensors.values()) {
                    write(channel, tensor);
                }
                channel.force(true);
            }
        });
    }

    private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void write(FileChannel channel, Tensor tensor) throws IOException {
        try (PointerScope scope = new PointerScope()) {
            Tensor local = tensor.detach().to(torch.ScalarType.Float).cpu().contiguous();
            for (ByteBuffer chunk : chunks(local)) {
                write(channel, chunk);
            }
        }
    }

    /** The memory of a contiguous tensor as buffers of at most {@link #CHUNK} bytes. */
    private static List<ByteBuffer> chunks(Tensor tensor) {
        BytePointer memory = new BytePointer(tensor.data_ptr());
        long bytes = tensor.nbytes();
        List<ByteBuffer> chunks = new ArrayList<>();
        for (long start = 0; start < bytes; start += CHUNK) {
            chunks.add(
                    memory.limit(Math.min(bytes, start + CHUNK)).position(start).asByteBuffer());
        }
        return chunks;
    }

    /** Reads the file into these tensors and returns its metadata; names and shapes must match exactly. */
    public static Map<String, String> read(Path file, Map<String, Tensor> into) {
        return open(file, (channel, header, start) -> {
            checkNamesAndShapes(file, header, into);
            checkOffsets(file, header, into, channel.size() - start);
            try (PointerScope scope = new PointerScope();
                    NoGradGuard noGrad = new NoGradGuard()) {
                for (Map.Entry<String, Tensor> entry : into.entrySet()) {
                    Tensor local = torch.empty(entry.getValue().shape());
                    fill(channel, start, header.get(entry.getKey()), local, file);
                    entry.getValue().copy_(local);
                }
            }
            Map<String, String> metadata = new TreeMap<>();
            header.path(METADATA)
                    .properties()
                    .forEach(entry ->
                            metadata.put(entry.getKey(), entry.getValue().asText()));
            return metadata;
        });
    }

    /** Reads the tensors whose names match, on the CPU and in float32; they belong to the open scope. */
    public static Map<String, Tensor> readMatching(Path file, Predicate<String> filter) {
        return open(file, (channel, header, start) -> {
            Map<String, Tensor> tensors = new TreeMap<>();
            for (Map.Entry<String, JsonNode> entry : header.properties()) {
                if (!entry.getKey().equals(METADATA) && filter.test(entry.getKey())) {
                    JsonNode node = entry.getValue();
                    Tensor local = empty(file, entry.getKey(), node);
                    checkOffsets(file, header, Map.of(entry.getKey(), local), channel.size() - start);
                    fill(channel, start, node, local, file);
                    tensors.put(entry.getKey(), local.to(torch.ScalarType.Float));
                }
            }
            return tensors;
        });
    }

    private static Tensor empty(Path file, String name, JsonNode node) {
        long[] shape = new long[node.path("shape").size()];
        Arrays.setAll(shape, i -> node.path("shape").path(i).asLong());
        torch.ScalarType type = switch (node.path("dtype").asText()) {
            case "F32" -> torch.ScalarType.Float;
            case "F16" -> torch.ScalarType.Half;
            case "BF16" -> torch.ScalarType.BFloat16;
            default ->
                throw new UserError(
                        "Tensor " + name + " has unsupported type "
                                + node.path("dtype").asText(),
                        file.toString(),
                        "convert it to F32, F16 or BF16");
        };
        return torch.empty(shape, new TensorOptions(type), new MemoryFormatOptional());
    }

    /** Reads from an open file, given its header and the offset of its data. */
    private interface Reader<T> {
        T read(FileChannel channel, JsonNode header, long start) throws IOException;
    }

    private static <T> T open(Path file, Reader<T> reader) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            fill(channel, length, file);
            long headerLength = length.flip().getLong();
            if (headerLength < 2 || headerLength > MAX_HEADER || headerLength + 8 > channel.size()) {
                throw damaged(file, "its header is truncated");
            }
            ByteBuffer json = ByteBuffer.allocate((int) headerLength);
            fill(channel, json, file);
            JsonNode header = JSON.readTree(new String(json.array(), StandardCharsets.UTF_8));
            return reader.read(channel, header, 8 + headerLength);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The weights are missing", file.toString(), "train the run first: plant run EXPERIMENT", e);
        } catch (JsonProcessingException e) {
            throw damaged(file, "its header is not JSON");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static void checkNamesAndShapes(Path file, JsonNode header, Map<String, Tensor> into) {
        TreeSet<String> found = new TreeSet<>();
        header.fieldNames().forEachRemaining(found::add);
        found.remove(METADATA);
        if (!found.equals(into.keySet())) {
            String first = Stream.concat(
                            into.keySet().stream().filter(name -> !found.contains(name)),
                            found.stream().filter(name -> !into.containsKey(name)))
                    .findFirst()
                    .orElseThrow();
            String side = found.contains(first) ? " is only in the file" : " is missing";
            throw new UserError(
                    "The weights belong to another model: " + first + side,
                    file.toString(),
                    "use the experiment file that the weights were trained with");
        }
        into.forEach((name, tensor) -> {
            JsonNode node = header.get(name);
            String shape = node.path("shape").toString();
            String expected = Arrays.toString(tensor.shape()).replace(" ", "");
            if (!shape.equals(expected) || !node.path("dtype").asText().equals("F32")) {
                throw new UserError(
                        "Tensor " + name + " is " + node.path("dtype").asText() + shape + " in the file and F32"
                                + expected + " in the model",
                        file.toString(),
                        "use the experiment file, vocabulary and labels that the weights were trained with");
            }
        });
    }

    /** Checks all offsets before reading data, so that a truncated file leaves the tensors unchanged. */
    private static void checkOffsets(Path file, JsonNode header, Map<String, Tensor> into, long size) {
        into.forEach((name, tensor) -> {
            JsonNode offsets = header.get(name).path("data_offsets");
            long start = offsets.path(0).asLong(-1);
            long end = offsets.path(1).asLong(-1);
            if (start < 0 || end - start != tensor.nbytes()) {
                throw damaged(file, "its header has wrong offsets for tensor " + name);
            }
            if (end > size) {
                throw damaged(file, "it is truncated");
            }
        });
    }

    private static void fill(FileChannel channel, long start, JsonNode node, Tensor tensor, Path file)
            throws IOException {
        channel.position(start + node.get("data_offsets").get(0).asLong());
        for (ByteBuffer chunk : chunks(tensor)) {
            fill(channel, chunk, file);
        }
    }

    private static void fill(FileChannel channel, ByteBuffer buffer, Path file) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw damaged(file, "it is truncated");
            }
        }
    }

    private static UserError damaged(Path file, String how) {
        return new UserError("Not a complete safetensors file: " + how, file.toString(), "copy or train it again");
    }
}
