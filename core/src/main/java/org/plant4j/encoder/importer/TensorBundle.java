package org.plant4j.encoder.importer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.plant4j.UserError;

/** A TensorFlow checkpoint: an index {@code NAME.index} of its variables, whose data is in {@code NAME.data-…-of-…}. */
final class TensorBundle {

    // BundleHeaderProto
    private static final int SHARDS = 1;
    private static final int BIG_ENDIAN = 2;

    // BundleEntryProto
    private static final int TYPE = 1;
    private static final int SHAPE = 2;
    private static final int SHARD = 3;
    private static final int OFFSET = 4;
    private static final int SIZE = 5;

    // TensorShapeProto and its Dim
    private static final int DIMENSION = 2;
    private static final int LENGTH = 1;

    // DataType
    private static final int FLOAT = 1;
    private static final int BFLOAT16 = 14;
    private static final int HALF = 19;

    private TensorBundle() {}

    /** Reads the positions of all floating point variables, by name. */
    static Map<String, StoredTensor> read(Path index) {
        Map<String, ByteBuffer> entries = LevelDbTable.read(index);
        ByteBuffer first = entries.remove("");
        if (first == null) {
            throw new UserError("The checkpoint index has no header", index.toString(), "copy or download it again");
        }
        ProtoMessage header = new ProtoMessage(first, index);
        if (header.number(BIG_ENDIAN, 0) != 0) {
            throw new UserError(
                    "The checkpoint is big-endian", index.toString(), "save it again on a little-endian machine");
        }
        long shards = header.number(SHARDS, 1);
        Map<String, StoredTensor> tensors = new TreeMap<>();
        entries.forEach((name, bytes) -> {
            ProtoMessage entry = new ProtoMessage(bytes, index);
            int type = (int) entry.number(TYPE, 0);
            if (type == FLOAT || type == BFLOAT16 || type == HALF) { // others are step counters and the like
                tensors.put(name, tensor(index, name, entry, shards));
            }
        });
        return tensors;
    }

    private static StoredTensor tensor(Path index, String name, ProtoMessage entry, long shards) {
        StoredTensor.DataType type = switch ((int) entry.number(TYPE, 0)) {
            case BFLOAT16 -> StoredTensor.DataType.BF16;
            case HALF -> StoredTensor.DataType.F16;
            default -> StoredTensor.DataType.F32;
        };
        List<Integer> shape = entry.field(SHAPE).map(ProtoMessage.Field::message).stream()
                .flatMap(dimensions -> dimensions.fields(DIMENSION).stream())
                .map(dimension -> (int) dimension.message().number(LENGTH, 0))
                .toList();
        String stem = String.valueOf(index.getFileName()).replaceAll("\\.index$", "");
        Path data = index.resolveSibling(
                String.format(Locale.ROOT, "%s.data-%05d-of-%05d", stem, entry.number(SHARD, 0), shards));
        StoredTensor tensor = new StoredTensor(data, entry.number(OFFSET, 0), type, shape, false);
        if (tensor.elementCount() * type.bytes != entry.number(SIZE, 0)) {
            throw new UserError(
                    "The size of variable " + name + " does not match its shape",
                    index.toString(),
                    "copy or download it again");
        }
        try {
            if (!Files.exists(data) || Files.size(data) < tensor.endOffset()) {
                throw new UserError(
                        "The data of variable " + name + " is missing",
                        data.toString(),
                        "copy or download the whole model again");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + data, e);
        }
        return tensor;
    }
}
