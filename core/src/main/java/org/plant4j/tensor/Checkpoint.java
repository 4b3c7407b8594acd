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
 * Named float32 tensors in a safetensors file: an 8-byte length, a JSON header with type, shape and place of each
 * tensor, then the numbers, little-endian. Python's safetensors reads it.
 */
public final class Checkpoint {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String METADATA = "__metadata__";
    private static final int PIECE = 1 << 26; // bytes moved at once
    private static final int LONGEST_HEADER = 100_000_000; // the format's own limit

    private Checkpoint() {}

    public static void write(Path file, Map<String, Tensor> tensors) {
        write(file, tensors, Map.of());
    }

    /** With a few words of text beside the tensors. */
    public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) {
        ObjectNode header = JSON.createObjectNode();
        ObjectNode notes = header.putObject(METADATA).put("format", "pt");
        new TreeMap<>(metadata).forEach(notes::put);
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
            int padding = Math.floorMod(-json.length, 8); // keeps the numbers aligned
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
            for (ByteBuffer piece : pieces(local)) {
                write(channel, piece);
            }
        }
    }

    /** The memory of a contiguous tensor, in buffers that an int can count. */
    private static List<ByteBuffer> pieces(Tensor tensor) {
        BytePointer memory = new BytePointer(tensor.data_ptr());
        long bytes = tensor.nbytes();
        List<ByteBuffer> pieces = new ArrayList<>();
        for (long start = 0; start < bytes; start += PIECE) {
            pieces.add(
                    memory.limit(Math.min(bytes, start + PIECE)).position(start).asByteBuffer());
        }
        return pieces;
    }

    /** Fills the given tensors from the file and returns its metadata; names and shapes must agree on both sides. */
    public static Map<String, String> read(Path file, Map<String, Tensor> into) {
        return open(file, (channel, header, start) -> {
            agree(file, header, into);
            placed(file, header, into, channel.size() - start);
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
                    .forEach(note -> metadata.put(note.getKey(), note.getValue().asText()));
            return metadata;
        });
    }

    /** The tensors of any file whose names are wanted, on the CPU and in float32; they belong to the open scope. */
    public static Map<String, Tensor> readMatching(Path file, Predicate<String> wanted) {
        return open(file, (channel, header, start) -> {
            Map<String, Tensor> picked = new TreeMap<>();
            for (Map.Entry<String, JsonNode> entry : header.properties()) {
                if (!entry.getKey().equals(METADATA) && wanted.test(entry.getKey())) {
                    JsonNode node = entry.getValue();
                    Tensor local = empty(file, entry.getKey(), node);
                    placed(file, header, Map.of(entry.getKey(), local), channel.size() - start);
                    fill(channel, start, node, local, file);
                    picked.put(entry.getKey(), local.to(torch.ScalarType.Float));
                }
            }
            return picked;
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
                        "Tensor " + name + " is of type " + node.path("dtype").asText(),
                        file.toString(),
                        "convert it to F32, F16 or BF16");
        };
        return torch.empty(shape, new TensorOptions(type), new MemoryFormatOptional());
    }

    /** Something to do with an open file: its channel, its header, and where its numbers start. */
    private interface Reading<T> {
        T read(FileChannel channel, JsonNode header, long start) throws IOException;
    }

    private static <T> T open(Path file, Reading<T> reading) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            fill(channel, length, file);
            long headerLength = length.flip().getLong();
            if (headerLength < 2 || headerLength > LONGEST_HEADER || headerLength + 8 > channel.size()) {
                throw damaged(file, "its header is cut off");
            }
            ByteBuffer json = ByteBuffer.allocate((int) headerLength);
            fill(channel, json, file);
            JsonNode header = JSON.readTree(new String(json.array(), StandardCharsets.UTF_8));
            return reading.read(channel, header, 8 + headerLength);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "There are no weights", file.toString(), "train the run first: plant run EXPERIMENT", e);
        } catch (JsonProcessingException e) {
            throw damaged(file, "its header is not JSON");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static void agree(Path file, JsonNode header, Map<String, Tensor> into) {
        TreeSet<String> found = new TreeSet<>();
        header.fieldNames().forEachRemaining(found::add);
        found.remove(METADATA);
        if (!found.equals(into.keySet())) {
            String first = Stream.concat(
                            into.keySet().stream().filter(name -> !found.contains(name)),
                            found.stream().filter(name -> !into.containsKey(name)))
                    .findFirst()
                    .orElseThrow();
            String side = found.contains(first) ? " is in the file only" : " is missing";
            throw new UserError(
                    "The weights are of another model: " + first + side,
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

    /** Looks at every place before a number is read, so that a file cut off leaves the tensors as they were. */
    private static void placed(Path file, JsonNode header, Map<String, Tensor> into, long size) {
        into.forEach((name, tensor) -> {
            JsonNode offsets = header.get(name).path("data_offsets");
            long start = offsets.path(0).asLong(-1);
            long end = offsets.path(1).asLong(-1);
            if (start < 0 || end - start != tensor.nbytes()) {
                throw damaged(file, "its header misplaces tensor " + name);
            }
            if (end > size) {
                throw damaged(file, "it ends too early");
            }
        });
    }

    private static void fill(FileChannel channel, long start, JsonNode node, Tensor tensor, Path file)
            throws IOException {
        channel.position(start + node.get("data_offsets").get(0).asLong());
        for (ByteBuffer piece : pieces(tensor)) {
            fill(channel, piece, file);
        }
    }

    private static void fill(FileChannel channel, ByteBuffer buffer, Path file) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw damaged(file, "it ends too early");
            }
        }
    }

    private static UserError damaged(Path file, String how) {
        return new UserError("This is not a whole safetensors file: " + how, file.toString(), "copy or train it again");
    }
}
