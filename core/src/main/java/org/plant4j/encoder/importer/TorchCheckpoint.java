package org.plant4j.encoder.importer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.plant4j.UserError;
import org.plant4j.encoder.importer.PickleReader.Storage;
import org.plant4j.encoder.importer.PickleReader.TensorView;
import org.plant4j.encoder.importer.StoredTensor.DataType;

/**
 * The tensors of a file that {@code torch.save} wrote: a zip file with a pickle and one entry per storage, or before
 * PyTorch 1.6 several pickles followed by the storages. No code of the file is executed; see {@link PickleReader}.
 */
final class TorchCheckpoint {

    private static final int MAX_PICKLE = 1 << 28;
    private static final BigInteger LEGACY_MAGIC = new BigInteger("1950a86a20f9469cfc6c", 16);

    /** Under these keys, training programs store the weights next to the state of the optimizer. */
    private static final List<String> NESTED = List.of("model", "state_dict", "model_state_dict");

    private final Path file;
    private final Map<String, StoredZip.Position> storages = new HashMap<>(); // by key

    private TorchCheckpoint(Path file) {
        this.file = file;
    }

    /** The positions of all floating point tensors, by name. */
    static Map<String, StoredTensor> read(Path file) {
        try {
            TorchCheckpoint checkpoint = new TorchCheckpoint(file);
            boolean zip = StoredZip.isZip(file);
            Object root = zip ? checkpoint.readZip() : checkpoint.readLegacy();
            Map<String, StoredTensor> tensors = checkpoint.tensors(weights(root));
            if (zip) {
                StoredZip.verify(file); // last, since errors in the pickle say more
            }
            return tensors;
        } catch (IOException | ArithmeticException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new UserError(
                    "The checkpoint cannot be read: " + e.getMessage(),
                    file.toString(),
                    "download or save the file again",
                    e);
        }
    }

    private Object readZip() throws IOException {
        Map<String, StoredZip.Position> entries = StoredZip.read(file);
        String pickle = entries.keySet().stream()
                .filter(name -> name.endsWith("data.pkl"))
                .findFirst()
                .orElseThrow(() -> notACheckpoint("it has no data.pkl"));
        String directory = pickle.substring(0, pickle.length() - "data.pkl".length());
        StoredZip.Position byteOrder = entries.get(directory + "byteorder");
        if (byteOrder != null && new String(bytes(byteOrder), StandardCharsets.US_ASCII).startsWith("big")) {
            throw new UserError("The checkpoint is big-endian", file.toString(), "save it on a little-endian machine");
        }
        entries.forEach((name, position) -> {
            if (name.startsWith(directory + "data/")) {
                storages.put(name.substring((directory + "data/").length()), position);
            }
        });
        byte[] data = bytes(Objects.requireNonNull(entries.get(pickle)));
        return new PickleReader(new ByteArrayInputStream(data), file + "!" + pickle).read();
    }

    private byte[] bytes(StoredZip.Position position) throws IOException {
        if (position.size() > MAX_PICKLE) {
            throw notACheckpoint("its pickle is too large");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return StoredZip.read(channel, position.offset(), (int) position.size())
                    .array();
        }
    }

