package org.plant4j.tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.Sha256;

/**
 * Reads and writes named tensors as a safetensors file. Tensors are written as float32, those of {@link PackedWeights} as
 * int8.
 */
public final class Checkpoint {

    private static final int CHUNK = 1 << 26; // bytes copied at a time

    private static final String FLOAT32 = "F32";
    private static final String INT8 = "I8";

    private Checkpoint() {}

    public static void write(Path file, Map<String, Tensor> tensors) {
        write(file, tensors, Map.of());
    }

    /** Writes tensors and text metadata. */
    public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) {
        AtomicFile.write(file, temporary -> write(temporary, tensors, metadata, bytes -> {}));
    }

    /** Writes tensors and text metadata with a checksum, which {@link #readVerified} checks. */
    public static void writeWithChecksum(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) {
        Map<String, String> all = new TreeMap<>(metadata);
        all.put(SafetensorsChecksum.KEY, SafetensorsChecksum.PLACEHOLDER);
        AtomicFile.write(file, temporary -> {
            MessageDigest digest = Sha256.newDigest();
            byte[] header = write(temporary, tensors, all, digest::update);
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                channel.position(SafetensorsChecksum.position(header, SafetensorsChecksum.PLACEHOLDER));
                write(channel, ByteBuffer.wrap(Sha256.hex(digest).getBytes(StandardCharsets.US_ASCII)));
            }
        });
    }

    /** Returns the bytes before the data; passes all bytes to {@code written}. */
    private static byte[] write(
            Path file, Map<String, Tensor> tensors, Map<String, String> metadata, Consumer<ByteBuffer> written)
            throws IOException {
        Map<String, SafetensorsHeader.Layout> layouts = new LinkedHashMap<>();
        tensors.forEach((name, tensor) ->
                layouts.put(name, new SafetensorsHeader.Layout(isInt8(tensor) ? INT8 : FLOAT32, shape(tensor))));
        byte[] header = SafetensorsHeader.encode(layouts, metadata);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            written.accept(ByteBuffer.wrap(header));
            write(channel, ByteBuffer.wrap(header));
            for (Tensor tensor : tensors.values()) {
                write(channel, tensor, written);
            }
        }
        return header;
    }

    private static boolean isInt8(Tensor tensor) {
        return tensor.scalar_type().intern() == torch.ScalarType.Char;
    }

    private static List<Long> shape(Tensor tensor) {
        return Arrays.stream(tensor.shape()).boxed().toList();
    }

    private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void write(FileChannel channel, Tensor tensor, Consumer<ByteBuffer> written) throws IOException {
        try (PointerScope scope = new PointerScope()) {
            torch.ScalarType type = isInt8(tensor) ? torch.ScalarType.Char : torch.ScalarType.Float;
            Tensor local = tensor.detach().to(type).cpu().contiguous();
            for (ByteBuffer chunk : chunks(local)) {
                written.accept(chunk.duplicate());
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
        return open(file, (channel, header) -> read(channel, header, file, into));
    }

    /** Like {@link #read}, but first checks the checksum of a file that {@link #writeWithChecksum} wrote. */
    public static Map<String, String> readVerified(Path file, Map<String, Tensor> into) {
        return open(file, (channel, header) -> {
            SafetensorsChecksum.verify(channel, header, file);
            return read(channel, header, file, into);
        });
    }

    private static Map<String, String> read(
            FileChannel channel, SafetensorsHeader header, Path file, Map<String, Tensor> into) throws IOException {
        checkNames(file, PackedWeights.tensorNames(header), into.keySet());
        into.forEach((name, tensor) -> checkShape(file, name, entry(header, name), tensor));
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            for (Map.Entry<String, Tensor> target : into.entrySet()) {
                target.getValue().copy_(restored(channel, header, target.getKey(), file));
            }
        }
        return header.metadata();
    }

    /** Reads the tensors whose names match, on the CPU and in float32; they belong to the open scope. */
    public static Map<String, Tensor> readMatching(Path file, Predicate<String> filter) {
        return open(file, (channel, header) -> {
            Map<String, Tensor> tensors = new TreeMap<>();
            for (String name : PackedWeights.tensorNames(header)) {
                if (filter.test(name)) {
                    tensors.put(name, restored(channel, header, name, file));
                }
            }
            return tensors;
        });
    }

    /** Reads a tensor of any supported type as float32. */
    private static Tensor restored(FileChannel channel, SafetensorsHeader header, String name, Path file)
            throws IOException {
        Tensor stored = stored(channel, header, name, file);
        if (!isInt8(stored)) {
            return stored.to(torch.ScalarType.Float);
        }
        String scales = PackedWeights.scales(name);
        SafetensorsHeader.Entry expected = header.tensors().get(scales);
        if (stored.dim() == 0 || expected == null || !expected.shape().equals(List.of(stored.size(0)))) {
            throw SafetensorsHeader.invalid(file, "tensor " + name + " has no scale for each row");
        }
        return PackedWeights.restored(stored, stored(channel, header, scales, file));
    }

    private static Tensor stored(FileChannel channel, SafetensorsHeader header, String name, Path file)
            throws IOException {
        Tensor tensor = empty(file, name, entry(header, name));
        fill(channel, entry(header, name), tensor, file);
        return tensor;
    }

    private static SafetensorsHeader.Entry entry(SafetensorsHeader header, String name) {
        return Objects.requireNonNull(header.tensors().get(name), name);
    }

    private static Tensor empty(Path file, String name, SafetensorsHeader.Entry entry) {
        torch.ScalarType type = switch (entry.type()) {
            case FLOAT32 -> torch.ScalarType.Float;
            case "F16" -> torch.ScalarType.Half;
            case "BF16" -> torch.ScalarType.BFloat16;
            case INT8 -> torch.ScalarType.Char;
            default ->
                throw new UserError(
                        "Tensor " + name + " has unsupported type " + entry.type(),
                        file.toString(),
                        "convert it to F32, F16 or BF16");
        };
        long[] shape = entry.shape().stream().mapToLong(Long::longValue).toArray();
        return torch.empty(shape, new TensorOptions(type), new MemoryFormatOptional());
    }

    /** Reads from an open file, given its header. */
    private interface Reader<T> {
        T read(FileChannel channel, SafetensorsHeader header) throws IOException;
    }

    private static <T> T open(Path file, Reader<T> reader) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return reader.read(channel, SafetensorsHeader.read(channel, file));
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The weights are missing", file.toString(), "train the run first: plant run EXPERIMENT", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static void checkNames(Path file, Set<String> found, Set<String> expected) {
        Stream<String> missing =
                expected.stream().filter(name -> !found.contains(name)).map(name -> name + " is missing");
        Stream<String> surplus =
                found.stream().filter(name -> !expected.contains(name)).map(name -> name + " is only in the file");
        Stream.concat(missing, surplus).findFirst().ifPresent(difference -> {
            throw new UserError(
                    "The weights belong to another model: " + difference,
                    file.toString(),
                    "use the experiment file that the weights were trained with");
        });
    }

    private static void checkShape(Path file, String name, SafetensorsHeader.Entry entry, Tensor tensor) {
        if (!entry.shape().equals(shape(tensor)) || !List.of(FLOAT32, INT8).contains(entry.type())) {
            throw new UserError(
                    "Tensor " + name + " is " + entry.type() + entry.shape() + " in the file and F32" + shape(tensor)
                            + " in the model",
                    file.toString(),
                    "use the experiment file, vocabulary and labels that the weights were trained with");
        }
    }

    private static void fill(FileChannel channel, SafetensorsHeader.Entry entry, Tensor tensor, Path file)
            throws IOException {
        channel.position(entry.start());
        for (ByteBuffer chunk : chunks(tensor)) {
            while (chunk.hasRemaining()) {
                if (channel.read(chunk) < 0) {
                    throw SafetensorsHeader.invalid(file, "it is truncated");
                }
            }
        }
    }
}
