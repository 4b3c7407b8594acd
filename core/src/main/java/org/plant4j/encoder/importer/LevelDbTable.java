package org.plant4j.encoder.importer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.plant4j.UserError;

/**
 * Reads LevelDB's sorted string table, the format of TensorFlow's checkpoint index: blocks of prefix-compressed entries, an
 * index block with the positions of the blocks, and a footer with the position of the index.
 */
final class LevelDbTable {

    private static final long MAGIC = 0xdb4775248b80fb57L;
    private static final int FOOTER = 48;

    private final ByteBuffer bytes;
    private final Path file;

    private LevelDbTable(ByteBuffer bytes, Path file) {
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
        this.file = file;
    }

    /** Reads all entries in order. */
    static Map<String, ByteBuffer> read(Path file) {
        try {
            return new LevelDbTable(ByteBuffer.wrap(Files.readAllBytes(file)), file).entries();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(file);
        }
    }

    private Map<String, ByteBuffer> entries() {
        int size = bytes.limit();
        if (size < FOOTER || bytes.getLong(size - Long.BYTES) != MAGIC) {
            throw damaged(file);
        }
        ByteBuffer footer = bytes.duplicate().position(size - FOOTER);
        handle(footer); // of the metaindex block, which is not needed
        Map<String, ByteBuffer> entries = new LinkedHashMap<>();
        block(handle(footer), (last, value) -> block(handle(value), entries::put));
        return entries;
    }

    private record Handle(long offset, long size) {}

    private Handle handle(ByteBuffer from) {
        return new Handle(ProtoMessage.varint(from, file), ProtoMessage.varint(from, file));
    }

    private void block(Handle handle, BiConsumer<String, ByteBuffer> into) {
        int start = Math.toIntExact(handle.offset());
        int end = Math.toIntExact(handle.offset() + handle.size());
        if (bytes.get(end) != 0) {
            throw new UserError(
                    "The checkpoint index is compressed",
                    file.toString(),
                    "save the model again with TensorFlow, which does not compress it");
        }
        int restarts = bytes.getInt(end - Integer.BYTES);
        ByteBuffer block = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        block.limit(end - Integer.BYTES * (restarts + 1)).position(start);
        byte[] key = {};
        while (block.hasRemaining()) {
            int shared = (int) ProtoMessage.varint(block, file);
            int unshared = (int) ProtoMessage.varint(block, file);
            int value = (int) ProtoMessage.varint(block, file);
            byte[] next = Arrays.copyOf(key, shared + unshared);
            block.get(next, shared, unshared);
            key = next;
            into.accept(
                    new String(key, StandardCharsets.UTF_8), block.duplicate().limit(block.position() + value));
            block.position(block.position() + value);
        }
    }

    private static UserError damaged(Path file) {
        return new UserError(
                "Not a complete TensorFlow checkpoint index", file.toString(), "copy or download it again");
    }
}