    /** Magic number, version, system, data, keys of the storages; then each storage after its number of elements. */
    private Object readLegacy() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                CountingStream in = new CountingStream(Channels.newInputStream(channel))) {
            Object magic = pickle(in);
            Object version = pickle(in);
            if (!magic.equals(LEGACY_MAGIC) || !(version instanceof Long)) {
                throw notACheckpoint("it does not begin with PyTorch's magic number");
            }
            pickle(in);
            PickleReader data = new PickleReader(in, file.toString());
            Object root = data.read();
            if (!(pickle(in) instanceof List<?> keys)) {
                throw notACheckpoint("it has no list of storages");
            }
            Map<String, Integer> elementBytes = new HashMap<>();
            data.storages()
                    .forEach(storage ->
                            elementBytes.put(storage.key(), storage.type().bytes()));
            long offset = in.position();
            for (Object key : keys) {
                if (!(key instanceof String name) || !elementBytes.containsKey(name)) {
                    throw notACheckpoint("its pickle does not mention one of the storages");
                }
                long elements = StoredZip.read(channel, offset, Long.BYTES).getLong(0);
                if (elements < 0) {
                    throw notACheckpoint("a storage has a negative size");
                }
                long size = Math.multiplyExact(elements, elementBytes.getOrDefault(name, 1));
                storages.put(name, new StoredZip.Position(offset + Long.BYTES, size));
                offset = Math.addExact(offset + Long.BYTES, size);
            }
            return root;
        }
    }

    private Object pickle(CountingStream in) throws IOException {
        return new PickleReader(in, file.toString()).read();
    }

    /** The dictionary of tensors, at the top or one level below. */
    private static Map<?, ?> weights(Object root) {
        Object first = root instanceof List<?> list && !list.isEmpty() ? list.get(0) : root;
        if (!(first instanceof Map<?, ?> map)) {
            return Map.of();
        }
        for (String key : NESTED) {
            if (map.get(key) instanceof Map<?, ?> nested) {
                return nested;
            }
        }
        return map;
    }

    private Map<String, StoredTensor> tensors(Map<?, ?> weights) throws IOException {
        long fileSize = Files.size(file);
        storages.forEach((key, position) -> {
            if (position.size() < 0 || Math.addExact(position.offset(), position.size()) > fileSize) {
                throw notACheckpoint("storage " + key.replaceAll("[^\\w.]", "?") + " ends after the file");
            }
        });
        Map<String, StoredTensor> tensors = new TreeMap<>();
        weights.forEach((name, value) -> {
            if (name instanceof String text && value instanceof TensorView view) {
                tensor(text, view).ifPresent(tensor -> tensors.put(text, tensor));
            }
        });
        if (tensors.isEmpty()) {
            throw notACheckpoint("it contains no tensors");
        }
        return tensors;
    }

    /** Empty for integers, such as position ids, which are not needed. */
    private Optional<StoredTensor> tensor(String name, TensorView view) {
        Storage storage = view.storage();
        DataType type;
        switch (storage.type().name()) {
            case "Float" -> type = DataType.F32;
            case "Half" -> type = DataType.F16;
            case "BFloat16" -> type = DataType.BF16;
            case "Double" -> throw StoredTensor.unsupported(name, "float64", file);
            default -> {
                return Optional.empty();
            }
        }
        StoredZip.Position position = storages.get(storage.key());
        long elements = view.shape().stream().reduce(1L, Math::multiplyExact);
        boolean negative = view.offset() < 0 || view.shape().stream().anyMatch(size -> size < 0);
        if (position == null
                || negative
                || Math.addExact(view.offset(), elements)
                        > Math.min(storage.elements(), position.size() / type.bytes)) {
            throw notACheckpoint("the numbers of tensor " + name + " are missing");
        }
        List<Integer> shape = view.shape().stream().map(Math::toIntExact).toList();
        long offset = position.offset() + view.offset() * type.bytes;
        if (isContiguous(view.shape(), view.strides())) {
            return Optional.of(new StoredTensor(file, offset, type, shape, false));
        }
        if (shape.size() == 2 && isContiguous(reversed(view.shape()), reversed(view.strides()))) {
            List<Integer> stored = List.of(shape.get(1), shape.get(0));
            return Optional.of(new StoredTensor(file, offset, type, stored, true));
        }
        throw new UserError(
                "Tensor " + name + " is stored with gaps",
                file.toString(),
                "save it again after calling contiguous() on its tensors");
    }

    private static List<Long> reversed(List<Long> pair) {
        return List.of(pair.get(1), pair.get(0));
    }

    /** Strides of dimensions of size one do not matter. */
    private static boolean isContiguous(List<Long> shape, List<Long> strides) {
        long expected = 1;
        for (int i = shape.size() - 1; i >= 0; i--) {
            if (shape.get(i) != 1 && strides.get(i) != expected) {
                return false;
            }
            expected *= shape.get(i);
        }
        return true;
    }

    private UserError notACheckpoint(String why) {
        return new UserError(
                "Not a PyTorch checkpoint: " + why,
                file.toString(),
                "use a file that torch.save wrote, with a dictionary of tensors");
    }
}
