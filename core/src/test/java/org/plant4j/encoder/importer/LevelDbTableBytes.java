package org.plant4j.encoder.importer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes a LevelDB table with two prefix-compressed entries per block. */
final class LevelDbTableBytes {

    private static final int ENTRIES = 2;

    private LevelDbTableBytes() {}

    static byte[] of(SortedMap<String, byte[]> entries, int compression) {
        ProtoBytes file = new ProtoBytes();
        SortedMap<String, byte[]> index = new TreeMap<>();
        List<Map.Entry<String, byte[]>> all = new ArrayList<>(entries.entrySet());
        for (int first = 0; first < all.size(); first += ENTRIES) {
            List<Map.Entry<String, byte[]>> blockEntries = all.subList(first, Math.min(all.size(), first + ENTRIES));
            byte[] handle = append(file, block(blockEntries), compression);
            index.put(blockEntries.get(blockEntries.size() - 1).getKey(), handle);
        }
        byte[] other = append(file, block(List.of()), 0);
        byte[] blocks = append(file, block(new ArrayList<>(index.entrySet())), 0);
        byte[] footer = Arrays.copyOf(new ProtoBytes().raw(other).raw(blocks).toBytes(), 40);
        return file.raw(footer).raw(ProtoBytes.longs(0xdb4775248b80fb57L)).toBytes();
    }

    /** Appends a block with its trailer: compression type and an unused checksum. Returns offset and size. */
    private static byte[] append(ProtoBytes file, byte[] block, int compression) {
        byte[] handle = new ProtoBytes().raw(file.size()).raw(block.length).toBytes();
        file.raw(block).raw(new byte[] {(byte) compression, 0, 0, 0, 0});
        return handle;
    }

    private static byte[] block(List<Map.Entry<String, byte[]>> entries) {
        ProtoBytes block = new ProtoBytes();
        byte[] before = {};
        for (Map.Entry<String, byte[]> entry : entries) {
            byte[] key = entry.getKey().getBytes(StandardCharsets.UTF_8);
            int mismatch = Arrays.mismatch(before, key);
            int shared = mismatch < 0 ? key.length : mismatch;
            block.raw(shared).raw(key.length - shared).raw(entry.getValue().length);
            block.raw(Arrays.copyOfRange(key, shared, key.length)).raw(entry.getValue());
            before = key;
        }
        ByteBuffer restarts = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        return block.raw(restarts.putInt(0).putInt(1).array()).toBytes();
    }
}
